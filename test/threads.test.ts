import { afterEach, describe, expect, test } from 'vitest';
import { openThread, type Thread } from '../src/threads.ts';
import { compiledProgram } from './support/app.ts';
import type { ThreadCalls } from './thread-process.ts';

let thread: Thread<ThreadCalls>;
afterEach(() => thread.close());

function open(): Thread<ThreadCalls> {
  thread = openThread<ThreadCalls>('test/thread-process', new URL('../', compiledProgram()));
  return thread;
}

describe('a thread', () => {
  test('answers each call with its own result, also when a later one is ready first', async () => {
    const { call } = open();
    const done: string[] = [];
    const results = [call('after', 50, 'slow'), call('after', 0, 'quick')];
    for (const result of results) void result.then((one) => done.push(one));
    expect(await Promise.all(results)).toEqual(['slow', 'quick']);
    expect(done).toEqual(['quick', 'slow']);
  });

  test('passes on what a call throws, and serves the next', async () => {
    const { call, isAlive } = open();
    await expect(call('fail', 'no such card')).rejects.toThrow('no such card');
    expect(await call('after', 0, 'still here')).toBe('still here');
    expect(isAlive()).toBe(true);
  });

  test('that ends rejects the calls under way and every later one', async () => {
    const { call, isAlive } = open();
    const underWay = call('after', 60_000, 'never');
    await expect(call('exit')).rejects.toThrow('has ended');
    await expect(underWay).rejects.toThrow('has ended');
    expect(isAlive()).toBe(false);
    await expect(call('after', 0, 'late')).rejects.toThrow('has ended');
  });

  test('that ends while it is drained is closed', async () => {
    const { call, close } = open();
    const underWay = call('after', 60_000, 'never');
    const closed = close({ drain: true });
    await Promise.all([
      expect(call('exit')).rejects.toThrow('has ended'),
      expect(underWay).rejects.toThrow('has ended'),
    ]);
    await closed;
  });

  test('is closed at once, or after the calls under way', async () => {
    const first = open();
    const lost = first.call('after', 60_000, 'lost');
    await Promise.all([expect(lost).rejects.toThrow('has ended'), first.close()]);
    const second = open();
    const kept = second.call('after', 50, 'kept');
    await second.close({ drain: true });
    expect(await kept).toBe('kept');
    expect(second.isAlive()).toBe(false);
  });
});
