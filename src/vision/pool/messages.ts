import type { MessagePort, Worker } from 'node:worker_threads';
import { UnusableImage } from '../decode.ts';
import type { TaskName } from './tasks.ts';

/** From the main thread: begin a task, or the answer to what the task asked. */
export type ToWorker =
  | { kind: 'run'; name: TaskName; input: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; failure: Failure };

/** From a worker, which does one task at a time; `ready` once it can begin. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'ask'; id: number; method: string; args: unknown[] };

/** Asks the main thread what the caller of the task gave it to be asked. */
export type Ask = (method: string, args: unknown[]) => Promise<unknown>;

/** An error as it crosses between threads: classes do not. */
export type Failure = { name: string; message: string; stack: string | undefined };

export function failureOf(thrown: unknown): Failure {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, stack };
}

export function errorOf({ name, message, stack }: Failure): Error {
  return name === 'UnusableImage' ? new UnusableImage(message) : Object.assign(new Error(message), { stack });
}

/** Memory that can be moved with a value instead of being copied: of arrays of bytes or numbers that own all of theirs. */
export function ownMemory(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (one: unknown): void => {
    if (ArrayBuffer.isView(one)) {
      if (one.buffer instanceof ArrayBuffer && one.byteLength === one.buffer.byteLength) found.add(one.buffer);
    } else if (Array.isArray(one)) one.forEach(visit);
    else if (typeof one === 'object' && one !== null) Object.values(one).forEach(visit);
  };
  visit(value);
  return [...found];
}

/** Sends a message; memory that a library has made can refuse to be moved, and is then copied. */
export function send(to: MessagePort | Worker, message: ToWorker | FromWorker, moved: ArrayBuffer[]): void {
  try {
    to.postMessage(message, moved);
  } catch {
    to.postMessage(message);
  }
}
