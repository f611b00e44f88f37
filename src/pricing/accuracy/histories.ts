import type { Sql } from '../../db/client.ts';
import { byteReader, byteWriter, pack, unpack } from '../../lib/bytes.ts';
import { groupBy } from '../../lib/group-by.ts';
import { KEPT_SALES, rememberDay, type SeriesHistory, WINDOW_DAYS } from '../backtest-baselines.ts';
import { gradeIndexOf, type PriceModel } from '../model/model.ts';
import { type LedgerSpan, type PastPrice, readPastPrices } from '../store/ledger-sales.ts';

/**
 * By item and the model's number of a grade, the sales that closes have taken in, voided ones left out: what simple rules
 * forecast from. Prices are cents.
 */
export type Histories = {
  items: Map<string, ItemHistory>;
  /** Of other items, for a fraction of the memory: see `packHistory`. */
  packed: Map<string, string>;
};
type ItemHistory = (SeriesHistory | undefined)[];

export function newHistories(): Histories {
  return { items: new Map(), packed: new Map() };
}

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
  const missing: string[] = [];
  for (const id of itemIds) {
    if (!cards.has(id) || histories.items.has(id)) continue;
    const packed = histories.packed.get(id);
    if (packed === undefined) missing.push(id);
    else {
      histories.packed.delete(id);
      histories.items.set(id, unpackHistory(packed));
    }
  }
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
  histories.items.delete(itemId);
  histories.packed.delete(itemId);
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
  let ofItem = histories.items.get(itemId);
  if (ofItem === undefined) {
    ofItem = [];
    histories.items.set(itemId, ofItem);
  }
  let history = ofItem[grade];
  if (history === undefined) {
    history = { days: [], prices: [] };
    ofItem[grade] = history;
  }
  return history;
}

/** Packs the histories of cards that are packed, and forgets those of cards that the run has not in memory. */
export function trimHistories({ items, packed }: Histories, { cards, packed: packedCards }: CardsInMemory): void {
  for (const [id, ofItem] of items) {
    if (cards.has(id)) continue;
    items.delete(id);
    if (packedCards.has(id)) packed.set(id, packHistory(ofItem));
  }
  for (const id of packed.keys()) if (!packedCards.has(id)) packed.delete(id);
}

type CardsInMemory = { cards: ReadonlyMap<string, unknown>; packed: ReadonlyMap<string, unknown> };

const writer = byteWriter();

/** Each series as u16 grade, i32 sales, then each sale: u16 day, f64 cents; a character a byte. */
function packHistory(ofItem: ItemHistory): string {
  for (const [grade, history] of ofItem.entries()) {
    if (history === undefined) continue;
    const { days, prices } = history;
    writer.u16(grade);
    writer.i32(days.length);
    for (let i = 0; i < days.length; i++) {
      writer.u16(days[i]!);
      writer.f64(prices[i]!);
    }
  }
  return pack(writer.take());
}

function unpackHistory(packed: string): ItemHistory {
  const read = byteReader(unpack(packed));
  const ofItem: ItemHistory = [];
  while (!read.done()) {
    const history: SeriesHistory = { days: [], prices: [] };
    ofItem[read.u16()] = history;
    for (let left = read.i32(); left > 0; left--) {
      history.days.push(read.u16());
      history.prices.push(read.f64());
    }
  }
  return ofItem;
}
