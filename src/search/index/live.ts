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
  /** Resolves when there is an index, with its size; the first call builds it. Throws what building throws. */
  built(): Promise<{ size: number }>;
  /** Calls a function of the index that is in place. */
  call: Thread<IndexCalls>['call'];
  /** Builds it anew, and resolves when that one is in place. */
  refresh(): Promise<void>;
  /** Looks for cards whose first sale is newer than the index. */
  noteSales(): Promise<void>;
  /** Catalog ids of what has sold since the index was built. */
  soldSince(): ReadonlySet<string>;
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
  await db.listen('sales', () => liveIndex.noteSales().then(cache.clear, () => {}));
}

/** Calls a function of the index for a request: 503 while the first is being built, or when it cannot be. */
export async function callIndex<Name extends keyof IndexCalls>(
  { liveIndex }: Pick<SearchContext, 'liveIndex'>,
  name: Name,
  ...args: Parameters<IndexCalls[Name]>
): Promise<Awaited<ReturnType<IndexCalls[Name]>>> {
  const built = await within(liveIndex.patienceMs, liveIndex.built()).catch(() => {
    throw unavailable('The catalog cannot be read just now; try again shortly.', 5);
  });
  if (built === null) throw unavailable('The search is being prepared; try again shortly.', 5);
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
  type Built = { thread: Thread<IndexCalls>; size: number; lastSaleId: number };
  let current: Built | undefined;
  let inBuild: Thread<IndexCalls> | undefined;
  let building: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;
  let soldSince: ReadonlySet<string> = new Set();

  async function noteSales(): Promise<void> {
    if (current === undefined) return;
    const since = current.lastSaleId;
    const rows = await db.query<{ id: string }>('select distinct item_id as id from sales where id > $1', [since]);
    if (current.lastSaleId === since) soldSince = new Set(rows.map(({ id }) => id));
  }

  async function buildOne(): Promise<void> {
    const thread = openThread<IndexCalls>('search/index/index-thread', compiled);
    inBuild = thread;
    try {
      const last = current?.thread;
      current = { thread, ...(await thread.call('build', db.connection, synonymsFile)) };
      void last?.close({ drain: true });
    } catch (error) {
      await thread.close();
      throw error;
    }
    await noteSales();
  }

  async function build(): Promise<void> {
    const began = performance.now();
    do {
      if (isClosed) throw new Error('the search index is closed');
      isStale = false;
      await buildOne();
    } while (isStale);
    log.info({ items: current!.size, ms: Math.round(performance.now() - began) }, 'search index built');
  }

  /** One build at a time; a change meanwhile makes another round of it. */
  function refresh(): Promise<void> {
    isStale = building !== undefined;
    building ??= build()
      .catch((error: unknown) => {
        if (!isClosed) log.error(error, 'the search index cannot be built');
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
    noteSales,
    soldSince: () => soldSince,
    async built() {
      if (current?.thread.isAlive() !== true) await (building ?? refresh());
      return current!;
    },
    call: (name, ...args) => current!.thread.call(name, ...args),
    async close() {
      isClosed = true;
      await Promise.all([current?.thread.close(), inBuild?.close()]);
    },
  };
}
