import type { Logger } from 'pino';
import { ProblemError } from '../../http/problem.ts';
import { type Answers, type Child, ChildLost, startChild } from './child.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts';

export type RunOptions = {
  /** Aborted: the task ends within a second, also one that has begun. */
  signal?: AbortSignal;
  /** CPU time that the task may use once it has begun; its process is killed then. */
  cpuMs?: number;
  /** Called when a process takes the task. */
  onBegin?(): void;
  /** Functions of cloneable values that the task may call while it runs, by name. */
  answers?: Answers;
};

/** Child processes that process photos: native decoding can neither block the server nor outlive its limit. */
export type VisionPool = {
  /**
   * Runs a task in a child process, in the order of calls. Throws the errors of the task (UnusableImage as such), and `unavailable` problems: the
   * queue is full, the task takes too long, its process died, the signal aborted, the pool is closed.
   */
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>, options?: RunOptions): Promise<TaskOutput<Name>>;
  /** Starts a process before the first task needs it. */
  warm(): void;
  /** Photos being processed, and waiting for a process. */
  load(): { processing: number; waiting: number };
  /** Kills the processes; waiting and running tasks are rejected. */
  close(): Promise<void>;
};

type VisionPoolOptions = {
  /** Processes at most; each is started when there is work and all others are busy. */
  workers: number;
  /** Tasks that may wait; one more is rejected. */
  queue: number;
  /** How long a task may wait before it is rejected. */
  waitMs?: number;
  log: Logger;
};

const CPU_MS = 15_000;
/** Proxies give up on an answer after a minute or so: two queues of hard photos would take longer. */
const MAX_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './from-source.mjs' : './photo-worker.js', import.meta.url);

type PoolTask = {
  name: TaskName;
  input: unknown;
  options: RunOptions;
  resolve(output: unknown): void;
  reject(error: Error): void;
  /** Until it has begun. */
  patience?: NodeJS.Timeout;
  /** Once it has begun. */
  child?: Child;
};

export function openVisionPool(
  { workers, queue, waitMs = MAX_WAIT_MS, log }: VisionPoolOptions,
  entry = ENTRY,
): VisionPool {
  const children = new Set<Child>();
  const idle: Child[] = [];
  const waiting: PoolTask[] = [];
  let isClosed = false;

  function start(): Child {
    const child = startChild(entry, () => {
      children.delete(child);
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
      next();
    });
    children.add(child);
    return child;
  }

  function next(): void {
    while (waiting.length > 0 && !isClosed) {
      const child = idle.pop() ?? (children.size < workers ? start() : null);
      if (child === null) return;
      void begin(child, waiting.shift()!);
    }
  }

  async function begin(child: Child, task: PoolTask): Promise<void> {
    const { name, input, options } = task;
    const { cpuMs = CPU_MS, answers = {} } = options;
    clearTimeout(task.patience);
    task.child = child;
    options.onBegin?.();
    try {
      task.resolve(await child.run({ name, input, answers, cpuMs }));
    } catch (error) {
      const isLost = error instanceof ChildLost;
      const isExpected = isClosed || options.signal?.aborted;
      if (isLost && !isExpected) log.error({ err: error, task: name }, 'a photo ended its process');
      task.reject(isLost ? unavailable(isExpected ? WITHDRAWN : LOST) : (error as Error));
    }
    if (children.has(child)) idle.push(child);
    next();
  }

  async function run(name: TaskName, input: unknown, options: RunOptions): Promise<unknown> {
    const { signal } = options;
    if (isClosed || signal?.aborted) throw unavailable(WITHDRAWN);
    const isBusy = idle.length === 0 && children.size >= workers;
    if (isBusy && waiting.length >= queue) throw unavailable(BUSY);
    const task = { name, input, options } as PoolTask;
    const outcome = new Promise((resolve, reject) => Object.assign(task, { resolve, reject }));
    const leave = (why: string) => {
      const at = waiting.indexOf(task);
      if (at < 0) return;
      waiting.splice(at, 1);
      task.reject(unavailable(why));
    };
    const onAbort = () => {
      leave(WITHDRAWN);
      task.child?.cancel();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    task.patience = setTimeout(() => leave(BUSY), waitMs);
    waiting.push(task);
    next();
    return outcome.finally(() => {
      clearTimeout(task.patience);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  return {
    run: (name, input, options = {}) => run(name, input, options) as Promise<TaskOutput<typeof name>>,
    warm() {
      if (children.size === 0 && !isClosed) idle.push(start());
    },
    load: () => ({ processing: children.size - idle.length, waiting: waiting.length }),
    async close() {
      isClosed = true;
      for (const task of waiting.splice(0)) task.reject(unavailable(WITHDRAWN));
      await Promise.all([...children].map((child) => child.kill()));
    },
  };
}

const BUSY = 'Too many photos are being processed; try again in a moment.';
const WITHDRAWN = 'The client of this photo has disconnected, or the service is stopping.';
const LOST = 'Processing the photo did not come to an end; send it smaller, or another one.';

function unavailable(detail: string): ProblemError {
  return new ProblemError('unavailable', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}
