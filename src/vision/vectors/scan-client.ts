import { Worker } from 'node:worker_threads';
import type { ScanAnswer, ScanRequest } from './scan-thread.ts';

/** The scan thread, seen from the thread of the server. */
export type ScanClient = {
  /** Resolves with the thread's answer; rejects when the thread has failed. Requests are handled in their order. */
  call(request: ScanRequest): Promise<ScanAnswer>;
  /** False once the thread has failed: its vectors are lost, and another client must be opened. */
  isAlive(): boolean;
  close(): Promise<void>;
};

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './scan-from-source.mjs' : './scan-thread.js', import.meta.url);

export function openScanClient(): ScanClient {
  const thread = new Worker(ENTRY, { name: 'vectors' });
  // Only a request under way keeps the process alive.
  thread.unref();
  const waiting: { resolve(answer: ScanAnswer): void; reject(error: Error): void }[] = [];
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  }
  thread.on('message', (answer: ScanAnswer) => {
    waiting.shift()!.resolve(answer);
    if (waiting.length === 0) thread.unref();
  });
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the thread that holds the vectors has ended')));

  return {
    call: (request) =>
      failure === null
        ? new Promise((resolve, reject) => {
            waiting.push({ resolve, reject });
            thread.ref();
            thread.postMessage(request, request.kind === 'apply' ? [request.changes.rows.buffer as ArrayBuffer] : []);
          })
        : Promise.reject(failure),
    isAlive: () => failure === null,
    close: async () => void (await thread.terminate()),
  };
}
