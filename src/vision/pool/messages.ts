import { UnusableImage } from '../pictures/decode.ts';
import type { TaskName } from './tasks.ts';

/** To a child process: run a task, or the answer to a question of the task. */
export type ToChild =
  | { kind: 'run'; name: TaskName; input: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; failure: TaskFailure };

/** From a child process, which runs one task at a time; `ready` once its code is loaded. */
export type FromChild =
  | { kind: 'ready' }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; failure: TaskFailure }
  | { kind: 'ask'; id: number; method: string; args: unknown[] };

/** Calls one of the functions that the caller of the task passed as `answers`. */
export type Ask = (method: string, args: unknown[]) => Promise<unknown>;

/** An error as a message: classes do not survive the way between processes. */
export type TaskFailure = { name: string; message: string; stack: string | undefined };

export function failureOf(thrown: unknown): TaskFailure {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, stack };
}

export function errorOf({ name, message, stack }: TaskFailure): Error {
  return name === 'UnusableImage' ? new UnusableImage(message) : Object.assign(new Error(message), { stack });
}
