import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** An upload whose bytes are sent when the test says so. */
class Uploading {
  readonly answer: Promise<{ status: number; headers: IncomingHttpHeaders; json: { error: string; detail: string } }>;
  readonly #body: Buffer;
  readonly #request: ClientRequest;

  constructor(port: string, photo: Buffer) {
    this.#body = formOf({ name: 'file', bytes: photo });
    const headers = { ...MULTIPART, 'content-length': this.#body.length };
    this.#request = request({ port, path: '/v1/search/detect-items', method: 'POST', headers, agent: false });
    this.answer = once(this.#request, 'response').then(async ([response]) => {
      const { statusCode: status, headers } = response as IncomingMessage;
      return { status: status!, headers, json: (await json(response)) as { error: string; detail: string } };
    });
    // The rest of its body is no longer read.
    this.#request.on('error', () => {});
  }

  send(from: number, to = this.#body.length): void {
    this.#request.write(this.#body.subarray(from, to));
    if (to === this.#body.length) this.#request.end();
  }
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

  test('lets an upload end, and works on the photo', async () => {
    const { child, port, ended } = await startServer({ graceMs: 120_000, closeMs: CLOSE_MS });
    const upload = new Uploading(port, Buffer.alloc(400_000, 7));
    upload.send(0, 200_000);
    await fetch(`http://127.0.0.1:${port}/v1/health`);
    child.kill('SIGTERM');
    // The server stops meanwhile; a sender that is silent for ten seconds is given up.
    for (let at = 200_000; at < 210_000; at += 1000) {
      upload.send(at, at + 1000);
      await sleep(200);
    }
    upload.send(210_000);
    // It has arrived, and is not a photo.
    const { status, json } = await upload.answer;
    expect(status).toBe(400);
    expect(json.detail).toContain('The photo cannot be used: not a JPEG');
    expect(await ended).toEqual([0, null]);
  });

  test('answers an upload that does not end before its connection is cut', async () => {
    const { child, port, ended } = await startServer({ graceMs: 10_000, closeMs: CLOSE_MS });
    const upload = new Uploading(port, Buffer.alloc(400_000, 7));
    upload.send(0, 200_000);
    await fetch(`http://127.0.0.1:${port}/v1/health`);
    child.kill('SIGTERM');
    const { status, headers, json } = await upload.answer;
    expect([status, json.error]).toEqual([503, 'unavailable']);
    expect([headers['retry-after'], headers.connection]).toEqual(['1', 'close']);
    expect(await ended).toEqual([0, null]);
  });

  test('ends a server in whose own threads native code does not end', async () => {
    const { child, ended } = await startServer({ graceMs: GRACE_MS, closeMs: GRACE_MS }, 'stuck');
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});
