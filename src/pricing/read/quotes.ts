import type { Db, Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import { onDay } from '../store/past-versions.ts';
import { listPricesOf } from './kept-prices.ts';
import { priceRows, type Series, seriesIn, seriesOfItems } from './price-series.ts';
import type { PricedSql } from './published.ts';
import { type PricedSeries, pricedByItem, quoteOf, type SeriesPrice, type SeriesQuote } from './series-quote.ts';

export type { PricedSeries, SeriesPrice, SeriesQuote };

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

/** The prices of the same series, by item, for lists: of the last close, with the sales since (`listPricesOf`). */
export async function seriesPricesOf(sql: PricedSql, itemIds: readonly string[]): Promise<Map<string, PricedSeries[]>> {
  return itemIds.length === 0 ? new Map() : (await listPricesOf(sql, itemIds)).byItem;
}

/** The same as the last close left them, without the sales since: equal in every process until the next one. */
export async function closedPricesOf(sql: PricedSql, itemIds: readonly string[]): Promise<Map<string, PricedSeries[]>> {
  return pricedByItem(seriesIn(await priceRows(sql, itemIds), { provisional: false }));
}

/** The same as of the close of a day; null: the last one. */
export async function seriesPricesOn(db: PricedDb, itemIds: readonly string[], asOf: number | null) {
  if (asOf === null) return seriesPricesOf(db, itemIds);
  return pricedByItem(itemIds.length === 0 ? [] : await seriesAsOf(db, itemIds, asOf));
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
  return await onDay(db, day, (sql) => seriesOfItems(sql, itemIds, { asOf: day }));
}

/** Prices with the connections that those of an earlier version are read by. */
export type PricedDb = PricedSql & Pick<Db, 'session'>;
