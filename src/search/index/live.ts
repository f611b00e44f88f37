import type { Logger } from 'pino';
import type { Db } from '../../db/client.ts';
import { builtWithin } from '../../http/within.ts';
import { type LiveThread, openLiveThread, openThread } from '../../threads.ts';
import type { SearchContext } from '../context.ts';
import type { IndexCalls } from './index-thread.ts';

/** The index of a database, in a thread of its own, kept up to date. */
export type LiveIndex = LiveThread<IndexCalls> & {
  /** How long a request waits for the first index before it gets 503. */
  patienceMs: number;
};

/** After a change, how long to wait for more of them: an import notifies several times. */
const SETTLE_MS = 1000;
/** How long after a build that failed, as while PostgreSQL starts, the next one begins. */
const RETRY_MS = 5000;
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
  const rebuildIn = (ms: number) => {
    clearTimeout(due);
    due = setTimeout(() => void liveIndex.refresh().then(cache.clear, () => rebuildIn(RETRY_MS)), ms).unref();
  };
  for (const channel of ['catalog', 'prices']) await db.listen(channel, () => rebuildIn(SETTLE_MS));
}

/** Calls a function of the index for a request: 503 while the first is being built, or when it cannot be. */
export async function callIndex<Name extends keyof IndexCalls>(
  { liveIndex }: Pick<SearchContext, 'liveIndex'>,
  name: Name,
  ...args: Parameters<IndexCalls[Name]>
): Promise<Awaited<ReturnType<IndexCalls[Name]>>> {
  await builtWithin(liveIndex.patienceMs, liveIndex, 'The search is being prepared; try again shortly.');
  return liveIndex.call(name, ...args);
}

type LiveOptions = {
  db: Db;
  log: Logger;
  synonymsFile: string | null;
  /** See `openThread`. */
  compiled?: URL;
};

/** Opens the index of a database. */
export function openLiveIndex({ db, log, synonymsFile, compiled }: LiveOptions): LiveIndex {
  const live = openLiveThread<IndexCalls>(
    'search index',
    log,
    () => openThread('search/index/index-thread', compiled),
    (thread) => thread.call('build', db.connection, synonymsFile),
  );
  return Object.assign(live, { patienceMs: PATIENCE_MS });
}
