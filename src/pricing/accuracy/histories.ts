import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import { KEPT_SALES, rememberDay, type SeriesHistory, WINDOW_DAYS } from '../backtest-baselines.ts';
import { gradeIndexOf, type PriceModel } from '../model/model.ts';
import { type LedgerSpan, type PastPrice, readPastPrices } from '../store/ledger-sales.ts';

/**
 * By item and the model's number of a grade, the sales that closes have taken in, voided ones left out: what simple rules
 * forecast from. Prices are cents.
 */
export type Histories = Map<string, (SeriesHistory | undefined)[]>;

/**
 * Loads the histories of items that are not in memory, as of the beginning of `day`. Only items with a card have sold
 * before it.
 */
export async function loadHistories(
  sql: Sql,
  histories: Histories,
  itemIds: Iterable<string>,
  world: { model: PriceModel; cards: ReadonlyMap<string, unknown>; day: number; span: LedgerSpan },
): Promise<void> {
  const { model, cards, day, span } = world;
  const missing = [...itemIds].filter((id) => cards.has(id) && !histories.has(id));
  if (missing.length === 0) return;
  const past = await readPastPrices(sql, missing, day, span, { sales: KEPT_SALES, days: WINDOW_DAYS });
  for (const [itemId, ofItem] of groupBy(past, (sale) => sale.itemId)) replaceHistory(histories, model, itemId, ofItem);
}

/** Begins the history of an item anew: these are the sales of it that are left. */
export function replaceHistory(
  histories: Histories,
  model: PriceModel,
  itemId: string,
  past: readonly Omit<PastPrice, 'itemId'>[],
): void {
  histories.delete(itemId);
  const ordered = [...past].sort((a, b) => a.closedDay - b.closedDay);
  for (const [gradeKey, ofSeries] of groupBy(ordered, (sale) => sale.gradeKey)) {
    const history = historyOf(histories, itemId, gradeIndexOf(model, gradeKey));
    for (const [day, ofDay] of groupBy(ofSeries, ({ closedDay }) => closedDay))
      rememberDay(
        history,
        day,
        ofDay.map(({ priceUsdCents }) => priceUsdCents),
      );
  }
}

/** The history of a series, begun at its first mention. */
export function historyOf(histories: Histories, itemId: string, grade: number): SeriesHistory {
  let ofItem = histories.get(itemId);
  if (ofItem === undefined) {
    ofItem = [];
    histories.set(itemId, ofItem);
  }
  let history = ofItem[grade];
  if (history === undefined) {
    history = { days: [], prices: [] };
    ofItem[grade] = history;
  }
  return history;
}

/** Forgets the items that the run has no card of any more. */
export function trimHistories(histories: Histories, cards: ReadonlyMap<string, unknown>): void {
  for (const id of histories.keys()) if (!cards.has(id)) histories.delete(id);
}
