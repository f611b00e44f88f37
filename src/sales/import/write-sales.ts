import type { Game } from '../../catalog/games.ts';
import type { Db, Session } from '../../db/client.ts';
import { copyRows } from '../../db/copy/copy.ts';
import { lockTransaction } from '../../db/locks.ts';
import { CannotDecide } from '../../decisions/decisions.ts';
import { dayOf } from '../../lib/day.ts';
import { markDuplicates } from '../duplicates.ts';
import { ensureSources } from '../known-sources.ts';
import type { Sale } from '../sale.ts';
import type { Screened } from '../screen.ts';
import type { WriteContext } from '../voids.ts';
import { keepMatches } from './keep-matches.ts';
import type { OlderSales } from './prepare.ts';
import { onRecordedCards, type RecordedCard } from './recorded-cards.ts';
import type { ResolvedGrade } from './resolve.ts';
import { COLUMNS, writeCorrections, writeFresh, writeReversals } from './revise-sales.ts';
import {
  countReason,
  type RejectedRow,
  type RowPlace,
  type WaitingSale,
  writeRejected,
  writeWaiting,
} from './set-aside.ts';

/** A sale whose card is identified, screened and ready for the ledger. */
export type ReadySale = RowPlace & {
  sale: Sale;
  game: Game;
  itemId: string;
  grade: ResolvedGrade;
  usdPerUnit: number | null;
  /** The decision that puts it on its card. */
  decisionId?: number;
} & Screened;

/** What one transaction writes. */
export type SaleBatch = {
  ready: ReadySale[];
  waiting: WaitingSale[];
  rejected: RejectedRow[];
  /** Of the accepted ones. */
  older: ReadonlyMap<Game, OlderSales>;
  /** Screens a row of `waiting` on the card that the ledger has its sale on. */
  screenOn(row: WaitingSale, card: RecordedCard): ReadySale;
};

export type WriteCounts = {
  added: number;
  rejected: Record<string, number>;
  /** Rows that the ledger has already. */
  repeated: number;
  corrected: number;
  reversed: number;
  /** Sales whose card is not identified yet, or whose day has not come, by reason. */
  waiting: Record<string, number>;
};

/**
 * Writes a batch in one transaction, so that an import killed at any moment and run again leaves the same ledger.
 * Imports take turns batch by batch: ids rise in the order of commits, which lets readers follow the ledger by id.
 */
export async function writeBatch(db: Db, batch: SaleBatch, context: WriteContext): Promise<WriteCounts> {
  return await db.transaction(async (session) => {
    await lockLedger(session);
    return await writeLocked(session, batch, context);
  });
}

/** Writes a batch in a transaction that has locked the ledger. */
export async function writeLocked(session: Session, batch: SaleBatch, context: WriteContext): Promise<WriteCounts> {
  await ensureSources(
    session,
    [...batch.ready, ...batch.waiting].map(({ sale }) => sale.source),
  );
  const { ready, waiting, heldBack } = await withoutHeldBack(session, batch.ready, context);
  const counts = await writeReady(session, ready, context);
  const unidentified = await onRecordedCards(session, { ...batch, waiting: [...batch.waiting, ...waiting] });
  addTo(counts, await writeReady(session, unidentified.ready, context));
  const set = await writeWaiting(session, unidentified.waiting, context.importId);
  counts.waiting = set.waiting;
  counts.reversed += set.reversed;
  counts.repeated += set.repeated + heldBack;
  for (const [reason, count] of Object.entries(set.rejected)) countReason(counts.rejected, reason, count);
  await writeRejected(session, 'sales', batch.rejected, context.importId);
  return counts;
}

function addTo(counts: WriteCounts, more: WriteCounts): void {
  for (const count of ['added', 'repeated', 'corrected', 'reversed'] as const) counts[count] += more[count];
  for (const [reason, count] of Object.entries(more.rejected)) countReason(counts.rejected, reason, count);
}

/** Waits for the ledger, until the transaction ends. */
export async function lockLedger(session: Session): Promise<void> {
  await lockTransaction(session, 'ledger');
  // Every lookup of a batch goes by an index; without statistics on the staged rows a plan may read the whole ledger.
  for (const setting of ['enable_hashjoin', 'enable_mergejoin']) await session.query(`set local ${setting} = off`);
}

/**
 * The sales without those that a person dropped while they waited, and without those of an import that was undone meanwhile.
 * Those that a taught name identified which was taken back meanwhile wait.
 * @throws CannotDecide where the import itself was undone while it ran
 */
async function withoutHeldBack(session: Session, all: ReadySale[], { importId }: WriteContext) {
  const origins = new Set(all.map(({ originImportId }) => originImportId ?? importId));
  const undone = await session.query<{ id: number }>(
    'select id from imports where undone_by is not null and id = any($1)',
    [[importId, ...origins]],
  );
  if (undone.some(({ id }) => id === importId))
    throw new CannotDecide(`Import ${importId} was undone while it ran, and ended there.`);
  const takenBack = await session.query<{ id: number }>(
    'select id from decisions where taken_back_at is not null and id = any($1)',
    [[...new Set(all.flatMap(({ decisionId }) => decisionId ?? []))]],
  );
  const dropped = await session.query<{ source: string; source_sale_id: string }>(
    `select source, source_sale_id from waiting_sales
     where dropped_by is not null and (source, source_sale_id) in (select * from unnest($1::text[], $2::text[]))`,
    [all.map(({ sale }) => sale.source), all.map(({ sale }) => sale.sourceSaleId)],
  );
  if (undone.length + takenBack.length + dropped.length === 0) return { ready: all, waiting: [], heldBack: 0 };
  const gone = new Set(undone.map(({ id }) => id));
  const unlearned = new Set(takenBack.map(({ id }) => id));
  const keys = new Set(dropped.map((row) => `${row.source} ${row.source_sale_id}`));
  const ready: ReadySale[] = [];
  const waiting: WaitingSale[] = [];
  for (const one of all) {
    const { sale, line, file, originImportId, decisionId } = one;
    if (gone.has(originImportId ?? importId) || keys.has(`${sale.source} ${sale.sourceSaleId}`)) continue;
    if (decisionId === undefined || !unlearned.has(decisionId)) ready.push(one);
    // One named by its card was recorded, and was put back when the decision was.
    else if (sale.item.by === 'title') {
      const place = {
        line,
        ...(file !== undefined && { file }),
        ...(originImportId !== undefined && { originImportId }),
      };
      waiting.push({ ...place, sale, reason: 'alias_taken_back', dueDay: null });
    }
  }
  return { ready, waiting, heldBack: all.length - ready.length - waiting.length };
}

async function writeReady(session: Session, ready: ReadySale[], context: WriteContext): Promise<WriteCounts> {
  const counts: WriteCounts = { added: 0, rejected: {}, repeated: 0, corrected: 0, reversed: 0, waiting: {} };
  if (ready.length === 0) return counts;
  await stage(session, ready);

  // 1. Sales reported for the first time.
  const sold = ready.reduce((sum, one) => sum + (one.sale.status === 'sold' ? 1 : 0), 0);
  const fresh = await writeFresh(session, sold, context.importId);
  // 2. What is left has a sale of its id already, in the ledger or above it in the batch.
  const corrections = fresh.count < sold ? await writeCorrections(session, context) : { count: 0, firstId: null };
  if (corrections.firstId !== null) await keepMatches(session, context, corrections.firstId);
  counts.corrected = corrections.count;
  counts.repeated = sold - fresh.count - corrections.count;
  let firstId = fresh.firstId ?? corrections.firstId;
  // 3. Sales taken back.
  if (sold < ready.length) {
    const { fresh: unsold, voided } = await writeReversals(session, context, ready.length - sold);
    for (const [reason, count] of Object.entries(unsold.rejected)) countReason(counts.rejected, reason, count);
    counts.reversed = voided;
    counts.repeated += ready.length - sold - unsold.count - voided;
    firstId ??= unsold.firstId;
  }

  const duplicates = firstId === null ? 0 : await markDuplicates(session, firstId, context, kindsOf(ready));
  for (const [reason, count] of Object.entries(fresh.rejected)) countReason(counts.rejected, reason, count);
  if (duplicates > 0) countReason(counts.rejected, 'duplicate', duplicates);
  counts.added = fresh.count - Object.values(fresh.rejected).reduce((sum, count) => sum + count, 0) - duplicates;
  if (ready.some(({ rejection }) => rejection === 'hidden_price')) await writeStruckPrices(session, context.importId);
  await session.query(
    'delete from waiting_sales w using staged_sales s where w.source = s.source and w.source_sale_id = s.source_sale_id',
  );
  return counts;
}

function kindsOf(ready: readonly ReadySale[]) {
  const sources = [...new Set(ready.map(({ sale }) => sale.source))];
  return { sources, haveCerts: ready.some(({ sale }) => sale.cert !== null) };
}

async function stage(session: Session, ready: ReadySale[]): Promise<void> {
  await session.query(
    `create temp table if not exists staged_sales (
       n int, status text, source text, source_sale_id text, item_id uuid, company text, grade text, grade_key text,
       sold_at timestamptz, sold_day int, known_at timestamptz, known_day int, price_usd_cents bigint,
       price_minor bigint, currency text, usd_per_unit float8, sale_type text, quantity int, cert text, url text,
       title text, detail text, rejection text, file int, line int, origin_import_id int,
       decision_id bigint
     ) on commit delete rows`,
  );
  // Of what the transaction staged before.
  await session.query('delete from staged_sales');
  await copyRows(session, `staged_sales (n, status, ${COLUMNS})`, stagedRows(ready));
}

function* stagedRows(ready: ReadySale[]) {
  for (const [n, one] of ready.entries()) {
    const { sale, itemId, grade, usdPerUnit, priceUsdCents, knownAtMs, rejection, file, line } = one;
    yield [
      n,
      sale.status,
      sale.source,
      sale.sourceSaleId,
      itemId,
      grade.company,
      grade.grade,
      grade.row?.key,
      new Date(sale.soldAtMs).toISOString(),
      dayOf(sale.soldAtMs),
      new Date(knownAtMs).toISOString(),
      dayOf(knownAtMs),
      priceUsdCents,
      sale.priceMinor,
      sale.currency,
      usdPerUnit,
      sale.saleType,
      sale.quantity,
      sale.cert,
      sale.url,
      sale.title,
      sale.detail,
      rejection,
      file,
      line,
      one.originImportId,
      one.decisionId,
    ];
  }
}

/** The price struck through at a best offer was an ask, and it ended with the sale. */
async function writeStruckPrices(session: Session, importId: number): Promise<void> {
  await session.query(
    `insert into listings (source, source_listing_id, item_id, company, grade, grade_key, price_usd_cents, price_minor,
       currency, first_seen, last_seen, ended_at, url, title, import_id)
     select source, source_sale_id, item_id, company, grade, grade_key, price_usd_cents, price_minor,
       currency, sold_at, sold_at, sold_at, url, title, $1
     from staged_sales where rejection = 'hidden_price' and price_usd_cents between 50 and 5000000000 order by n
     on conflict (source, source_listing_id) do nothing`,
    [importId],
  );
}
