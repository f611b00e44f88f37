import { stat } from 'node:fs/promises';
import { openProgress } from './progress.ts';

/** Shows how much of a file is read: `bytes` passes its bytes on, `onProgress` names what they are. */
export async function watchReading(file: string, what: string, times = 1) {
  const progress = openProgress('byte');
  const total = file === '-' ? null : times * (await stat(file)).size;
  let done = 0;
  return {
    async *bytes(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
      for await (const chunk of stream) {
        done += chunk.length;
        yield chunk;
      }
    },
    onProgress: (name: string) => progress.update(`${what} ${name}`, done, total),
    end: () => progress.end(),
  };
}
