import type { Logger } from 'pino';
import type { Db } from '../../db/client.ts';
import { unavailable } from '../../http/problem.ts';
import { within } from '../../http/within.ts';
import { openThread, type Thread } from '../../threads.ts';
import type { SearchContext } from '../context.ts';
import type { IndexCalls } from './index-thread.ts';

/** The index of a database, in a thread of its own, kept up to date. */
export type LiveIndex = {
  /** How long a request waits for the first index before it gets 503. */
  patienceMs: number;
  /** Resolves when there is an index; the first call builds it. Throws what building throws. */
  built(): Promise<void>;
  /** Calls a function of the index that is in place. */
  call: Thread<IndexCalls>['call'];
  /** Builds it anew, and resolves when that one is in place. */
  refresh(): Promise<void>;
  /** Ends the thread and a running build, whose callers get an error, and starts no other. */
  close(): Promise<void>;
};

/** After a change, how long to wait for more of them: an import notifies several times. */
const SETTLE_MS = 1000;
const PATIENCE_MS = 3000;

/**
 * Builds the index anew whenever the catalog, its tags or the prices change, in whichever process that happens. What was
 * answered meanwhile from the old one is forgotten.
 */
export async function watchIndex({
  db,
  cache,
  liveIndex,
}: Pick<SearchContext, 'db' | 'cache' | 'liveIndex'>): Promise<void> {
  let due: NodeJS.Timeout | undefined;
  const rebuild = () => liveIndex.refresh().then(cache.clear, () => {});
  const onChange = () => {
    clearTimeout(due);
    due = setTimeout(rebuild, SETTLE_MS).unref();
  };
  for (const channel of ['catalog', 'prices']) await db.listen(channel, onChange);
}

/** Calls a function of the index for a request: 503 while the first is being built, or when it cannot be. */
export async function callIndex<Name extends keyof IndexCalls>(
  { liveIndex }: Pick<SearchContext, 'liveIndex'>,
  name: Name,
  ...args: Parameters<IndexCalls[Name]>
): Promise<Awaited<ReturnType<IndexCalls[Name]>>> {
  const isBuilt = await within(
    liveIndex.patienceMs,
    liveIndex.built().then(() => true),
  ).catch(() => {
    throw unavailable('The catalog cannot be read just now; try again shortly.', 5);
  });
  if (isBuilt === null) throw unavailable('The search is being prepared; try again shortly.', 5);
  return liveIndex.call(name, ...args);
}

type LiveOptions = {
  db: Db;
  log: Logger;
  synonymsFile: string | null;
  /** See `openThread`. */
  compiled?: URL;
};

/** Opens the index of a database; nothing is built, and no thread runs, before the first call. */
export function openLiveIndex({ db, log, synonymsFile, compiled }: LiveOptions): LiveIndex {
  let current: Thread<IndexCalls> | undefined;
  let next: Thread<IndexCalls> | undefined;
  let building: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;

  async function build(): Promise<void> {
    do {
      if (isClosed) throw new Error('the search index is closed');
      isStale = false;
      next = undefined;
      const began = performance.now();
      next = openThread<IndexCalls>('search/index/index-thread', compiled);
      const items = await next.call('build', db.connection, synonymsFile);
      void current?.close({ drain: true });
      current = next;
      log.info({ items, ms: Math.round(performance.now() - began) }, 'search index built');
    } while (isStale);
  }

  /** One build at a time; a change meanwhile makes another round of it. */
  function refresh(): Promise<void> {
    isStale = building !== undefined;
    building ??= build()
      .catch((error: unknown) => {
        if (!isClosed) log.error(error, 'the search index cannot be built');
        void next?.close();
        throw error;
      })
      .finally(() => {
        building = undefined;
      });
    return building;
  }

  return {
    patienceMs: PATIENCE_MS,
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
