import sharp from 'sharp';
import { UnusableImage } from '../../../src/vision/pictures/decode.ts';
import type { Ask } from '../../../src/vision/pool/messages.ts';
import { serveTasks } from '../../../src/vision/pool/serve-tasks.ts';
import { manyScans } from '../../support/photos/hostile-images.ts';

const never = new Promise<never>(() => {});

/** What may go wrong in a child process. */
export const TEST_TASKS = {
  pid: async () => process.pid,
  environment: async () => ({ ...process.env }),
  wait: async ({ ms }: { ms: number }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return ms;
  },
  spin: async (_: object, ask: Ask) => {
    await ask('begun', [process.pid]);
    for (;;);
  },
  hang: () => never,
  /** Minutes in native code, in the four threads that decoding has, past the check that rejects such a picture. */
  decode: async (_: object, ask: Ask) => {
    const jpeg = await manyScans(300_000);
    await ask('begun', [process.pid]);
    await Promise.all(Array.from({ length: 4 }, () => sharp(jpeg, { failOn: 'error' }).raw().toBuffer()));
  },
  exit: () => process.exit(3),
  grow: () => {
    const all: unknown[] = [];
    // Numbers, which the garbage collector does not look through again and again.
    for (;;) all.push(new Array(5_000_000).fill(0.5));
  },
  fail: () => {
    throw new TypeError('a mistake');
  },
  reject: () => {
    throw new UnusableImage('too dark');
  },
  ask: async ({ words }: { words: string[] }, ask: Ask) =>
    Promise.all(words.map((word) => ask('echo', [word]).catch((error: Error) => `no: ${error.message}`))),
  double: async ({ numbers }: { numbers: Float32Array }) => ({ numbers: numbers.map((number) => number * 2) }),
  throwLater: () => {
    setImmediate(() => {
      throw new Error('out of nowhere');
    });
    return never;
  },
};

serveTasks(TEST_TASKS);
