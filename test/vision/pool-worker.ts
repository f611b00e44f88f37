import { threadId } from 'node:worker_threads';
import { UnusableImage } from '../../src/vision/decode.ts';
import type { Ask } from '../../src/vision/pool/messages.ts';
import { doTasks } from '../../src/vision/pool/thread.ts';

const never = new Promise<never>(() => {});

/** What may go wrong in a thread. */
export const TEST_TASKS = {
  thread: async () => threadId,
  wait: async ({ ms }: { ms: number }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return ms;
  },
  spin: () => {
    for (;;);
  },
  hang: () => never,
  exit: () => process.exit(3),
  grow: () => {
    const all: unknown[] = [];
    for (;;) all.push(new Array(1000).fill(all));
  },
  fail: () => {
    throw new TypeError('a mistake');
  },
  refuse: () => {
    throw new UnusableImage('too dark');
  },
  ask: async ({ words }: { words: string[] }, ask: Ask) =>
    Promise.all(words.map((word) => ask('echo', [word]).catch((error: Error) => `no: ${error.message}`))),
  double: async ({ bytes }: { bytes: Uint8Array }) => ({ bytes: bytes.map((byte) => byte * 2) }),
  throwLater: () => {
    setImmediate(() => {
      throw new Error('out of nowhere');
    });
    return never;
  },
};

doTasks(TEST_TASKS);
