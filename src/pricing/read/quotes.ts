import type { Db, Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type DailyPoint, lineOf } from '../model/daily-line.ts';
import { inVersion, pastVersions, versionOf } from '../store/past-versions.ts';
import { seriesOfItems } from './price-series.ts';
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

/** A point of the line, and the version of the model that published it. */
export type PublishedPoint = DailyPoint & { version: string };

/**
 * The daily line of a series: one point for each day from `fromDay` to `toDay` that is closed; nulls where it had no
 * price. Empty for a series that no close has priced. A day stays as the version of its time published it.
 */
export async function dailyLine(
  db: PricedSql & Pick<Db, 'session'>,
  itemId: string,
  gradeKey: string,
  fromDay: number,
  toDay: number,
): Promise<PublishedPoint[]> {
  const points: PublishedPoint[] = [];
  let from = fromDay;
  for (const { version, untilDay } of await pastVersions(db)) {
    const to = Math.min(toDay, untilDay);
    if (from > to) continue;
    const read = (past: PricedSql) => versionLine(past, itemId, gradeKey, from, to);
    const line = await db.session((session) => inVersion({ ...session, prices: db.prices }, version, read));
    points.push(...line.map((point) => ({ ...point, version })));
    from = to + 1;
  }
  const line = await versionLine(db, itemId, gradeKey, from, toDay);
  const version = await versionOf(db);
  return [...points, ...line.map((point) => ({ ...point, version }))];
}

async function versionLine(
  sql: PricedSql,
  itemId: string,
  gradeKey: string,
  fromDay: number,
  toDay: number,
): Promise<DailyPoint[]> {
  const all = await seriesOfItems(sql, [itemId], { fromDay });
  const series = all.find((one) => one.gradeKey === gradeKey);
  if (!series?.world || series.day === null) return [];
  return lineOf(series.snapshots, fromDay, Math.min(toDay, series.day), series.world);
}
