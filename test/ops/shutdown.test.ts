import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';
import { slowPhoto } from '../support/photos/hostile-images.ts';
import { builtProcess } from '../support/program.ts';

const GRACE_MS = 500;
/** Shorter than photos wait for their turn, which must not delay the exit of the process. */
const CLOSE_MS = 20_000;

let database: FreshDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mintmark-shutdown-'));
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

async function startServer(shutdown: { graceMs: number; closeMs: number }, ...stuck: string[]) {
  const values = [JSON.stringify(database.connection), dataDir, JSON.stringify(shutdown), ...stuck];
  const child = spawn(process.execPath, [builtProcess('ops/serve-process'), ...values], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const [port] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, port, ended };
}

describe('SIGTERM', () => {
  test('ends a server whose photos are being processed, in order', async () => {
    const { child, port, ended } = await startServer({ graceMs: GRACE_MS, closeMs: CLOSE_MS });
    const body = formOf({ name: 'file', bytes: await slowPhoto() }) as unknown as BodyInit;
    const answers = [1, 2, 3].map(() =>
      fetch(`http://127.0.0.1:${port}/v1/graded/by-image`, { method: 'POST', headers: MULTIPART, body }).then(
        ({ status }) => status,
        () => 'cut off',
      ),
    );
    // They have arrived when the server says that it is busy with them.
    await fetch(`http://127.0.0.1:${port}/v1/health`);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    // 200 is a stream that had begun: it is cut off, or says that the service is stopping.
    for (const answer of await Promise.all(answers)) expect(['cut off', 200, 503]).toContain(answer);
  });

  test('ends a server in whose own threads native code does not end', async () => {
    const { child, ended } = await startServer({ graceMs: GRACE_MS, closeMs: GRACE_MS }, 'stuck');
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});
