import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ProblemError } from '../../../src/http/problem.ts';
import { UnusableImage } from '../../../src/vision/pictures/decode.ts';
import { openVisionPool, type RunOptions, type VisionPool } from '../../../src/vision/pool/pool.ts';
import { builtProcess } from '../../support/program.ts';
import type { TEST_TASKS } from './pool-worker.ts';

// Starting processes takes long on a busy machine; nothing that is measured here depends on it.
vi.setConfig({ testTimeout: 120_000 });

const log = pino({ level: 'silent' });

let pool: VisionPool;

describe('the tasks of the service', () => {
  const ASKED = { maxSidePx: 300 };
  beforeAll(() => {
    pool = openVisionPool({ workers: 1, queue: 0, log });
  });
  afterAll(() => pool.close());

  test('run in a child process and return their output', async () => {
    const background = { r: 200, g: 30, b: 90 };
    const bytes = await sharp({ create: { width: 600, height: 300, channels: 3, background } })
      .jpeg()
      .toBuffer();
    const { data, ...size } = await pool.run('decode', { bytes, ...ASKED });
    expect(size).toEqual({ width: 300, height: 150, fullWidth: 600, fullHeight: 300 });
    expect(data).toHaveLength(300 * 150 * 3);
  });

  test('say what is wrong with a photo', async () => {
    const run = pool.run('decode', { bytes: Buffer.from('<svg/>'), ...ASKED });
    await expect(run).rejects.toThrow(UnusableImage);
    await expect(run).rejects.toThrow('not a JPEG, PNG, WebP or AVIF picture');
  });
});

let entry: URL;
beforeAll(() => {
  entry = pathToFileURL(builtProcess('vision/pool/pool-worker'));
});
// biome-ignore lint/suspicious/noExplicitAny: the pool's types are of the service's tasks
const run = (name: keyof typeof TEST_TASKS, input: object = {}, options: RunOptions = {}): Promise<any> =>
  pool.run(name as never, input as never, options);
const open = (workers = 1, queue = 10, waitMs = 60_000) => {
  pool = openVisionPool({ workers, queue, waitMs, log }, entry);
};

describe('a pool with one child process', () => {
  beforeAll(async () => {
    open();
    await run('pid');
  });
  afterAll(() => pool.close());

  test('runs waiting tasks in order', async () => {
    const order: number[] = [];
    await Promise.all([30, 1, 2].map((ms) => run('wait', { ms }).then(() => order.push(ms))));
    expect(order).toEqual([30, 1, 2]);
  });

  test('time in which a task does not compute hardly counts', async () => {
    expect(await run('wait', { ms: 900 }, { cpuMs: 300 })).toBe(900);
  });

  test('a process outlives the errors of its tasks', async () => {
    const before = await run('pid');
    await expect(run('fail')).rejects.toThrow('a mistake');
    await expect(run('fail')).rejects.not.toBeInstanceOf(ProblemError);
    await expect(run('reject')).rejects.toThrow(UnusableImage);
    expect(await run('pid')).toBe(before);
  });

  test('a waiting task whose caller disconnects is not begun, nor one of a caller that disconnected before', async () => {
    const disconnect = new AbortController();
    const before = await run('pid');
    const first = run('wait', { ms: 200 });
    const waiting = run('exit', {}, { signal: disconnect.signal });
    disconnect.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    expect(await first).toBe(200);
    await expect(run('exit', {}, { signal: disconnect.signal })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await run('pid')).toBe(before);
  });

  test('a task may ask its caller while it runs', async () => {
    const answers = {
      echo: async (word: string) => {
        if (word === 'bad') throw new Error('not that');
        return word.toUpperCase();
      },
    };
    expect(await run('ask', { words: ['a', 'bad', 'c'] }, { answers })).toEqual(['A', 'no: not that', 'C']);
  });

  test('arrays of numbers reach a process and come back as such', async () => {
    expect((await run('double', { numbers: Float32Array.of(1.5, 2) })).numbers).toEqual(Float32Array.of(3, 4));
  });
});

describe('a pool whose child processes are lost', () => {
  afterEach(() => pool.close());

  /** Runs a task that reports when it has begun; `pid` is of its process. */
  async function begin(name: 'spin' | 'decode', options: RunOptions = {}) {
    let lost!: Promise<ProblemError>;
    const pid = await new Promise<number>((begun) => {
      lost = run(name, {}, { ...options, answers: { begun } }).catch((error: ProblemError) => error);
    });
    return { pid, lost };
  }

  test('runs as many tasks at a time as it has processes', async () => {
    open(2);
    const [one, other, third] = await Promise.all([run('pid'), run('pid'), run('pid')]);
    expect(other).not.toBe(one);
    expect([one, other]).toContain(third);
  });

  test('rejects tasks beyond its queue with Retry-After', async () => {
    open(1, 2);
    const taken = [1, 2, 3].map((ms) => run('wait', { ms }));
    const rejected = await run('wait', { ms: 4 }).catch((error: ProblemError) => error);
    expect(rejected).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '2' } });
    expect(await Promise.all(taken)).toEqual([1, 2, 3]);
    expect(await run('wait', { ms: 5 })).toBe(5);
  });

  test('rejects a task that has waited too long; one that has begun goes on', async () => {
    open(1, 2, 100);
    // A process that is up takes the first one at once.
    await run('pid');
    const [begun, late] = [run('wait', { ms: 400 }), run('wait', { ms: 1 }).catch((error: ProblemError) => error)];
    expect(await late).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '2' } });
    expect(await begun).toBe(400);
    expect(await run('wait', { ms: 2 })).toBe(2);
  });

  test.each([
    ['hangs', 'hang'],
    ['ends its process', 'exit'],
    ['fails out of nowhere', 'throwLater'],
  ] as const)('a task that %s is answered unavailable, and the next has a new process', async (_what, name) => {
    open();
    const before = await run('pid');
    const lost = run(name, {}, { cpuMs: 125 });
    const next = run('pid');
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    expect(await next).not.toBe(before);
  });

  test.each(['spin', 'decode'] as const)(
    'a task that does not end (%s) is killed after its CPU time, and others go on meanwhile',
    async (name) => {
      open(2);
      await Promise.all([run('pid'), run('pid')]);
      const { pid, lost } = await begin(name, { cpuMs: 1500 });
      expect(await run('wait', { ms: 1 })).toBe(1);
      expect(isAlive(pid)).toBe(true);
      expect(await lost).toMatchObject({ code: 'unavailable' });
      await expect.poll(() => isAlive(pid)).toBe(false);
      expect(await run('wait', { ms: 2 })).toBe(2);
    },
  );

  test('a task that eats memory ends its process alone', async () => {
    open();
    await expect(run('grow', {}, { cpuMs: 25_000 })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await run('wait', { ms: 1 })).toBe(1);
  });

  test.each(['spin', 'decode'] as const)(
    'a running task (%s) whose caller disconnects ends within a second, and its process with it',
    async (name) => {
      open();
      const disconnect = new AbortController();
      const { pid, lost } = await begin(name, { signal: disconnect.signal });
      const other = run('wait', { ms: 1 });
      disconnect.abort();
      expect(await lost).toMatchObject({ code: 'unavailable' });
      await expect.poll(() => isAlive(pid), { timeout: 1000 }).toBe(false);
      expect(await other).toBe(1);
    },
  );

  test('a process has nothing of the environment of the server', async () => {
    process.env.MINTMARK_SECRET_OF_TEST = 'x';
    open();
    expect(await run('environment')).not.toHaveProperty('MINTMARK_SECRET_OF_TEST');
  });

  test('is closed within a second, whatever runs; running, waiting and later tasks are rejected', async () => {
    open();
    const { pid, lost } = await begin('decode');
    const waiting = run('hang').catch((error: ProblemError) => error);
    const beganMs = performance.now();
    await pool.close();
    expect(performance.now() - beganMs).toBeLessThan(1000);
    expect(isAlive(pid)).toBe(false);
    for (const one of [lost, waiting]) expect(await one).toMatchObject({ code: 'unavailable' });
    await expect(run('pid')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a child process', () => {
  test('ends with its parent, whatever it does', async () => {
    const parent = spawn(process.execPath, [builtProcess('vision/pool/orphan-process')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(createInterface({ input: parent.stdout! }), 'line')) as [string];
    expect(isAlive(Number(pid))).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(Number(pid)), { timeout: 10_000 }).toBe(false);
  });

  test('whose task is under way keeps its parent alive until it has ended, when the pool closes', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [builtProcess('vision/pool/closing-process')]);
    expect(stdout).toBe('closed\n');
  });

  test('runs the build as it runs the sources, from another folder', async () => {
    const square = { width: 240, height: 240, channels: 3, background: '#345' } as const;
    const png = await sharp({ create: square }).png().toBuffer();
    const decode = [builtProcess('vision/pool/decode-process'), png.toString('base64')];
    const { stdout } = await promisify(execFile)(process.execPath, decode, { cwd: tmpdir() });
    expect(JSON.parse(stdout)).toEqual({ width: 120, height: 120 });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
