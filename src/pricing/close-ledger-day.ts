import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../db/client.ts';
import { formatDay, isMonthEnd } from '../lib/day.ts';
import { groupBy } from '../lib/group-by.ts';
import { type Histories, replaceHistory } from './accuracy/histories.ts';
import { scoresOf } from './accuracy/scores.ts';
import { bringToDay, type CardState, newCard } from './model/card.ts';
import { refitCurves } from './model/curve/refit.ts';
import { closeDay, type SaleUse } from './model/fmv.ts';
import type { DaySale } from './model/forecast.ts';
import { gradeIndexOf, type PriceModel } from './model/model.ts';
import { replayCard } from './model/replay.ts';
import { type OpenRecord, recordDay, type TouchedCard } from './record/close-record.ts';
import { dayEvents, PLAIN_WEIGHT } from './record/ledger-events.ts';
import { type CardStore, curveEvidence } from './store/card-store.ts';
import { noteClose, noteCurves, type Outbox } from './store/checkpoint.ts';
import type { DueDay } from './store/ledger-pages.ts';
import { type DueVoid, type LedgerSale, type LedgerSpan, readPast } from './store/ledger-sales.ts';
import { noteSnapshot } from './store/snapshot-rows.ts';

/** The state of a run that closes days. */
export type Run = {
  sql: Sql;
  model: PriceModel;
  store: CardStore;
  histories: Histories;
  span: LedgerSpan;
  sourceIndex: Map<string, number>;
  outbox: Outbox;
  /** Ids of the sales that the run has taken out. */
  voided: Set<number>;
  record: OpenRecord;
};

/** Cards that are noted before the process hears from its connections again. */
const CARDS_AT_ONCE = 100;

/** Closes a day of the ledger: its sales and voids, scores, curves, snapshots and record. */
export async function closeLedgerDay(run: Run, day: number, due: DueDay): Promise<void> {
  const { sql, model, store, histories, outbox } = run;
  const replayed = await replayVoided(run, due.voids, day);
  numberNew(run, due.sales);
  const sales = due.sales.map((sale) => daySaleOf(run, sale, cardOf(run, sale.itemId, day)));
  const scores = scoresOf(model, day, histories, outbox.scores);
  const uses = closeDay(model, day, sales, scores.observe);
  scores.end();

  const late = new Set(due.sales.filter((sale) => Math.max(sale.soldDay, sale.knownDay) < day).map(({ id }) => id));
  for (const { saleId, weight } of uses) {
    if (weight < PLAIN_WEIGHT || late.has(saleId)) outbox.uses.push([saleId, Math.fround(weight), day]);
  }
  for (const one of due.rejected) if (one.late) outbox.uses.push([one.id, null, day]);
  if (isMonthEnd(day)) {
    refitCurves(model, await curveEvidence(sql, store, model));
    noteCurves(outbox, model, day);
  }
  noteClose(outbox, model, day);
  outbox.record.push(
    await recordDay(sql, run.record, model, await touchedBy(run, due, uses, replayed), isMonthEnd(day)),
  );
}

/** The cards that the close touched, in order of item, with what the record says of them; notes their snapshots. */
async function touchedBy(
  { model, store, outbox }: Run,
  { voids, rejected }: DueDay,
  uses: readonly SaleUse[],
  replayed: ReadonlySet<string>,
): Promise<TouchedCard[]> {
  const day = model.day!;
  const onDay = formatDay(day);
  const usesOf = groupBy(uses, ({ itemId }) => itemId);
  const rejectedOf = groupBy(rejected, ({ itemId }) => itemId);
  const takenOut = voids.filter(({ taken, itemId }) => taken && replayed.has(itemId));
  const voidsOf = groupBy(takenOut, ({ itemId }) => itemId);
  const touched: TouchedCard[] = [];
  for (const item of [...new Set([...replayed, ...usesOf.keys()])].sort()) {
    const card = store.cards.get(item);
    if (card !== undefined) bringToDay(card, day, model.params);
    const state = noteSnapshot(outbox.snapshots, item, day, card, model.params);
    const { game, set } = card ?? store.unsold.get(item)!;
    const grades = (card?.grades ?? []).map(({ grade }) => model.gradeKeys[grade]!);
    const voided = (voidsOf.get(item) ?? []).map(({ saleId }) => saleId);
    const events = dayEvents(usesOf.get(item) ?? [], rejectedOf.get(item) ?? [], voided);
    touched.push({ card: { item, game: game.name, set: Number(set.key), day: onDay, grades, state }, events });
    if (touched.length % CARDS_AT_ONCE === 0) await nextTurn();
  }
  await nextTurn();
  return touched;
}

/** Grades and sources that a day's sales bring are numbered in order of name: neither ids nor the order of a file matter. */
function numberNew({ model, sourceIndex }: Run, read: readonly LedgerSale[]): void {
  const [grades, sources] = [new Set<string>(), new Set<string>()];
  for (const { gradeKey, source } of read) {
    if (!model.gradeIndex.has(gradeKey)) grades.add(gradeKey);
    if (!sourceIndex.has(source)) sources.add(source);
  }
  for (const gradeKey of [...grades].sort()) gradeIndexOf(model, gradeKey);
  for (const source of [...sources].sort()) sourceIndex.set(source, sourceIndex.size);
}

function daySaleOf({ model, sourceIndex }: Run, sale: LedgerSale, card: CardState): DaySale {
  const { id, soldDay, soldAtMs, priceUsdCents, venue } = sale;
  const [grade, source] = [model.gradeIndex.get(sale.gradeKey)!, sourceIndex.get(sale.source)!];
  return { id, card, grade, soldDay, soldAtMs, priceUsdCents, venue, source };
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
  const { sql, model, store, span, outbox } = run;
  for (const { saleId, never } of due) {
    outbox.voids.push([saleId, day, never ? day : null]);
    run.voided.add(saleId);
  }
  const replayedIds = new Set<string>();
  for (const itemId of new Set(due.filter(({ taken }) => taken).map((one) => one.itemId))) {
    const card = store.cards.get(itemId);
    if (card === undefined) continue;
    replayedIds.add(itemId);
    const past = await readPast(sql, itemId, day, span, run.voided);
    replaceHistory(run.histories, model, itemId, past);
    const kept = past.map((sale) => ({ ...daySaleOf(run, sale, card), closedDay: sale.closedDay }));
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
