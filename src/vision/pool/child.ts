import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { cpuMsOf } from './cpu-time.ts';
import { errorOf, type FromChild, failureOf, type ToChild } from './messages.ts';
import type { TaskName } from './tasks.ts';

// biome-ignore lint/suspicious/noExplicitAny: each task types the functions that it calls
export type Answers = Record<string, (...args: any[]) => unknown>;

type ChildTask = {
  name: TaskName;
  input: unknown;
  /** Functions that the task may call, of cloneable values. */
  answers: Answers;
  /** CPU time after which the process is killed. */
  cpuMs: number;
};

/** The process ended, or was killed, before its task was done. */
export class ChildLost extends Error {
  override name = 'ChildLost';
}

/** A process that runs one task at a time. */
export type Child = {
  run(task: ChildTask): Promise<unknown>;
  /** Gives up its task: a process that has begun it is killed, since nothing else ends native code. */
  cancel(): void;
  /** Ends the process at once, whatever it does; resolves when it has ended. */
  kill(): Promise<void>;
};

/** Of JavaScript alone; the memory of native decoders is bounded by the pixels of a photo. */
const HEAP = ['--max-old-space-size=384', '--max-semi-space-size=16'];
/** For a process to load its code on a busy machine. */
const START_MS = 60_000;
/** A task may take so much longer than its CPU time: other programs want the processor too, and hangs use none. */
const WALL_BY_CPU = 4;
const LOOK_EVERY_MS = 100;
/** Kept of what libraries print, to say why a process ended. */
const SAID_CHARS = 1000;

/** Starts a child process; `onEnd` is called once, when it cannot run tasks any more. */
export function startChild(entry: URL, onEnd: () => void): Child {
  // Nothing of the environment: a process that decodes files of unknown origin does not need passwords.
  const child = fork(fileURLToPath(entry), [], {
    env: {},
    execArgv: HEAP,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr!.setEncoding('latin1').on('data', (text: string) => {
    said = (said + text).slice(-SAID_CHARS);
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let isReady = false;
  let hasEnded = false;
  let current: { task: ChildTask; settle(output: unknown): void; fail(error: Error): void } | null = null;
  let stopLimits = () => {};

  /** The task that is over now, if there is one; its process is not kept alive for it any more. */
  function finished(): typeof current {
    const task = current;
    current = null;
    stopLimits();
    keepAlive(child, false);
    return task;
  }

  function end(reason: string): void {
    if (hasEnded) return;
    hasEnded = true;
    child.kill('SIGKILL');
    finished()?.fail(new ChildLost(reason));
    onEnd();
  }

  /** Sends; a process that has just died is noticed by its end. */
  const send = (message: ToChild) => child.connected && child.send(message, () => {});

  function begin({ name, input, cpuMs }: ChildTask): void {
    stopLimits();
    stopLimits = limit(child, cpuMs, end);
    send({ kind: 'run', name, input });
  }

  async function answer({ id, method, args }: Extract<FromChild, { kind: 'ask' }>): Promise<void> {
    const caller = current;
    try {
      const value = await caller!.task.answers[method]!(...args);
      if (current === caller) send({ kind: 'answer', id, value });
    } catch (error) {
      if (current === caller) send({ kind: 'failure', id, failure: failureOf(error) });
    }
  }

  child.on('message', (message: FromChild) => {
    if (message.kind === 'ready') {
      isReady = true;
      if (current === null) keepAlive(child, false);
      else begin(current.task);
    } else if (message.kind === 'ask') void answer(message);
    else if (message.kind === 'done') finished()?.settle(message.output);
    else finished()?.fail(errorOf(message.failure));
  });
  child.on('error', (error) => end(error.message));
  child.on('close', (code, signal) => end(`it ended by itself (${signal ?? code}) ${said}`.trim()));
  const slowStart = setTimeout(() => isReady || end(`not ready after ${START_MS} ms`), START_MS).unref();
  child.once('exit', () => clearTimeout(slowStart));

  return {
    run: (task) =>
      new Promise((settle, fail) => {
        current = { task, settle, fail };
        keepAlive(child, true);
        if (isReady) begin(task);
      }),
    cancel() {
      if (current === null) return;
      if (isReady) end('its caller has disconnected');
      else finished()!.fail(new ChildLost('its caller has disconnected'));
    },
    async kill() {
      end('closed');
      keepAlive(child, true);
      await closed;
    },
  };
}

/** Whether this process stays alive for the child's sake: not while the child waits for work. */
function keepAlive(child: ChildProcess, isKept: boolean): void {
  const how = isKept ? 'ref' : 'unref';
  for (const handle of [child, child.channel, child.stderr as Socket]) handle?.[how]();
}

/** Watches the time of a task from now on; returns what ends the watch. */
function limit(child: ChildProcess, cpuMs: number, end: (reason: string) => void): () => void {
  const beganMs = performance.now();
  const cpuBefore = cpuMsOf(child.pid!) ?? 0;
  const timer = setInterval(() => {
    const used = cpuMsOf(child.pid!);
    if (used !== null && used - cpuBefore > cpuMs) end(`over ${cpuMs} ms of CPU`);
    else if (performance.now() - beganMs > WALL_BY_CPU * cpuMs) end(`over ${WALL_BY_CPU * cpuMs} ms`);
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
