import type { Db, Session } from '../../db/client.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import type { Basket } from '../method/walk.ts';
import { differ } from './audit.ts';
import { type LevelOfDay, walkBasket } from './chain.ts';
import { oneAtATime } from './close.ts';
import { publishedLevels, publishedRotations, publishedSpan } from './store.ts';

/** Closed days whose levels can still be restated, the last one included. */
export const CORRECTED_DAYS = 5;
/** A level is restated when it is off by more than this part of the right one. */
const CORRECTED_ERROR = 0.005;

export type RestatedLevel = { day: number; oldLevel: number; newLevel: number };

/**
 * A level that stays as published, although another follows today. `chained`: a rotation or a removal of a member, which
 * never change, took the divisor over from it, or its own divisor from another such level.
 */
export type LeftLevel = RestatedLevel & { because: 'older' | 'smaller' | 'chained' };

type CorrectionReport = {
  /** Levels recomputed; none while the index is computing. */
  levels: number;
  corrected: RestatedLevel[];
  left: LeftLevel[];
};

/**
 * Restates the levels of the last five closed days that are off by more than 0.5%, each with its row in the public log, in one
 * transaction (docs/methodology/index.md, section 8). What is right follows from the stored price states by the baskets and the
 * divisors that were published: they stay. So no other day changes: a day is walked from its basket's rotation, not from
 * the level before it. Whether a basket was the right one is checked by `rebuildIndex`.
 */
export async function correctIndex(
  db: Db,
  slug: string,
  reason: string,
  onDay?: (day: number, days: number, totalDays: number) => void,
): Promise<CorrectionReport> {
  return await oneAtATime(db, async (session) => {
    const report: CorrectionReport = { levels: 0, corrected: [], left: [] };
    const { firstDay, lastDay } = await publishedSpan(session, slug);
    if (firstDay === null || lastDay === null) return report;
    for await (const { day, published, recomputed, isChained } of recomputedDays(session, slug, firstDay, lastDay)) {
      report.levels++;
      onDay?.(day, day - firstDay + 1, lastDay - firstDay + 1);
      if (published === recomputed) continue;
      const restated = { day, oldLevel: published, newLevel: recomputed };
      if (day <= lastDay - CORRECTED_DAYS) report.left.push({ ...restated, because: 'older' });
      else if (Math.abs(published / recomputed - 1) <= CORRECTED_ERROR)
        report.left.push({ ...restated, because: 'smaller' });
      else if (isChained) report.left.push({ ...restated, because: 'chained' });
      else report.corrected.push(restated);
    }
    if (report.corrected.length > 0) await publishCorrections(session, slug, report.corrected, reason);
    return report;
  });
}

type RecomputedDay = { day: number; published: number; recomputed: number; isChained: boolean };

/** Every published level with the one that follows now, by day. */
async function* recomputedDays(
  session: PricedSql,
  slug: string,
  firstDay: number,
  lastDay: number,
): AsyncGenerator<RecomputedDay> {
  const rotations = await publishedRotations(session, slug, firstDay, lastDay);
  const levels = await publishedLevels(session, slug, firstDay, lastDay);
  const levelOn = new Map(levels.map((one) => [one.day, one]));
  const rotationLevelOn = new Map(rotations.map(({ day, level }) => [day, level]));
  const baskets = rotations.flatMap(({ basket }) => basket ?? []);
  for (const [i, basket] of baskets.entries()) {
    const days = await daysOf(session, basket, i === 0, baskets[i + 1]?.rotationDay ?? lastDay);
    for (const [place, { day, level, divisor }] of days.entries()) {
      const published = levelOn.get(day);
      // A missing row is not an error of a level: the audit and the rebuild report it.
      if (published === undefined) continue;
      const next = days[place + 1];
      const isChained =
        differ(published.divisor, divisor) ||
        (next !== undefined && differ(levelOn.get(next.day)?.divisor ?? next.divisor, next.divisor)) ||
        (rotationLevelOn.get(day) ?? level) !== level;
      yield { day, published: published.level, recomputed: level, isChained };
    }
  }
}

type Computed = Pick<LevelOfDay, 'day' | 'level' | 'divisor'>;

/** The days whose levels are of a basket; the first basket is of its own rotation's day too. */
async function daysOf(session: PricedSql, basket: Basket, isFirst: boolean, toDay: number): Promise<Computed[]> {
  const walked = await walkBasket(session, basket, toDay);
  const { rotationDay: day, level, divisor } = basket;
  return isFirst ? [{ day, level, divisor }, ...walked] : walked;
}

/** Logs each correction, then makes it (the database rejects an unlogged change), and notifies `prices`. */
async function publishCorrections(
  session: Session,
  slug: string,
  corrected: readonly RestatedLevel[],
  reason: string,
): Promise<void> {
  await session.query('begin');
  for (const { day, oldLevel, newLevel } of corrected) {
    await session.query(
      'insert into index_corrections (slug, day, old_level, new_level, reason) values ($1, $2, $3, $4, $5)',
      [slug, day, oldLevel, newLevel, reason],
    );
    await session.query('update index_levels set level = $3 where slug = $1 and day = $2', [slug, day, newLevel]);
  }
  await session.query(`select pg_notify('prices', $1)`, [String(corrected.at(-1)!.day)]);
  await session.query('commit');
}
