import type { Db, Session } from '../db/client.ts';
import { withLock } from '../db/locks.ts';
import { isMonthEnd } from '../lib/day.ts';
import { groupBy } from '../lib/group-by.ts';
import { type Histories, loadHistories, replaceHistory, trimHistories } from './accuracy/histories.ts';
import { scoresOf } from './accuracy/scores.ts';
import { bringToDay, type CardState, newCard } from './model/card.ts';
import { refitCurves } from './model/curve/refit.ts';
import { closeDay, type SaleUse } from './model/fmv.ts';
import type { DaySale } from './model/forecast.ts';
import { gradeIndexOf, type PriceModel } from './model/model.ts';
import { MODEL_VERSION } from './model/params.ts';
import { replayCard } from './model/replay.ts';
import { type OpenRecord, openRecord, recordDay } from './record/close-record.ts';
import { dayEvents, PLAIN_WEIGHT, type RejectedSale, readRejected } from './record/ledger-events.ts';
import { type CardStore, curveEvidence, loadCards, openCardStore, trimCards } from './store/card-store.ts';
import { checkpoint, newOutbox, noteClose, noteCurves, type Outbox } from './store/checkpoint.ts';
import {
  type DueVoid,
  dueDays,
  type LedgerSale,
  type LedgerSpan,
  readPast,
  readSales,
  readVoids,
  settledSaleId,
} from './store/ledger-sales.ts';
import { loadModel } from './store/model-state.ts';
import { noteSnapshot } from './store/snapshot-rows.ts';

/** Sales between two checkpoints of a backfill: bounds the work that a kill loses, and memory. */
const BATCH_SALES = 120_000;
const BATCH_DAYS = 400;

export type RepriceOptions = {
  /** The last day to close; never the clock. */
  through: number;
  /** Only for when the prices were computed. */
  clock?: () => number;
  onProgress?: (progress: { day: number; sales: number; totalSales: number }) => void;
};

type RepriceReport = {
  /** Days closed and sales taken in by this run. */
  days: number;
  sales: number;
  /** The last closed day now, or null when the ledger has no accepted sale yet. */
  closedDay: number | null;
};

/**
 * Closes every day from the watermark (or, on the first run, from the ledger's first sale) through `through`, in order.
 * A day costs what its sales cost; the last day of a month also refits the curves, which costs the number of series.
 * Killed anywhere, the next run goes on from the last checkpoint to the same result.
 * @throws Error for prices of another version of the model: see `upgradePrices`.
 */
export async function reprice(db: Db, options: RepriceOptions): Promise<RepriceReport> {
  return await db.session((session) => withLock(session, 'reprice', () => closeDays(session, options)));
}

/** The state of a run. */
type Run = {
  session: Session;
  model: PriceModel;
  store: CardStore;
  histories: Histories;
  span: LedgerSpan;
  sourceIndex: Map<string, number>;
  outbox: Outbox;
  record: OpenRecord;
};

/** What falls due on one day. */
type DueDay = { sales: readonly LedgerSale[]; voids: readonly DueVoid[]; rejected: readonly RejectedSale[] };

async function closeDays(
  session: Session,
  { through, clock = Date.now, onProgress }: RepriceOptions,
): Promise<RepriceReport> {
  const upToSaleId = await settledSaleId(session);
  const { model, sources: known, seenSaleId, version } = await loadModel(session);
  if (version !== MODEL_VERSION) throw new Error(`prices are of version ${version} of the model, not ${MODEL_VERSION}`);
  const span: LedgerSpan = { seenSaleId, upToSaleId, closedDay: model.day, through };
  const due = await dueDays(session, span);
  const firstDay = model.day === null ? due[0]?.day : model.day + 1;
  if (firstDay === undefined || firstDay > through) return { days: 0, sales: 0, closedDay: model.day };

  const store = await openCardStore(session);
  const sourceIndex = new Map(known.map((source, i) => [source, i]));
  const run: Run = {
    session,
    model,
    store,
    histories: new Map(),
    span,
    sourceIndex,
    outbox: newOutbox(),
    record: await openRecord(session, firstDay),
  };
  const totalSales = due.reduce((total, { sales }) => total + sales, 0);
  let sales = 0;
  for (const [from, to] of batches(firstDay, through, due)) {
    const read = await readSales(session, span, from, to, from === firstDay);
    const voids = await readVoids(session, span, from, to);
    const itemIds = new Set([...read, ...voids.filter(({ taken }) => taken)].map(({ itemId }) => itemId));
    await loadCards(session, store, model, itemIds);
    await loadHistories(session, run.histories, itemIds, { model, cards: store.cards, day: from, span });
    const rejected = await readRejected(session, span, from, to, from === firstDay);
    const salesOn = groupBy(read, ({ closedDay }) => closedDay);
    const voidsOn = groupBy(voids, (one) => one.day);
    const rejectedOn = groupBy(rejected, (one) => one.day);
    for (let day = from; day <= to; day++) {
      const ofDay = salesOn.get(day) ?? [];
      await closeOne(run, day, { sales: ofDay, voids: voidsOn.get(day) ?? [], rejected: rejectedOn.get(day) ?? [] });
      sales += ofDay.length;
      onProgress?.({ day, sales, totalSales });
    }
    const previousDay = from === firstDay ? span.closedDay : from - 1;
    const sources = [...run.sourceIndex.keys()];
    const seen = { saleId: upToSaleId, sources, previousDay, nowMs: clock() };
    await checkpoint(session, model, store.cards, run.outbox, seen);
    run.outbox = newOutbox();
    trimCards(store);
    trimHistories(run.histories, store.cards);
  }
  return { days: through - firstDay + 1, sales, closedDay: model.day };
}

/** Runs of days with about BATCH_SALES sales each; without sales, of BATCH_DAYS days. */
function* batches(firstDay: number, through: number, due: readonly { day: number; sales: number }[]) {
  let from = firstDay;
  let sales = 0;
  for (const one of due) {
    const full = sales > 0 && sales + one.sales > BATCH_SALES;
    if (full || one.day - from >= BATCH_DAYS) {
      const to = Math.max(from, one.day - 1);
      yield [from, to] as const;
      from = to + 1;
      sales = 0;
    }
    sales += one.sales;
  }
  if (from <= through) yield [from, through] as const;
}

async function closeOne(run: Run, day: number, due: DueDay) {
  const { session, model, store, histories, outbox } = run;
  const { sales: read } = due;
  const replayed = await replayVoided(run, due.voids, day);
  numberNew(run, read);
  const sales = read.map((sale) => ({ ...saleOf(run, sale), card: cardOf(run, sale.itemId, day) }));
  const scores = scoresOf(model, day, histories, outbox.scores);
  const uses = closeDay(model, day, sales, scores.observe);
  scores.end();

  const dueDay = new Map(read.map((sale) => [sale.id, Math.max(sale.soldDay, sale.knownDay)]));
  for (const { saleId, weight } of uses) {
    const plain = weight >= PLAIN_WEIGHT && dueDay.get(saleId) === day;
    if (!plain) outbox.uses.push([saleId, Math.fround(weight), day]);
  }
  for (const { id, late } of due.rejected) if (late) outbox.uses.push([id, null, day]);
  if (isMonthEnd(day)) {
    refitCurves(model, await curveEvidence(session, store, model));
    noteCurves(outbox, model, day);
  }
  const eventsOf = eventsByItem(due, uses, replayed);
  const touched = [...new Set([...replayed, ...read.map((sale) => sale.itemId)])].map((itemId) => {
    const card = store.cards.get(itemId);
    if (card !== undefined) bringToDay(card, day, model.params);
    const state = noteSnapshot(outbox.snapshots, itemId, day, card, model.params);
    const { game, set } = card ?? store.unsold.get(itemId)!;
    const grades = (card?.grades ?? []).map(({ grade }) => grade);
    return { item: itemId, game: game.name, set: Number(set.key), grades, state, events: eventsOf(itemId) };
  });
  noteClose(outbox, model, day);
  outbox.record.push(await recordDay(session, run.record, model, touched, isMonthEnd(day)));
}

/** What the record says of an item on a day. */
function eventsByItem({ sales, voids, rejected }: DueDay, uses: readonly SaleUse[], replayed: ReadonlySet<string>) {
  const weights = new Map(uses.map(({ saleId, weight }) => [saleId, weight]));
  const salesOf = groupBy(sales, ({ itemId }) => itemId);
  const rejectedOf = groupBy(rejected, ({ itemId }) => itemId);
  const voidsOf = groupBy(
    voids.filter(({ taken, itemId }) => taken && replayed.has(itemId)),
    ({ itemId }) => itemId,
  );
  return (itemId: string) =>
    dayEvents(
      (salesOf.get(itemId) ?? []).map(({ id }) => ({ id, weight: weights.get(id)! })),
      rejectedOf.get(itemId) ?? [],
      (voidsOf.get(itemId) ?? []).map(({ saleId }) => saleId),
    );
}

/** Grades and sources that a day's sales bring are numbered in order of name: neither ids nor the order of a file matter. */
function numberNew({ model, sourceIndex }: Run, read: readonly LedgerSale[]): void {
  for (const gradeKey of [...new Set(read.map((sale) => sale.gradeKey))].sort()) gradeIndexOf(model, gradeKey);
  for (const source of [...new Set(read.map((sale) => sale.source))].sort()) {
    if (!sourceIndex.has(source)) sourceIndex.set(source, sourceIndex.size);
  }
}

function saleOf({ model, sourceIndex }: Run, sale: LedgerSale): Omit<DaySale, 'card'> {
  const { id, soldDay, soldAtMs, priceUsdCents, venue } = sale;
  const [grade, source] = [model.gradeIndex.get(sale.gradeKey)!, sourceIndex.get(sale.source)!];
  return { id, grade, soldDay, soldAtMs, priceUsdCents, venue, source };
}

/** The item's card; one that never sold begins now. */
function cardOf({ store, model, outbox }: Run, itemId: string, day: number): CardState {
  let card = store.cards.get(itemId);
  if (card === undefined) {
    const { game, set } = store.unsold.get(itemId)!;
    card = newCard(itemId, game, set, day, model.params);
    store.cards.set(itemId, card);
    store.unsold.delete(itemId);
    outbox.emptied.delete(itemId);
  }
  return card;
}

/** Takes voided sales out of their cards before the day's own sales come in. Days already published stay. */
async function replayVoided(run: Run, due: readonly DueVoid[], day: number): Promise<Set<string>> {
  const { session, model, store, span, outbox } = run;
  for (const { saleId, never } of due) outbox.voids.push([saleId, day, never ? day : null]);
  const replayedIds = new Set<string>();
  for (const itemId of new Set(due.filter(({ taken }) => taken).map((one) => one.itemId))) {
    const card = store.cards.get(itemId);
    if (card === undefined) continue;
    replayedIds.add(itemId);
    const past = await readPast(session, itemId, day, span);
    replaceHistory(run.histories, model, itemId, past);
    const kept = past.map((sale) => ({ ...saleOf(run, sale), closedDay: sale.closedDay }));
    const replayed = replayCard(model, card, kept);
    if (replayed === null) {
      store.cards.delete(itemId);
      store.unsold.set(itemId, { game: card.game, set: card.set });
      outbox.emptied.add(itemId);
    } else {
      store.cards.set(itemId, replayed);
    }
  }
  return replayedIds;
}
