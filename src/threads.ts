import { basename } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';

/** Functions of cloneable values, by name. */
type Calls = Record<string, (...args: never[]) => unknown>;

/** A worker thread and the functions that it serves. */
export type Thread<C extends Calls> = {
  /** Calls a function in the thread; calls begin in their order. Rejects with what it threw, or once the thread has failed. */
  call<Name extends keyof C>(name: Name, ...args: Parameters<C[Name]>): Promise<Awaited<ReturnType<C[Name]>>>;
  /** False once the thread has failed: what it held is lost, and another must be opened. */
  isAlive(): boolean;
  /** Ends the thread: at once, or with `drain` after the calls under way. */
  close(options?: { drain: boolean }): Promise<void>;
};

type Call = { id: number; name: string; args: unknown[] };
type Settle = { resolve(value: unknown): void; reject(error: unknown): void };
/** A clone of an error has its message, but not its code. */
type Reply = { id: number } & ({ value: unknown } | { error: unknown; code: unknown });

const HERE = new URL('.', import.meta.url);
const IS_SOURCE = import.meta.url.endsWith('.ts');

/**
 * Starts a thread of a module that calls `serveCalls`, such as `search/index/index-thread`; of the compiled program in the
 * folder `compiled` where that is given, else of the program that runs. Garbage is collected whenever the thread has
 * created `youngMb` of objects; by default far later.
 */
export function openThread<C extends Calls>(module: string, compiled: URL | null = null, youngMb?: number): Thread<C> {
  const fromSource = IS_SOURCE && compiled === null;
  const entry = new URL(`${module}.${fromSource ? 'ts' : 'js'}`, compiled ?? HERE);
  const name = basename(module);
  const thread = new Worker(fromSource ? new URL('./thread-from-source.mjs', import.meta.url) : entry, {
    name,
    workerData: entry.href,
    resourceLimits: { maxYoungGenerationSizeMb: youngMb },
  });
  // Only a call under way keeps the process alive.
  thread.unref();
  const waiting = new Map<number, Settle & { result: Promise<unknown> }>();
  let calls = 0;
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  }
  thread.on('message', (reply: Reply) => {
    const call = waiting.get(reply.id)!;
    waiting.delete(reply.id);
    if (waiting.size === 0) thread.unref();
    if ('error' in reply) call.reject(Object.assign(reply.error as Error, { code: reply.code }));
    else call.resolve(reply.value);
  });
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error(`the thread "${name}" has ended`)));

  return {
    async call(called, ...args) {
      if (failure !== null) throw failure;
      const id = calls++;
      // First: it throws for arguments that cannot be cloned, and then no reply comes.
      thread.postMessage({ id, name: called as string, args } satisfies Call);
      let settle!: Settle;
      const result = new Promise<unknown>((resolve, reject) => {
        settle = { resolve, reject };
      });
      waiting.set(id, { ...settle, result });
      thread.ref();
      return (await result) as never;
    },
    isAlive: () => failure === null,
    async close({ drain } = { drain: false }) {
      if (drain) await Promise.allSettled(Array.from(waiting.values(), ({ result }) => result));
      await thread.terminate();
    },
  };
}

/** A thread that holds what was built from the database, replaced by one that is built anew when that has changed. */
export type LiveThread<C extends Calls> = {
  /** Resolves when there is one; the first call builds it. Throws what building throws. */
  built(): Promise<void>;
  /** Calls a function of the one that is in place. */
  call: Thread<C>['call'];
  /** Builds it anew, and resolves when that one is in place. */
  refresh(): Promise<void>;
  /** Ends the thread and a running build, whose callers get an error, and starts no other. */
  close(): Promise<void>;
};

/** Nothing is built, and no thread runs, before the first call. `build` fills a thread and resolves with the number of its items. */
export function openLiveThread<C extends Calls>(
  what: string,
  log: Logger,
  open: () => Thread<C>,
  build: (thread: Thread<C>) => Promise<number>,
): LiveThread<C> {
  let current: Thread<C> | undefined;
  let next: Thread<C> | undefined;
  let building: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;

  async function buildNext(): Promise<void> {
    do {
      if (isClosed) throw new Error(`the ${what} is closed`);
      isStale = false;
      next = undefined;
      const began = performance.now();
      next = open();
      const items = await build(next);
      void current?.close({ drain: true });
      current = next;
      log.info({ items, ms: Math.round(performance.now() - began) }, `${what} built`);
    } while (isStale);
  }

  /** One build at a time; a change meanwhile makes another round of it. */
  function refresh(): Promise<void> {
    isStale = building !== undefined;
    building ??= buildNext()
      .catch((error: unknown) => {
        if (!isClosed) log.error(error, `the ${what} cannot be built`);
        void next?.close();
        throw error;
      })
      .finally(() => {
        building = undefined;
      });
    return building;
  }

  return {
    refresh,
    async built() {
      if (current?.isAlive() !== true) await (building ?? refresh());
    },
    call: (name, ...args) => current!.call(name, ...args),
    async close() {
      isClosed = true;
      await Promise.all([current?.close(), next?.close()]);
    },
  };
}

/** Serves the functions to the thread that opened this one. */
export function serveCalls(calls: Calls): void {
  parentPort!.on('message', async ({ id, name, args }: Call) => {
    let reply: Reply;
    try {
      reply = { id, value: await calls[name]!(...(args as never[])) };
    } catch (error) {
      reply = { id, error: withCauses(error), code: (error as { code?: unknown }).code };
    }
    parentPort!.postMessage(reply);
  });
}

/** An error that says why after it is cloned: a clone of an `AggregateError`, as of a failed connection, has no causes. */
function withCauses(error: unknown): unknown {
  if (!(error instanceof AggregateError) || error.message !== '') return error;
  return new Error(error.errors.map(({ message }: Error) => message).join('; '));
}
