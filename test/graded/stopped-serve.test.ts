import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, startProgram, untilServing } from '../support/program.ts';
import { openStream } from '../support/servers/sse-client.ts';

const GRADER_MS = 4000;
/** From the signal: half a second for load balancers, and a busy machine. */
const STOP_MS = 5000;

let database: FreshDatabase;
let grader: Server;
beforeAll(async () => {
  database = await freshDatabase();
  grader = createServer(async (_request, response) => {
    await sleep(GRADER_MS);
    response.setHeader('content-type', 'application/json').end('{"grade":"10","name":"Charizard"}');
  });
  await new Promise<void>((resolve) => grader.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  grader.close();
  await database.close();
});

test('serve that gets SIGTERM ends an open stream in order, and another process sends the rest', async () => {
  const folder = folderOfRun();
  mkdirSync(folder, { recursive: true });
  const connection = {
    ...{ id: 'registry', kind: 'http-json', name: 'Registry', private: true, companies: ['PSA'] },
    url: `http://127.0.0.1:${(grader.address() as AddressInfo).port}/{cert}`,
    fields: { grade: '/grade', subject: '/name' },
  };
  writeFileSync(join(folder, 'connections.json'), JSON.stringify({ graders: [connection] }));
  const env = {
    ...{ DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: join(folder, 'data'), PORT: '0' },
    ...{ LIMITS: 'off', CONNECTIONS_FILE: join(folder, 'connections.json') },
  };
  const leaving = startProgram(['serve'], env);
  const address = await untilServing(leaving);
  const staying = startProgram(['serve'], env);
  const port = Number(new URL(await untilServing(staying)).port);
  const path = '/v1/graded/50000001/stream';
  const first = await openStream(Number(new URL(address).port), path);
  await expect.poll(() => first.events.length).toBe(3);
  const begun = performance.now();
  leaving.kill();
  expect(await first.ended).toBe(true);
  expect(await leaving.ended).toBe(0);
  expect(performance.now() - begun).toBeLessThan(STOP_MS);
  const rest = await openStream(port, path, { headers: { 'last-event-id': first.events.at(-1)!.id } });
  expect(await rest.ended).toBe(true);
  expect(rest.events[0]!.data).toMatchObject({ stage: 'identify', done: true });
  expect(rest.events.at(-1)!.event).toBe('result');
  const ids = [...first.events, ...rest.events].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  staying.kill();
  expect(await staying.ended).toBe(0);
});
