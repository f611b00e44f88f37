// Loaded into a program that is started with --expose-gc: on SIGUSR2 it collects garbage and writes what is left, in bytes, to the
// file of its process in the folder HEAP_FOLDER.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(join(process.env.HEAP_FOLDER, String(process.pid)), String(heapUsed + external));
  });
}
