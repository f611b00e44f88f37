import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { ProblemError } from '../../http/problem.ts';
import { errorOf, type FromWorker, failureOf, ownMemory, send, type ToWorker } from './messages.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a task asks is typed where the task is given its asker
type Answers = Record<string, (...args: any[]) => unknown>;

export type RunOptions = {
  /** Aborted: the task is not begun any more, and nobody waits for it. */
  signal?: AbortSignal;
  /** From when the task begins, which may be later than now. */
  timeoutMs?: number;
  /** What the task may ask of this thread while it runs, by name: functions of cloneable values. */
  answers?: Answers;
  /** Moves bytes and pixels of the input instead of copying them: the caller has none afterwards. */
  move?: boolean;
};

/** Threads that look at photos, so that requests are answered meanwhile. */
export type VisionPool = {
  /**
   * Runs a task in a worker, in the order of calls. Throws what the task throws (UnusableImage as such), and `unavailable`
   * problems: the queue is full, the task takes too long, its worker died, the signal aborted, the pool is closed.
   */
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>, options?: RunOptions): Promise<TaskOutput<Name>>;
  /** Ends the workers; what waits or runs is refused. */
  close(): Promise<void>;
};

export type VisionPoolOptions = {
  /** Threads at most; each is started when there is work and no other is free. */
  workers: number;
  /** Tasks that may wait; one more is refused. */
  queue: number;
  /** How long a task may wait before it is refused. */
  waitMs?: number;
  log: Logger;
};

const TIMEOUT_MS = 15_000;
/** For a thread to load its code, on a machine that has much else to do. */
const START_MS = 60_000;
/** Proxies give up on an answer after a minute or so: two queues of hard photos would take longer. */
const MAX_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;
/** Of JavaScript alone; OpenCV's memory is bounded by what photos are made small to. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './from-source.mjs' : './worker.js', import.meta.url);

type Task = {
  name: TaskName;
  input: unknown;
  options: RunOptions;
  resolve(output: unknown): void;
  reject(error: Error): void;
  /** Until it is begun. */
  patience?: NodeJS.Timeout;
};

type Thread = { worker: Worker; isReady: boolean; task: Task | null; timer?: NodeJS.Timeout };

export function openVisionPool(
  { workers, queue, waitMs = MAX_WAIT_MS, log }: VisionPoolOptions,
  entry = ENTRY,
): VisionPool {
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let isClosed = false;

  function startThread(): Thread {
    const worker = new Worker(entry, { resourceLimits: RESOURCE_LIMITS, name: 'vision' });
    const thread: Thread = { worker, isReady: false, task: null };
    threads.add(thread);
    worker.on('message', (message: FromWorker) => hear(thread, message));
    worker.on('error', (error) => lose(thread, error));
    worker.on('exit', () => lose(thread, new Error('it ended by itself')));
    return thread;
  }

  function hear(thread: Thread, message: FromWorker): void {
    const { task } = thread;
    if (message.kind === 'ready') thread.isReady = true;
    if (task === null) return;
    if (message.kind === 'ready') {
      limitTime(thread, task);
      return;
    }
    if (message.kind === 'ask') {
      void answer(thread, task, message);
      return;
    }
    clearTimeout(thread.timer);
    thread.task = null;
    if (message.kind === 'done') task.resolve(message.output);
    else task.reject(errorOf(message.failure));
    // A thread that waits keeps no process alive.
    thread.worker.unref();
    next();
  }

  async function answer(thread: Thread, task: Task, ask: Extract<FromWorker, { kind: 'ask' }>): Promise<void> {
    const { id, method, args } = ask;
    let message: ToWorker;
    try {
      message = { kind: 'answer', id, value: await task.options.answers![method]!(...args) };
    } catch (error) {
      message = { kind: 'refusal', id, failure: failureOf(error) };
    }
    if (thread.task === task) send(thread.worker, message, []);
  }

  /** Takes a thread that died, or is about to, out of the pool; the next task starts another. */
  function lose(thread: Thread, reason: Error): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    if (thread.task !== null) {
      if (!isClosed) log.error({ err: reason, task: thread.task.name }, 'vision worker lost');
      thread.task.reject(unavailable('Looking at the photo did not come to an end; send it smaller, or another one.'));
    }
    next();
  }

  function next(): void {
    while (waiting.length > 0 && !isClosed) {
      const free = [...threads].find(({ task }) => task === null) ?? (threads.size < workers ? startThread() : null);
      if (free === null) return;
      begin(free, waiting.shift()!);
    }
  }

  function begin(thread: Thread, task: Task): void {
    const { name, input, options } = task;
    clearTimeout(task.patience);
    thread.task = task;
    thread.worker.ref();
    limitTime(thread, task);
    const message: ToWorker = { kind: 'run', name, input };
    send(thread.worker, message, options.move ? ownMemory(input) : []);
  }

  function limitTime(thread: Thread, { options: { timeoutMs = TIMEOUT_MS } }: Task): void {
    const ms = thread.isReady ? timeoutMs : START_MS;
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => lose(thread, new Error(`over ${ms} ms`)), ms);
  }

  function run(name: TaskName, input: unknown, options: RunOptions): Promise<unknown> {
    const { signal } = options;
    if (isClosed || signal?.aborted) return Promise.reject(unavailable(GONE));
    const isBusy = threads.size >= workers && [...threads].every(({ task }) => task !== null);
    if (isBusy && waiting.length >= queue) return Promise.reject(unavailable(BUSY));
    return new Promise((resolve, reject) => {
      const leave = (why: string) => {
        const at = waiting.indexOf(task);
        if (at >= 0) waiting.splice(at, 1);
        task.reject(unavailable(why));
      };
      const isGone = () => leave(GONE);
      const done = () => {
        clearTimeout(task.patience);
        signal?.removeEventListener('abort', isGone);
      };
      const task: Task = {
        name,
        input,
        options,
        resolve: (output) => {
          done();
          resolve(output);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      signal?.addEventListener('abort', isGone, { once: true });
      task.patience = setTimeout(() => leave(BUSY), waitMs);
      waiting.push(task);
      next();
    });
  }

  return {
    run: (name, input, options = {}) => run(name, input, options) as Promise<TaskOutput<typeof name>>,
    async close() {
      isClosed = true;
      for (const task of waiting.splice(0)) task.reject(unavailable(GONE));
      const ended = [...threads].map(({ worker }) => worker);
      for (const thread of [...threads]) lose(thread, new Error('closed'));
      await Promise.all(ended.map((worker) => worker.terminate()));
    },
  };
}

const BUSY = 'Too many photos are being looked at; try again in a moment.';
const GONE = 'Nobody waits for this photo any more, or the service is stopping.';

function unavailable(detail: string): ProblemError {
  return new ProblemError('unavailable', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}
