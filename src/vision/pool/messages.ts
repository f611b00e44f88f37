import { UnusableImage } from '../decode.ts';
import type { TaskName } from './tasks.ts';

/** To a child process: run a task, or the answer to a question of the task. */
export type ToChild =
  | { kind: 'run'; name: TaskName; input: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; failure: Failure };

/** From a child process, which runs one task at a time; `ready` once its code is loaded. */
export type FromChild =
  | { kind: 'ready' }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'ask'; id: number; method: string; args: unknown[] };

/** Calls one of the functions that the caller of the task passed as `answers`. */
export type Ask = (method: string, args: unknown[]) => Promise<unknown>;

/** An error as a message: classes do not survive the way between processes. */
export type Failure = { name: string; message: string; stack: string | undefined };

export function failureOf(thrown: unknown): Failure {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, stack };
}

export function errorOf({ name, message, stack }: Failure): Error {
  return name === 'UnusableImage' ? new UnusableImage(message) : Object.assign(new Error(message), { stack });
}
