import type { Sql } from '../db/client.ts';
import { sharedReading } from '../lib/shared.ts';
import { type LinePoint, lineOf } from './daily-line.ts';
import { seriesOfItems } from './series.ts';
import { hasMoved, MOVE_DAYS, quoteOf, type SeriesQuote } from './series-quote.ts';

export type { LinePoint, SeriesQuote };

/** The last closed day, or null before the first close. */
export const closedDay = sharedReading(async (sql: Sql): Promise<number | null> => {
  const [row] = await sql.prepared<{ day: number }>('pricing_closed_day', 'select closed_day as day from model_state');
  return row?.day ?? null;
});

/**
 * Quotes of every tracked series (one with a sale that was not refused, or a registered cert) of the items, by item;
 * items without one are absent. One round trip; the first call after a close also loads the markets.
 */
export async function quotesOf(sql: Sql, itemIds: readonly string[]): Promise<Map<string, SeriesQuote[]>> {
  const quotes = new Map<string, SeriesQuote[]>();
  if (itemIds.length === 0) return quotes;
  for (const series of await seriesOfItems(sql, itemIds, { provisional: true })) {
    const quote = quoteOf(series);
    const ofItem = quotes.get(quote.itemId);
    if (ofItem === undefined) quotes.set(quote.itemId, [quote]);
    else ofItem.push(quote);
  }
  return quotes;
}

/**
 * The daily line of a series: one point for each day from `fromDay` to `toDay` that is closed; nulls where it had no
 * price. Empty for a series that no close has priced.
 */
export async function dailyLine(
  sql: Sql,
  itemId: string,
  gradeKey: string,
  fromDay: number,
  toDay: number,
): Promise<LinePoint[]> {
  const all = await seriesOfItems(sql, [itemId], { fromDay });
  const series = all.find((one) => one.gradeKey === gradeKey);
  if (!series?.world || series.closedDay === null) return [];
  return lineOf(series.touches, fromDay, Math.min(toDay, series.closedDay), series.world);
}

const MOVERS_PAGE = 500;
const moversHeld = new WeakMap<Sql, { day: number; games: string; quotes: SeriesQuote[] }>();

/**
 * The series of the games whose move over seven days is news, largest first, ties by item and grade; of a card only the
 * one that moved most. Computed once for a close: it looks at everything that sold in those days.
 */
export async function movers(sql: Sql, games: readonly string[], limit: number): Promise<SeriesQuote[]> {
  const day = await closedDay(sql);
  if (day === null) return [];
  const held = moversHeld.get(sql);
  if (held?.day === day && held.games === games.join()) return held.quotes.slice(0, limit);
  const sold = await sql.query<{ id: string }>(
    `select distinct s.item_id as id from sales s join items i on i.id = s.item_id
     where s.known_day > $1 and s.sold_day > $1 and s.refusal is null and i.game = any($2)`,
    [day - MOVE_DAYS, games],
  );
  const quotes: SeriesQuote[] = [];
  for (let i = 0; i < sold.length; i += MOVERS_PAGE) {
    const itemIds = sold.slice(i, i + MOVERS_PAGE).map(({ id }) => id);
    quotes.push(...(await seriesOfItems(sql, itemIds)).filter(hasMoved).map(quoteOf));
  }
  const key = (quote: SeriesQuote) => `${quote.itemId} ${quote.gradeKey}`;
  quotes.sort((a, b) => Math.abs(b.delta7Pct!) - Math.abs(a.delta7Pct!) || (key(a) < key(b) ? -1 : 1));
  const shown = new Set<string>();
  const oneACard = quotes.filter(({ itemId }) => !shown.has(itemId) && shown.add(itemId));
  moversHeld.set(sql, { day, games: games.join(), quotes: oneACard });
  return oneACard.slice(0, limit);
}
