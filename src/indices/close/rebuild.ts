import type { Db, Session, Sql } from '../../db/client.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import { closedDay } from '../../pricing/read/quotes.ts';
import { pastVersions } from '../../pricing/store/past-versions.ts';
import { type IndexDefinition, keepDefinition } from '../definitions.ts';
import type { Basket, Removal } from '../method/walk.ts';
import { type ChainRotation, type IndexStretch, type LevelOfDay, stretchesOf } from './chain.ts';
import { closeIndex, type IndexProgress, oneAtATime } from './close.ts';
import { basketAfter, publishedLevels, publishedRemovals, publishedRotations, publishedSpan } from './store.ts';

/** What a day published, and what it should have; null where there is nothing. */
type Difference = { day: number; what: string; published: unknown; recomputed: unknown };

export type RebuildReport = {
  /** Levels compared, or published for the first time. */
  levels: number;
  firstPublished: boolean;
  differences: Difference[];
};

type RebuildOptions = {
  /** Compares from this day on; everything that was published unless given. */
  fromDay?: number;
  /** Where the prices and the sales are read; here unless given. */
  source?: Db;
  onProgress?: (progress: IndexProgress) => void;
};

/**
 * Computes an index again from the stored price states and compares every level, divisor, basket and removal with what was
 * published, bit for bit. Publishes the history when there is none yet, and else writes nothing. `fromDay` goes on from the
 * basket that was published before it, so a year is not computed to check a week. Days that an earlier version of the price
 * model published are not computed again.
 */
export async function rebuildIndex(db: Db, index: IndexDefinition, options: RebuildOptions): Promise<RebuildReport> {
  const { fromDay, source, onProgress } = options;
  return await oneAtATime(db, async (session) => {
    await keepDefinition(session, index);
    const { firstDay, lastDay } = await publishedSpan(session, index.slug);
    if (firstDay === null || lastDay === null) {
      const through = await closedDay(session);
      const levels = through === null ? 0 : await closeIndex(db, session, index, through, onProgress);
      return { levels, firstPublished: true, differences: [] };
    }
    const lastPast = (await pastVersions(session)).at(-1)?.untilDay ?? Number.NEGATIVE_INFINITY;
    const wanted = Math.max(fromDay ?? firstDay, lastPast + 1);
    const basket = wanted === firstDay ? null : await basketAfter(session, index.slug, wanted - 1);
    const span = { basket, fromDay: basket === null ? firstDay : basket.rotationDay + 1, lastDay };
    const compare = (from: Db, reading: Sql) =>
      compareSpan(session, from, { ...reading, prices: {} }, index, span, onProgress);
    return source === undefined
      ? await compare(db, session)
      : await source.session((reading) => compare(source, reading));
  });
}

async function compareSpan(
  session: Session,
  source: Db,
  reading: PricedSql,
  index: IndexDefinition,
  { basket, fromDay, lastDay }: { basket: Basket | null; fromDay: number; lastDay: number },
  onProgress: RebuildOptions['onProgress'],
): Promise<RebuildReport> {
  const { slug } = index;
  const differences: Difference[] = [];
  let levels = 0;
  let from = fromDay;
  for await (const stretch of stretchesOf(source, reading, index, basket, fromDay, lastDay)) {
    const { toDay } = stretch;
    const published: IndexStretch = {
      toDay,
      levels: await publishedLevels(session, slug, from, toDay),
      removals: await publishedRemovals(session, slug, from, toDay),
      rotation: (await publishedRotations(session, slug, from, toDay))[0] ?? null,
    };
    differences.push(...differencesOf(published, stretch));
    levels += stretch.levels.length;
    from = toDay + 1;
    onProgress?.({ slug, day: toDay, days: toDay - fromDay + 1, totalDays: lastDay - fromDay + 1 });
  }
  return { levels, firstPublished: false, differences };
}

function differencesOf(published: IndexStretch, recomputed: IndexStretch): Difference[] {
  const differences: Difference[] = [];
  const compare = (day: number, what: string, one: unknown, other: unknown) => {
    if (!Object.is(one, other)) differences.push({ day, what, published: one ?? null, recomputed: other ?? null });
  };
  const ofDay = (levels: LevelOfDay[]) => new Map(levels.map((one) => [one.day, one]));
  const were = ofDay(published.levels);
  const are = ofDay(recomputed.levels);
  for (const day of new Set([...were.keys(), ...are.keys()])) {
    const was = were.get(day);
    const is = are.get(day);
    compare(day, 'level', was?.level, is?.level);
    compare(day, 'divisor', was?.divisor, is?.divisor);
  }
  compareRemovals(published.removals, recomputed.removals, compare);
  compareRotations(published.rotation, recomputed.rotation, recomputed.toDay, compare);
  return differences;
}

type Compare = (day: number, what: string, published: unknown, recomputed: unknown) => void;

function compareRemovals(published: readonly Removal[], recomputed: readonly Removal[], compare: Compare): void {
  const listed = (removals: readonly Removal[]) =>
    new Map(removals.map((one) => [`${one.day} removal of ${one.itemId}`, one]));
  const were = listed(published);
  const are = listed(recomputed);
  for (const name of new Set([...were.keys(), ...are.keys()])) {
    const [was, is] = [were.get(name), are.get(name)];
    const what = name.slice(name.indexOf(' ') + 1);
    compare((was ?? is)!.day, `${what}: divisor`, was?.divisorAfter, is?.divisorAfter);
    compare((was ?? is)!.day, `${what}: price`, was?.priceUsd, is?.priceUsd);
  }
}

function compareRotations(was: ChainRotation | null, is: ChainRotation | null, day: number, compare: Compare): void {
  if (was === null && is === null) return;
  compare(day, 'rotation: eligible', was?.eligible, is?.eligible);
  compare(day, 'rotation: level', was?.level, is?.level);
  compare(day, 'rotation: divisor before', was?.divisorBefore, is?.divisorBefore);
  compare(day, 'rotation: divisor after', was?.divisorAfter, is?.divisorAfter);
  const lines = (rotation: ChainRotation | null) =>
    rotation?.basket?.members.map((one) =>
      [one.rank, one.itemId, one.gradeKey, one.weight, one.priceUsd, one.turnover90UsdCents].join(' '),
    ) ?? [];
  const before = lines(was);
  const after = lines(is);
  const missing = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  for (let i = 0; i < Math.max(missing.length, added.length); i++) compare(day, 'member', missing[i], added[i]);
}
