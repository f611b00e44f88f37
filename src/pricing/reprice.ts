import type { Db, Session } from '../db/client.ts';
import { withLock } from '../db/locks.ts';
import { awaitedLater, newTurns } from '../lib/in-turn.ts';
import { newHistories, trimHistories } from './accuracy/histories.ts';
import { closeLedgerDay, type Run } from './close-ledger-day.ts';
import { MODEL_VERSION } from './model/params.ts';
import { openRecord } from './record/close-record.ts';
import { CARD_LIMITS, type CardLimits, forgetCards, openCardStore, packCards } from './store/card-store.ts';
import { checkpoint, newOutbox } from './store/checkpoint.ts';
import { type LedgerPage, pageSpans, readPage } from './store/ledger-pages.ts';
import { dueDays, type LedgerSpan, settledSaleId } from './store/ledger-sales.ts';
import { loadModel } from './store/model-state.ts';

/** Pages that are read ahead. */
const PAGES_AHEAD = 2;

export type RepriceOptions = {
  /** The last day to close; never the clock. */
  through: number;
  /** Only for when the prices were computed. */
  clock?: () => number;
  /** Fewer only in tests. */
  limits?: CardLimits;
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
  return await db.session((session) =>
    withLock(session, 'reprice', () => db.session((reading) => closeDays(session, reading, options))),
  );
}

/** `session` stores checkpoints while days are computed, and while `reading` reads the ledger for the next ones. */
async function closeDays(
  session: Session,
  reading: Session,
  { through, clock = Date.now, limits = CARD_LIMITS, onProgress }: RepriceOptions,
): Promise<RepriceReport> {
  const upToSaleId = await settledSaleId(session);
  const { model, sources: known, seenSaleId, version } = await loadModel(session);
  if (version !== MODEL_VERSION) throw new Error(`prices are of version ${version} of the model, not ${MODEL_VERSION}`);
  const span: LedgerSpan = { seenSaleId, upToSaleId, closedDay: model.day, through };
  const due = await dueDays(session, span);
  const firstDay = model.day === null ? due[0]?.day : model.day + 1;
  if (firstDay === undefined || firstDay > through) return { days: 0, sales: 0, closedDay: model.day };

  // One after another: of two pages read at once, the second would bring back the state of a card that both have.
  const inTurn = newTurns();
  const run: Run = {
    sql: {
      query: (text, values) => inTurn(() => reading.query(text, values)),
      prepared: (name, text, values) => inTurn(() => reading.prepared(name, text, values)),
    },
    model,
    store: await openCardStore(session),
    histories: newHistories(),
    span,
    sourceIndex: new Map(known.map((source, i) => [source, i])),
    outbox: newOutbox(),
    voided: new Set(),
    record: await openRecord(session, firstDay),
  };
  const totalSales = due.reduce((total, { sales }) => total + sales, 0);
  const spans = pageSpans(firstDay, through, due);
  const unread = [...spans];
  const pages: Promise<LedgerPage>[] = [];
  const readAhead = () => {
    const next = unread.shift();
    if (next !== undefined)
      pages.push(awaitedLater(inTurn(() => readPage(reading, span, next, next.from === firstDay, run))));
  };
  for (let i = 0; i < PAGES_AHEAD; i++) readAhead();
  let stored: Promise<void> = Promise.resolve();
  let [sales, previousDay] = [0, model.day];
  for (const { from, to, endsBatch } of spans) {
    const page = await pages.shift()!;
    readAhead();
    for (let day = from; day <= to; day++) {
      const due = page.on(day);
      await closeLedgerDay(run, day, due);
      sales += due.sales.length;
      onProgress?.({ day, sales, totalSales });
    }
    if (!endsBatch) continue;
    // Pages that have been read ahead rely on cards in memory.
    const needed = new Set((await Promise.all(pages)).flatMap(({ itemIds }) => [...itemIds]));
    await stored;
    forgetCards(run.store, limits);
    const seen = { saleId: upToSaleId, sources: [...run.sourceIndex.keys()], previousDay, nowMs: clock() };
    const store = checkpoint(model, run.store.cards, run.outbox, seen);
    stored = awaitedLater(store(session));
    previousDay = to;
    run.outbox = newOutbox();
    packCards(run.store, needed, limits);
    trimHistories(run.histories, run.store);
  }
  await stored;
  return { days: through - firstDay + 1, sales, closedDay: model.day };
}
