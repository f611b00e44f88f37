import type { Db, Session } from '../../db/client.ts';
import { copyRows } from '../../db/copy.ts';
import { lockTransaction } from '../../db/locks.ts';
import { dayOf } from '../../lib/day.ts';
import { markDuplicates } from '../duplicates.ts';
import { ensureSources } from '../known-sources.ts';
import type { Sale } from '../sale.ts';
import type { Screened } from '../screen.ts';
import { insertVoids, type WriteContext } from '../voids.ts';
import type { ResolvedGrade } from './resolve.ts';
import { countReason, type RejectedRow, type WaitingSale, writeRejected, writeWaiting } from './set-aside.ts';

/** A sale whose card is identified, screened and ready for the ledger. */
export type ReadySale = {
  sale: Sale;
  line: number;
  itemId: string;
  grade: ResolvedGrade;
  usdPerUnit: number | null;
} & Screened;

/** What one transaction writes. */
export type SaleBatch = { ready: ReadySale[]; waiting: WaitingSale[]; rejected: RejectedRow[] };

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

const COLUMNS = `source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
  price_usd_cents, price_minor, currency, usd_per_unit, sale_type, quantity, cert, url, title, detail, rejection, line`;

/**
 * Writes a batch in one transaction, so that an import killed at any moment and run again leaves the same ledger.
 * Imports take turns batch by batch: ids rise in the order of commits, which lets readers follow the ledger by id.
 */
export async function writeBatch(db: Db, batch: SaleBatch, context: WriteContext): Promise<WriteCounts> {
  return await db.transaction(async (session) => {
    await lockTransaction(session, 'ledger');
    // Every lookup of a batch goes by an index; without statistics on the staged rows a plan may read the whole ledger.
    for (const setting of ['jit', 'enable_hashjoin', 'enable_mergejoin'])
      await session.query(`set local ${setting} = off`);
    await ensureSources(
      session,
      [...batch.ready, ...batch.waiting].map(({ sale }) => sale.source),
    );
    const counts = await writeReady(session, batch.ready, context);
    const set = await writeWaiting(session, batch.waiting, context.importId);
    counts.waiting = set.waiting;
    counts.reversed += set.reversed;
    counts.repeated += set.repeated;
    for (const [reason, count] of Object.entries(set.rejected)) countReason(counts.rejected, reason, count);
    await writeRejected(session, 'sales', batch.rejected, context.importId);
    return counts;
  });
}

async function writeReady(session: Session, ready: ReadySale[], context: WriteContext): Promise<WriteCounts> {
  const counts: WriteCounts = { added: 0, rejected: {}, repeated: 0, corrected: 0, reversed: 0, waiting: {} };
  if (ready.length === 0) return counts;
  await stage(session, ready);

  // 1. Sales reported for the first time.
  const fresh = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, import_id)
     select ${COLUMNS}, $1 from staged_sales where status = 'sold' order by n
     on conflict (source, source_sale_id, revision) do nothing`,
    context.importId,
  );
  // 2. What is left has a sale of its id already, in the ledger or above it in the batch.
  const sold = ready.reduce((sum, one) => sum + (one.sale.status === 'sold' ? 1 : 0), 0);
  const corrections = fresh.count < sold ? await writeCorrections(session, context) : { count: 0, firstId: null };
  counts.corrected = corrections.count;
  counts.repeated = sold - fresh.count - corrections.count;
  // 3. Sales taken back.
  if (sold < ready.length) await writeReversals(session, context, ready.length - sold, counts);

  const firstId = fresh.firstId ?? corrections.firstId;
  const duplicates = firstId === null ? 0 : await markDuplicates(session, firstId, context, ready);
  for (const [reason, count] of Object.entries(fresh.rejected)) countReason(counts.rejected, reason, count);
  if (duplicates > 0) countReason(counts.rejected, 'duplicate', duplicates);
  counts.added = fresh.count - Object.values(fresh.rejected).reduce((sum, count) => sum + count, 0) - duplicates;
  if (ready.some(({ rejection }) => rejection === 'hidden_price')) await writeStruckPrices(session, context.importId);
  await session.query(
    'delete from waiting_sales w using staged_sales s where w.source = s.source and w.source_sale_id = s.source_sale_id',
  );
  return counts;
}

async function stage(session: Session, ready: ReadySale[]): Promise<void> {
  await session.query(
    `create temp table if not exists staged_sales (
       n int, status text, source text, source_sale_id text, item_id uuid, company text, grade text, grade_key text,
       sold_at timestamptz, sold_day int, known_at timestamptz, known_day int, price_usd_cents bigint,
       price_minor bigint, currency text, usd_per_unit float8, sale_type text, quantity int, cert text, url text,
       title text, detail text, rejection text, line int
     ) on commit delete rows`,
  );
  await copyRows(session, `staged_sales (n, status, ${COLUMNS})`, stagedRows(ready));
}

function* stagedRows(ready: ReadySale[]) {
  for (const [n, { sale, line, itemId, grade, usdPerUnit, priceUsdCents, knownAtMs, rejection }] of ready.entries()) {
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
      line,
    ];
  }
}

type Inserted = { count: number; rejected: Record<string, number>; firstId: number | null };

/** Inserts into the ledger and counts what came in. Imports take turns, so every id above the highest one is new. */
async function insertCounted(session: Session, insert: string, importId: number): Promise<Inserted> {
  const [top] = await session.query<{ id: number }>('select coalesce(max(id), 0) as id from sales');
  await session.query(insert, [importId]);
  const rows = await session.query<{ rejection: string | null; count: number; first_id: number }>(
    'select rejection, count(*) as count, min(id) as first_id from sales where id > $1 group by rejection',
    [top!.id],
  );
  const inserted: Inserted = { count: 0, rejected: {}, firstId: null };
  for (const row of rows) {
    inserted.count += row.count;
    if (row.rejection !== null) inserted.rejected[row.rejection] = row.count;
    inserted.firstId = Math.min(inserted.firstId ?? row.first_id, row.first_id);
  }
  return inserted;
}

/**
 * A row that differs from every revision of its sale is a correction: the next revision, and a void of the
 * one before. A row equal to an older revision is an old file imported again, so it changes nothing. A sale that was
 * taken back is not sold again. A sale rejected for what the file or the rates lacked is accepted once a later file passes.
 */
async function writeCorrections(session: Session, context: WriteContext): Promise<Inserted> {
  const inserted = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, revision, import_id)
     select ${COLUMNS},
       (select max(revision) from sales x where x.source = d.source and x.source_sale_id = d.source_sale_id)
         + row_number() over (partition by source, source_sale_id order by n),
       $1
     from (
       select distinct on (s.source, s.source_sale_id, s.item_id, s.company, s.grade, s.sold_at, s.price_minor, s.currency) s.*
       from staged_sales s
       where s.status = 'sold'
         and not exists (
           select 1 from sales x
           where x.source = s.source and x.source_sale_id = s.source_sale_id
             and x.item_id = s.item_id and x.company = s.company and x.grade = s.grade and x.sold_at = s.sold_at
             and x.price_minor = s.price_minor and x.currency = s.currency
             and not (s.rejection is null and coalesce(x.rejection, '') in ('fx_missing', 'future', 'hidden_price', 'lot', 'not_card',
               'company_unsupported', 'grade_unsupported')))
         and not exists (
           select 1 from sales x left join sale_voids v on v.sale_id = x.id
           where x.source = s.source and x.source_sale_id = s.source_sale_id
             and (x.rejection in ('voided', 'unpaid', 'relisted') or v.reason in ('voided', 'unpaid', 'relisted')))
       order by s.source, s.source_sale_id, s.item_id, s.company, s.grade, s.sold_at, s.price_minor, s.currency, s.n
     ) d
     order by n`,
    context.importId,
  );
  if (inserted.firstId !== null)
    await session.query(
      insertVoids(
        `select old.id as sale_id, 'corrected' as reason, new.id as superseded_by, null::timestamptz as stated_at
         from sales new join sales old
           on old.source = new.source and old.source_sale_id = new.source_sale_id and old.revision = new.revision - 1
         where new.id >= $3 and new.revision > 0`,
      ),
      [context.importId, context.today, inserted.firstId],
    );
  return inserted;
}

/** A sale known already is voided; one reported for the first time enters rejected, so that it is seen. */
async function writeReversals(
  session: Session,
  context: WriteContext,
  rows: number,
  counts: WriteCounts,
): Promise<void> {
  const fresh = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, import_id)
     select ${COLUMNS}, $1 from staged_sales where status <> 'sold' order by n
     on conflict (source, source_sale_id, revision) do nothing`,
    context.importId,
  );
  const voided = await session.query(
    `${insertVoids(
      `select distinct on (s.source, s.source_sale_id) x.id as sale_id, s.status as reason, null::bigint as superseded_by,
         s.known_at as stated_at
       from staged_sales s join sales x on x.source = s.source and x.source_sale_id = s.source_sale_id
       where s.status <> 'sold' and x.rejection is distinct from s.status
         and not exists (select 1 from sales y
           where y.source = x.source and y.source_sale_id = x.source_sale_id and y.revision > x.revision)
       order by s.source, s.source_sale_id, s.n`,
    )} returning sale_id`,
    [context.importId, context.today],
  );
  for (const [reason, count] of Object.entries(fresh.rejected)) countReason(counts.rejected, reason, count);
  counts.reversed = voided.length;
  counts.repeated += rows - fresh.count - voided.length;
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
