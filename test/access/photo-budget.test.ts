import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunOptions, VisionPool } from '../../src/vision/pool/pool.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';

const PATH = '/v1/search/detect-items';
/** What it is shows in its first bytes. */
const A_PHOTO = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
const EMPTY = { width: 10, height: 10, cards: [] };

/** A task in the hands of a worker, which the test ends. */
type Begun = { done(): void; fail(error: Error): void; signal: AbortSignal };

let database: FreshDatabase;
let api: TestApp;
let port: number;
/** Tasks of the pool, in the order that they were begun. */
let tasks: Begun[];

beforeEach(async () => {
  database = await freshDatabase();
  api = await testApp(database.db, { env: { LIMITS: 'on', BURST_PUBLIC: '0', IMAGE_PUBLIC: '9' } });
  tasks = [];
  api.context.vision = {
    run: ((_name: never, _input: never, { signal, onBegin }: RunOptions = {}) =>
      new Promise((resolve, reject) => {
        onBegin?.();
        const fail = (error: Error) => reject(error);
        signal!.addEventListener('abort', () => fail(new Error('gone')));
        tasks.push({ done: () => resolve(EMPTY as never), fail, signal: signal! });
      })) as VisionPool['run'],
    warm: () => {},
    load: () => ({ processing: 0, waiting: 0 }),
    close: async () => {},
  };
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
});
afterEach(async () => {
  // Photos that are still worked on would be waited for.
  api.context.uploadRoom.close();
  await api.app.close();
  await database.close();
});

type Sent = { answer: Promise<{ status: number; remaining: string; json: Record<string, unknown> }>; hangUp(): void };

function send(bytes: Buffer | string = A_PHOTO): Sent {
  const body = formOf({ name: 'file', bytes });
  const sent = request({ port, path: PATH, method: 'POST', headers: { ...MULTIPART, 'content-length': body.length } });
  sent.end(body);
  const answer = new Promise<Awaited<Sent['answer']>>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const json = JSON.parse(Buffer.concat(chunks).toString());
      resolve({ status: response.statusCode!, remaining: String(response.headers['x-ratelimit-remaining']), json });
    });
  });
  answer.catch(() => {});
  return { answer, hangUp: () => sent.destroy() };
}

async function remaining(): Promise<number> {
  const { policies } = JSON.parse((await api.app.inject({ url: '/v1/usage', remoteAddress: '127.0.0.1' })).body) as {
    policies: { policy: string; remaining: number }[];
  };
  return policies.find(({ policy }) => policy === 'image')!.remaining;
}

const begun = (count: number) => expect.poll(() => tasks.length).toBe(count);

describe('a photo that a worker has begun', () => {
  test('counts when its sender disconnects, and the work is stopped at once', async () => {
    const { hangUp } = send();
    await begun(1);
    const hungUpMs = performance.now();
    hangUp();
    await expect.poll(() => tasks[0]!.signal.aborted).toBe(true);
    expect(performance.now() - hungUpMs).toBeLessThan(1000);
    await expect.poll(remaining).toBe(8);
  });

  test('counts when it takes too long or fails', async () => {
    const { answer } = send();
    await begun(1);
    tasks[0]!.fail(new Error('over its time'));
    const { status, remaining: left } = await answer;
    expect([status, left]).toEqual([500, '8']);
    expect(await remaining()).toBe(8);
  });
});

describe('an upload rejected before it is examined', () => {
  test('costs nothing of the budget of images', async () => {
    const answer = await api.post(PATH, formOf({ name: 'wrong', bytes: 'x' }), { headers: MULTIPART });
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([400, '9']);
    const json = await api.post(PATH, {});
    expect([json.status, json.headers['x-ratelimit-remaining']]).toEqual([400, '9']);
    const large = { ...MULTIPART, 'content-length': String(2 ** 31) };
    const tooLarge = await api.post(PATH, formOf({ name: 'file', bytes: 'x' }), { headers: large });
    expect([tooLarge.status, tooLarge.headers['x-ratelimit-remaining']]).toEqual([413, '9']);
    expect(tasks).toHaveLength(0);
  });

  test('since it is not a picture of a known kind costs nothing either', async () => {
    for (const [bytes, reason] of [
      ['%PDF-1.7', 'not a JPEG, PNG, WebP or AVIF picture'],
      ['\0\0\0\x20ftypavis', 'animated'],
    ] as const) {
      const { status, remaining: left, json } = await send(bytes).answer;
      expect([status, left, json.error]).toEqual([400, '9', 'upload_malformed']);
      expect(json.detail).toContain(reason);
    }
    expect([tasks.length, await remaining()]).toEqual([0, 9]);
  });

  test('thirty a minute, then 429 names the policy, and the photo is not received', async () => {
    for (let i = 0; i < 30; i++) await api.post(PATH, {}, { address: '127.0.0.1' });
    const { status, json } = await send().answer;
    expect([status, json['violated-policies']]).toEqual([429, ['tries']]);
    expect(tasks).toHaveLength(0);
  });
});

describe('photos of one caller', () => {
  test('are processed one after another; a fifth that waits is 429 and costs nothing', async () => {
    const first = send();
    await begun(1);
    const waiting = Array.from({ length: 5 }, () => send());
    const denied = await Promise.race(waiting.map(({ answer }) => answer));
    expect([denied.status, denied.json['violated-policies']]).toEqual([429, ['photos']]);
    expect(tasks).toHaveLength(1);
    for (let i = 0; i < 5; i++) {
      await begun(i + 1);
      tasks[i]!.done();
    }
    const statuses = await Promise.all([first, ...waiting].map(async ({ answer }) => (await answer).status));
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await remaining()).toBe(4);
  });

  test('one that hangs up while it waits leaves the queue and costs nothing; the next is taken', async () => {
    send();
    await begun(1);
    const gone = send();
    // Its unit is taken on arrival, and comes back when it leaves.
    await expect.poll(remaining).toBe(7);
    gone.hangUp();
    await expect.poll(remaining).toBe(8);
    const last = send();
    tasks[0]!.done();
    await begun(2);
    tasks[1]!.done();
    expect((await last.answer).status).toBe(200);
    expect(await remaining()).toBe(7);
  });

  test('do not keep those of another waiting', async () => {
    send();
    await begun(1);
    const body = formOf({ name: 'file', bytes: A_PHOTO });
    const other = api.post(PATH, body, { headers: MULTIPART, address: '203.0.113.5' });
    await begun(2);
    tasks[1]!.done();
    expect((await other).status).toBe(200);
  });
});
