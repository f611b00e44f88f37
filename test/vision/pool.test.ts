import { pino } from 'pino';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/http/problem.ts';
import { UnusableImage } from '../../src/vision/decode.ts';
import { openVisionPool, type RunOptions, type VisionPool } from '../../src/vision/pool/pool.ts';
import type { TEST_TASKS } from './pool-worker.ts';

const log = pino({ level: 'silent' });

let pool: VisionPool;
afterEach(() => pool.close());

describe('the tasks of the service', () => {
  const ASKED = { maxSidePx: 300 };

  test('run in a thread and give what they make', async () => {
    pool = openVisionPool({ workers: 1, queue: 0, log });
    const background = { r: 200, g: 30, b: 90 };
    const bytes = await sharp({ create: { width: 600, height: 300, channels: 3, background } })
      .jpeg()
      .toBuffer();
    const { data, ...size } = await pool.run('decode', { bytes, ...ASKED });
    expect(size).toEqual({ width: 300, height: 150, fullWidth: 600, fullHeight: 300 });
    expect(data).toHaveLength(300 * 150 * 3);
  });

  test('say what is wrong with a photo', async () => {
    pool = openVisionPool({ workers: 1, queue: 0, log });
    const run = pool.run('decode', { bytes: Buffer.from('<svg/>'), ...ASKED });
    await expect(run).rejects.toThrow(UnusableImage);
    await expect(run).rejects.toThrow('not a JPEG, PNG, WebP or AVIF picture');
  });
});

describe('a pool of threads', () => {
  const ENTRY = new URL('./pool-worker.mjs', import.meta.url);
  // biome-ignore lint/suspicious/noExplicitAny: tasks of tests are none of the service
  const run = (name: keyof typeof TEST_TASKS, input: object = {}, options: RunOptions = {}): Promise<any> =>
    pool.run(name as never, input as never, options);
  const open = (workers = 1, queue = 10, waitMs = 60_000) => {
    pool = openVisionPool({ workers, queue, waitMs, log }, ENTRY);
  };

  test('runs as many tasks at a time as it has threads', async () => {
    open(2);
    const [one, other, third] = await Promise.all([run('thread'), run('thread'), run('thread')]);
    expect(other).not.toBe(one);
    expect([one, other]).toContain(third);
  });

  test('what waits for a thread is run in order', async () => {
    open(1);
    const order: number[] = [];
    await Promise.all([30, 1, 2].map((ms) => run('wait', { ms }).then(() => order.push(ms))));
    expect(order).toEqual([30, 1, 2]);
  });

  test('refuses with Retry-After what is beyond its queue', async () => {
    open(1, 2);
    const taken = [1, 2, 3].map((ms) => run('wait', { ms }));
    const refused = await run('wait', { ms: 4 }).catch((error: ProblemError) => error);
    expect(refused).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '2' } });
    expect(await Promise.all(taken)).toEqual([1, 2, 3]);
    expect(await run('wait', { ms: 5 })).toBe(5);
  });

  test('refuses what has waited too long; what is begun goes on', async () => {
    open(1, 2, 100);
    // A thread that is up takes the first one at once.
    await run('thread');
    const [begun, late] = [run('wait', { ms: 400 }), run('wait', { ms: 1 }).catch((error: ProblemError) => error)];
    expect(await late).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '2' } });
    expect(await begun).toBe(400);
    expect(await run('wait', { ms: 2 })).toBe(2);
  });

  test.each([
    ['hangs', 'hang'],
    ['spins', 'spin'],
    ['ends its thread', 'exit'],
    ['fails out of nowhere', 'throwLater'],
  ] as const)('a task that %s is told unavailable, and the next has a new thread', async (_what, name) => {
    open();
    const before = await run('thread');
    const lost = run(name, {}, { timeoutMs: 500 });
    const next = run('thread');
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    expect(await next).not.toBe(before);
  });

  test('a task that eats memory ends its thread alone', async () => {
    open();
    await expect(run('grow', {}, { timeoutMs: 25_000 })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await run('wait', { ms: 1 })).toBe(1);
  });

  test('a thread outlives what its tasks throw', async () => {
    open();
    const before = await run('thread');
    await expect(run('fail')).rejects.toThrow('a mistake');
    await expect(run('fail')).rejects.not.toBeInstanceOf(ProblemError);
    await expect(run('refuse')).rejects.toThrow(UnusableImage);
    expect(await run('thread')).toBe(before);
  });

  test('a task whose caller is gone is not begun, and one that runs is not waited for', async () => {
    open();
    const gone = new AbortController();
    const running = run('wait', { ms: 400 }, { signal: gone.signal });
    const waiting = run('exit', {}, { signal: gone.signal });
    const other = run('wait', { ms: 1 });
    gone.abort();
    await expect(running).rejects.toMatchObject({ code: 'unavailable' });
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    expect(await other).toBe(1);
    await expect(run('exit', {}, { signal: gone.signal })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a task may ask its caller while it runs', async () => {
    open();
    const answers = {
      echo: async (word: string) => {
        if (word === 'bad') throw new Error('not that');
        return word.toUpperCase();
      },
    };
    expect(await run('ask', { words: ['a', 'bad', 'c'] }, { answers })).toEqual(['A', 'no: not that', 'C']);
  });

  test('moves memory where it is told to, and copies it elsewhere', async () => {
    open();
    const [kept, moved] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)];
    expect((await run('double', { bytes: kept })).bytes).toEqual(Uint8Array.of(2, 4));
    expect((await run('double', { bytes: moved }, { move: true })).bytes).toEqual(Uint8Array.of(6, 8));
    expect([kept.length, moved.length]).toEqual([2, 0]);
    const part = new Uint8Array(100).subarray(10, 12);
    await run('double', { bytes: part }, { move: true });
    expect(part).toHaveLength(2);
  });

  test('closed, it refuses what waits and runs', async () => {
    open();
    const runs = [run('hang'), run('hang')];
    const ends = Promise.all(runs.map((one) => one.catch((error: ProblemError) => error.code)));
    await pool.close();
    expect(await ends).toEqual(['unavailable', 'unavailable']);
    await expect(run('thread')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
