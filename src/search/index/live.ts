import type { Logger } from 'pino';
import type { Db } from '../../db/client.ts';
import { ProblemError, unavailable } from '../../http/problem.ts';
import { within } from '../../http/within.ts';
import type { SearchContext } from '../context.ts';
import { loadIndex } from './load-index.ts';
import type { SearchIndex } from './search-index.ts';

/** The index of a database, kept up to date. */
export type LiveIndex = {
  /** How long a request waits for the first index before it is asked to retry. */
  patienceMs: number;
  /** The index as it stands; the first call builds it. Throws what building throws. */
  current(): Promise<SearchIndex>;
  /** Builds it anew, and resolves when that one is in place. */
  refresh(): Promise<void>;
  /** Looks for cards whose first sale is newer than the index. */
  noteSales(): Promise<void>;
  /** Catalog ids of what has sold since the index was built. */
  soldSince(): ReadonlySet<string>;
  /** Stops a running build, whose callers get an error, and starts no other. */
  close(): void;
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

/** The index for a request: 503 while the first is being built, or when it cannot be. */
export async function indexFor({ liveIndex }: Pick<SearchContext, 'liveIndex'>): Promise<SearchIndex> {
  try {
    const index = await within(liveIndex.patienceMs, liveIndex.current());
    if (index !== null) return index;
    throw unavailable('The search is being prepared; try again shortly.', 5);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw unavailable('The catalog cannot be read just now; try again shortly.', 5);
  }
}

/** Opens the index of a database; nothing is built before it is asked for. */
export function openLiveIndex(db: Db, log: Logger, synonymsFile: string | null): LiveIndex {
  let built: SearchIndex | undefined;
  let building: Promise<void> | undefined;
  let isStale = false;
  let soldSince: ReadonlySet<string> = new Set();
  const closing = new AbortController();

  async function noteSales(): Promise<void> {
    if (built === undefined) return;
    const since = built.lastSaleId;
    const rows = await db.query<{ id: string }>('select distinct item_id as id from sales where id > $1', [since]);
    if (built.lastSaleId === since) soldSince = new Set(rows.map(({ id }) => id));
  }

  async function build(): Promise<void> {
    const began = performance.now();
    do {
      closing.signal.throwIfAborted();
      isStale = false;
      built = await loadIndex(db, synonymsFile, closing.signal);
      await noteSales();
    } while (isStale);
    log.info({ items: built.size, ms: Math.round(performance.now() - began) }, 'search index built');
  }

  /** One build at a time; a change meanwhile makes another round of it. */
  function refresh(): Promise<void> {
    isStale = building !== undefined;
    building ??= build()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.error(error, 'the search index cannot be built');
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
    close: () => closing.abort(),
    async current() {
      if (built === undefined) await (building ?? refresh());
      return built!;
    },
  };
}
