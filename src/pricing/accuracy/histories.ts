import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import { KEPT_SALES, rememberDay, type SeriesHistory, WINDOW_DAYS } from '../backtest-baselines.ts';
import type { PriceModel } from '../model/model.ts';
import { type LedgerSpan, type PastPrice, readPastPrices } from '../store/ledger-sales.ts';

/** By item and grade key, the sales that closes have taken in, voided ones left out: what simple rules forecast from, in cents. */
export type Histories = Map<string, Map<string, SeriesHistory>>;

/**
 * Loads the histories of items that are not in memory, as of the beginning of `day`. Only items with a card have sold
 * before it.
 */
export async function loadHistories(
  sql: Sql,
  histories: Histories,
  itemIds: Iterable<string>,
  cards: ReadonlyMap<string, unknown>,
  day: number,
  span: LedgerSpan,
): Promise<void> {
  const missing = [...itemIds].filter((id) => cards.has(id) && !histories.has(id));
  if (missing.length === 0) return;
  const past = await readPastPrices(sql, missing, day, span, { sales: KEPT_SALES, days: WINDOW_DAYS });
  for (const [itemId, ofItem] of groupBy(past, (sale) => sale.itemId)) replaceHistory(histories, itemId, ofItem);
}

/** Begins the history of an item anew: these are the sales of it that are left. */
export function replaceHistory(histories: Histories, itemId: string, past: readonly PastPrice[]): void {
  histories.set(itemId, new Map());
  for (const [day, ofDay] of groupBy(
    [...past].sort((a, b) => a.closedDay - b.closedDay),
    ({ closedDay }) => closedDay,
  ))
    rememberSales(histories, ofDay, day);
}

/** Adds the sales of a close to the histories of their series. */
export function rememberSales(histories: Histories, sales: readonly Omit<PastPrice, 'closedDay'>[], day: number): void {
  for (const [series, ofSeries] of groupBy(sales, ({ itemId, gradeKey }) => `${itemId} ${gradeKey}`)) {
    const { itemId, gradeKey } = ofSeries[0]!;
    const prices = ofSeries.map(({ priceUsdCents }) => priceUsdCents);
    rememberDay(historyToExtend(histories, itemId, gradeKey), series, day, prices);
  }
}

function historyToExtend(histories: Histories, itemId: string, gradeKey: string): SeriesHistory {
  const ofItem = histories.get(itemId) ?? new Map<string, SeriesHistory>();
  histories.set(itemId, ofItem);
  const history = ofItem.get(gradeKey) ?? { days: [], prices: [] };
  ofItem.set(gradeKey, history);
  return history;
}

/** Forgets the items that the run has no card of any more. */
export function trimHistories(histories: Histories, cards: ReadonlyMap<string, unknown>): void {
  for (const id of histories.keys()) if (!cards.has(id)) histories.delete(id);
}

/** The first day that a market of the model closed; null before any. */
export function firstDayOf({ games }: PriceModel): number | null {
  const days = [...games.values()].map(({ market }) => market.firstDay).filter((day) => day >= 0);
  return days.length === 0 ? null : Math.min(...days);
}
