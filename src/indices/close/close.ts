import type { Db, Session } from '../../db/client.ts';
import { withLock } from '../../db/locks.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import { closedDay } from '../../pricing/read/quotes.ts';
import { GAME_INDICES, type IndexDefinition, keepDefinition, lacksSet } from '../definitions.ts';
import { isRotationDay } from '../method/basket.ts';
import { stretchesOf } from './chain.ts';
import { basketAfter, publish, publishedSpan, restateTurnover } from './store.ts';

/** Days of one index: how many of `totalDays` are done. */
export type IndexProgress = { slug: string; day: number; days: number; totalDays: number };

type CloseIndicesOptions = {
  /** The last day to close; days whose prices are not closed wait. */
  through: number;
  /** Besides the games' own. */
  subIndices?: readonly IndexDefinition[];
  onProgress?: (progress: IndexProgress) => void;
};

/**
 * Closes every index for each day since its last one, in order, after the prices of that day: once, however many processes
 * try. A month is one transaction, and the days' turnover another; killed anywhere, the next run goes on with the same result.
 * An index of a set that the catalog does not have waits for it, and is not shown. Returns the number of levels published.
 * Throws InvalidIndices for a sub-index that was defined otherwise before.
 */
export async function closeIndices(db: Db, options: CloseIndicesOptions): Promise<{ levels: number }> {
  const { subIndices = [], onProgress } = options;
  return await oneAtATime(db, async (session) => {
    const closed = await closedDay(session);
    const through = Math.min(options.through, closed ?? Number.NEGATIVE_INFINITY);
    let levels = 0;
    // The games' own come first: a sub-index that cannot be used stops none of them.
    for (const index of [...GAME_INDICES, ...subIndices]) {
      if (await lacksSet(session, index)) {
        // It would compute for ever; one that has levels goes on with them.
        await session.query('delete from indices where slug = $1 and base_day is null', [index.slug]);
        continue;
      }
      await keepDefinition(session, index);
      levels += await closeIndex(db, session, index, through, onProgress);
    }
    return { levels };
  });
}

/** Closes one index through a closed day. Only within `oneAtATime`. */
export async function closeIndex(
  db: Db,
  session: Session & PricedSql,
  index: IndexDefinition,
  through: number,
  onProgress?: (progress: IndexProgress) => void,
): Promise<number> {
  const { slug } = index;
  const { lastDay } = await publishedSpan(session, slug);
  const fromDay = lastDay === null ? await firstRotationDay(session, index) : lastDay + 1;
  if (fromDay === null) return 0;
  let levels = 0;
  if (fromDay <= through) {
    await assignWithdrawals(session);
    const basket = lastDay === null ? null : await basketAfter(session, slug, lastDay);
    for await (const stretch of stretchesOf(db, session, index, basket, fromDay, through)) {
      await publish(session, slug, stretch);
      levels += stretch.levels.length;
      const { toDay } = stretch;
      onProgress?.({ slug, day: toDay, days: toDay - fromDay + 1, totalDays: through - fromDay + 1 });
    }
  }
  // Without new levels too: a close may have been killed after it published them.
  await restateTurnover(session, slug, through);
  return levels;
}

/**
 * Assigns new withdrawals of items from the catalog, and returns to it, to the next close: the day after the last one that
 * any index published. The day is stored with them, so that a rebuild leaves an item out from the same day on. No published
 * day changes by them.
 */
async function assignWithdrawals(session: Session): Promise<void> {
  await session.query(
    `update item_withdrawals set close_day = coalesce(
       1 + greatest((select max(day) from index_levels), (select max(day) from index_rotations)), 0)
     where close_day is null`,
  );
}

/** The first rotation day since the game's first close; null while it has none. */
async function firstRotationDay(session: Session, { game }: IndexDefinition): Promise<number | null> {
  const [row] = await session.query<{ day: number | null }>('select min(day) as day from market_days where game = $1', [
    game,
  ]);
  let day = row?.day ?? null;
  while (day !== null && !isRotationDay(day)) day++;
  return day;
}

/** Runs work that publishes levels or compares them, on one connection; other processes wait until it ends. */
export async function oneAtATime<T>(db: Db, work: (session: Session & PricedSql) => Promise<T>): Promise<T> {
  return await db.session((session) => withLock(session, 'indices', () => work({ ...session, prices: {} })));
}
