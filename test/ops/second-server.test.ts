import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, freePort, type Program, startProgram, untilServing } from '../support/program.ts';

const folder = join(folderOfRun(), 'second-server');
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

function serveAt(port: number, database: FreshDatabase): Program {
  const server = startProgram(['serve'], {
    DATABASE_URL: databaseUrlOf(database.connection),
    MINTMARK_DATA: folder,
    PORT: String(port),
    LIMITS: 'off',
  });
  stops.push(() => {
    server.kill('SIGKILL');
    return server.ended;
  });
  return server;
}

test('a server that starts next to another takes connections only when it is ready', async () => {
  const database = await freshDatabase();
  stops.push(() => database.close());
  const first = serveAt(await freePort(), database);
  const base = await untilServing(first);

  const port = await freePort();
  const second = serveAt(port, database);
  const answers: number[] = [];
  while (answers.length < 20) {
    if (second.hasEnded()) throw new Error(second.output());
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
    if (answer !== null) answers.push(answer.status);
    await sleep(answer === null ? 5 : 50);
  }
  expect(new Set(answers)).toEqual(new Set([200]));

  // The same port is in use: that is said at once, not after a minute of preparing.
  const third = serveAt(port, database);
  expect(await third.ended).toBe(2);
  expect(third.errors()).toContain(`Port ${port} of 127.0.0.1 is in use`);

  second.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  expect((await fetch(`${base}/ready`)).status).toBe(200);
});
