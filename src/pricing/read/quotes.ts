import type { Db, Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type DailyPoint, lineOf } from '../model/daily-line.ts';
import { inVersion, type PastVersion, versionsOf } from '../store/past-versions.ts';
import { type Series, seriesOfItems } from './price-series.ts';
import type { PricedSql } from './published.ts';
import { quoteOf, type SeriesQuote } from './series-quote.ts';

export type { SeriesQuote };

/** The last closed day, or null before the first close. */
export async function closedDay(sql: Sql): Promise<number | null> {
  const [row] = await sql.prepared<{ day: number }>('pricing_closed_day', 'select closed_day as day from model_state');
  return row?.day ?? null;
}

/**
 * Quotes of every tracked series (one with a sale that was not rejected, or a registered cert) of the items, by item;
 * items without one are absent. One round trip; the first call after a close also loads the markets.
 */
export async function quotesOf(sql: PricedSql, itemIds: readonly string[]): Promise<Map<string, SeriesQuote[]>> {
  const series = itemIds.length === 0 ? [] : await seriesOfItems(sql, itemIds, { provisional: true });
  return groupBy(series.map(quoteOf), ({ itemId }) => itemId);
}

/** The same quotes as the close of a day published them, without what became known later. The day is closed. */
export async function quotesAsOf(
  db: PricedDb,
  itemIds: readonly string[],
  day: number,
): Promise<Map<string, SeriesQuote[]>> {
  const series = itemIds.length === 0 ? [] : await seriesAsOf(db, itemIds, day);
  return groupBy(series.map(quoteOf), ({ itemId }) => itemId);
}

/** The tracked series of items as the close of a day left them. */
export async function seriesAsOf(db: PricedDb, itemIds: readonly string[], day: number): Promise<Series[]> {
  const versions = await versionsOf(db);
  const ofDay = versions.find(({ untilDay }) => day <= untilDay)!;
  return await onVersion(db, ofDay, (sql) => seriesOfItems(sql, itemIds, { asOf: day }));
}

/** Prices with the connections that those of an earlier version are read by. */
export type PricedDb = PricedSql & Pick<Db, 'session'>;

async function onVersion<T>(
  db: PricedDb,
  { version, untilDay }: PastVersion,
  work: (sql: PricedSql) => Promise<T>,
): Promise<T> {
  return untilDay === Number.POSITIVE_INFINITY
    ? await work(db)
    : await db.session((session) => inVersion({ ...session, prices: db.prices }, version, work));
}

/** A point of the line, and the version of the model that published it. */
export type PublishedPoint = DailyPoint & { version: string };

/**
 * The daily line of a series: one point for each day from `fromDay` to `toDay` that is closed; nulls where it had no
 * price. Empty for a series that no close has priced. A day stays as the version of its time published it. `asOf`: as the
 * close of that day published it.
 */
export async function dailyLine(
  db: PricedDb,
  itemId: string,
  gradeKey: string,
  fromDay: number,
  toDay: number,
  asOf: number | null = null,
): Promise<PublishedPoint[]> {
  const points: PublishedPoint[] = [];
  let from = fromDay;
  for (const ofDays of await versionsOf(db)) {
    const { version, untilDay } = ofDays;
    const isLast = untilDay >= (asOf ?? Number.POSITIVE_INFINITY);
    const to = Math.min(toDay, untilDay);
    if (from <= to || isLast) {
      const read = (sql: PricedSql) => versionLine(sql, itemId, gradeKey, from, to, isLast ? asOf : null);
      points.push(...(await onVersion(db, ofDays, read)).map((point) => ({ ...point, version })));
      from = to + 1;
    }
    if (isLast) break;
  }
  return points;
}

async function versionLine(
  sql: PricedSql,
  itemId: string,
  gradeKey: string,
  fromDay: number,
  toDay: number,
  asOf: number | null,
): Promise<DailyPoint[]> {
  const all = await seriesOfItems(sql, [itemId], { fromDay, asOf });
  const series = all.find((one) => one.gradeKey === gradeKey);
  if (!series?.world || series.day === null) return [];
  return lineOf(series.snapshots, fromDay, Math.min(toDay, series.day), series.world);
}
