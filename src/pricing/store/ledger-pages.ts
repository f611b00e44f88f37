import { inSnapshot, type Session } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type Histories, loadHistories } from '../accuracy/histories.ts';
import type { PriceModel } from '../model/model.ts';
import { type RejectedSale, readRejected } from '../record/ledger-events.ts';
import { type CardStore, loadCards } from './card-store.ts';
import { type DueVoid, type LedgerSale, type LedgerSpan, readSales, readVoids } from './ledger-sales.ts';

/** Sales between two checkpoints of a backfill: bounds the work that a kill loses, and memory. */
const BATCH_SALES = 120_000;
const BATCH_DAYS = 400;
/** Sales that are read at once: few enough to be gone before garbage collection has to keep them. */
const PAGE_SALES = 8_000;

/** Days that are read together, `to` included; the last page of a batch is followed by a checkpoint. */
export type PageSpan = { from: number; to: number; endsBatch: boolean };

/** The pages of the days from `firstDay` through `through`; `due` are those with sales, rising. */
export function pageSpans(
  firstDay: number,
  through: number,
  due: readonly { day: number; sales: number }[],
): PageSpan[] {
  return spansOf(firstDay, through, due, BATCH_SALES).flatMap((batch) => {
    const ofBatch = due.filter(({ day }) => day >= batch.from && day <= batch.to);
    return spansOf(batch.from, batch.to, ofBatch, PAGE_SALES).map((page) => ({
      ...page,
      endsBatch: page.to === batch.to,
    }));
  });
}

/** Runs of days with about `most` sales each; without sales, of BATCH_DAYS days. */
function spansOf(
  firstDay: number,
  through: number,
  due: readonly { day: number; sales: number }[],
  most: number,
): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  let from = firstDay;
  let sales = 0;
  for (const one of due) {
    const full = sales > 0 && sales + one.sales > most;
    if (full || one.day - from >= BATCH_DAYS) {
      const to = Math.max(from, one.day - 1);
      spans.push({ from, to });
      from = to + 1;
      sales = 0;
    }
    sales += one.sales;
  }
  if (from <= through) spans.push({ from, to: through });
  return spans;
}

/** What falls due on one day. */
export type DueDay = { sales: readonly LedgerSale[]; voids: readonly DueVoid[]; rejected: readonly RejectedSale[] };

/** The days of a page, and the items that are in memory for them. */
export type LedgerPage = { itemIds: ReadonlySet<string>; on(day: number): DueDay };

const NOTHING: DueDay = { sales: [], voids: [], rejected: [] };

/** What a page is read into. */
type Memory = { model: PriceModel; store: CardStore; histories: Histories };

/** Reads a page, with the cards and histories that it needs and memory does not have; `isFirst`: with what was reported late. */
export async function readPage(
  session: Session,
  span: LedgerSpan,
  { from, to }: PageSpan,
  isFirst: boolean,
  { model, store, histories }: Memory,
): Promise<LedgerPage> {
  // As of one moment: a void that comes in between would be of a sale that has been read as if it had none.
  const { sales, voids, rejected } = await inSnapshot(session, async () => ({
    sales: await readSales(session, span, from, to, isFirst),
    voids: await readVoids(session, span, from, to, isFirst),
    rejected: await readRejected(session, span, from, to, isFirst),
  }));
  const itemIds = new Set([...sales, ...voids.filter(({ taken }) => taken)].map(({ itemId }) => itemId));
  await loadCards(session, store, model, itemIds);
  await loadHistories(session, histories, itemIds, { model, cards: store.cards, day: from, span });
  const days = new Map<number, DueDay>();
  const noted = <One>(list: readonly One[], dayOf: (one: One) => number, place: keyof DueDay) => {
    for (const [day, ofDay] of groupBy(list, dayOf)) days.set(day, { ...(days.get(day) ?? NOTHING), [place]: ofDay });
  };
  noted(sales, (one) => one.closedDay, 'sales');
  noted(voids, (one) => one.day, 'voids');
  noted(rejected, (one) => one.day, 'rejected');
  return { itemIds, on: (day) => days.get(day) ?? NOTHING };
}
