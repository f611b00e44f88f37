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
    await expect(call('fail', 'no such card', 'ENOENT')).rejects.toMatchObject({
      message: 'no such card',
      code: 'ENOENT',
    });
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

  test('that ends while it is drained is closed', async () => {
    const { call, close } = open();
    const lost = expect(call('after', 60_000, 'lost')).rejects.toThrow('has ended');
    const exit = expect(call('exit')).rejects.toThrow('has ended');
    await Promise.all([lost, exit, close({ drain: true })]);
  }, 20_000);

  test('passes on the causes of an error that has no message', async () => {
    await expect(open().call('failInAll', ['no IPv6', 'no IPv4'])).rejects.toThrow('no IPv6; no IPv4');
  });

  test('does not wait for an answer to a call that cannot be sent', async () => {
    const { call, close } = open();
    await expect(call('after', 0, (() => {}) as never)).rejects.toThrow('could not be cloned');
    await close({ drain: true });
  }, 20_000);
});
