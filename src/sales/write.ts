import type { Db, Session } from '../db/client.ts';
import { copyRows } from '../db/copy.ts';
import { dayOf } from '../lib/day.ts';
import { markDuplicates } from './duplicates.ts';
import type { ResolvedGrade } from './resolve.ts';
import type { Sale, Unreadable } from './sale.ts';
import type { Screened } from './screen.ts';
import { ensureSources } from './sources.ts';

/** A sale whose card is told, screened and ready for the ledger. */
export type ReadySale = {
  sale: Sale;
  line: number;
  itemId: string;
  grade: ResolvedGrade;
  usdPerUnit: number | null;
} & Screened;
export type WaitingSale = { sale: Sale; line: number; reason: string; dueDay: number | null };
export type RefusedRow = { line: number; unreadable: Unreadable; raw: string };

/** What one transaction writes. */
export type SaleBatch = { ready: ReadySale[]; waiting: WaitingSale[]; refused: RefusedRow[] };

export type WriteCounts = {
  added: number;
  refused: Record<string, number>;
  /** Rows that say what the ledger has already. */
  repeated: number;
  corrected: number;
  reversed: number;
};

const COLUMNS = `source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
  price_usd_cents, price_minor, currency, usd_per_unit, sale_type, quantity, cert, url, title, detail, refusal, line`;

/**
 * Writes a batch in one transaction, so that an import killed at any moment and run again leaves the same ledger.
 * Imports take turns batch by batch: ids rise in the order of commits, which lets readers follow the ledger by id.
 */
export async function writeBatch(db: Db, batch: SaleBatch, importId: number): Promise<WriteCounts> {
  return await db.transaction(async (session) => {
    await session.query(`select pg_advisory_xact_lock(hashtext('mintmark ledger'))`);
    await ensureSources(
      session,
      [...batch.ready, ...batch.waiting].map(({ sale }) => sale.source),
    );
    const counts = await writeReady(session, batch.ready, importId);
    await writeWaiting(session, batch.waiting, importId);
    await writeRefused(session, 'sales', batch.refused, importId);
    return counts;
  });
}

async function writeReady(session: Session, ready: ReadySale[], importId: number): Promise<WriteCounts> {
  const counts: WriteCounts = { added: 0, refused: {}, repeated: 0, corrected: 0, reversed: 0 };
  if (ready.length === 0) return counts;
  await stage(session, ready);

  // 1. Sales told of for the first time.
  const fresh = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, import_id)
     select ${COLUMNS}, $1 from staged_sales where status = 'sold' order by n
     on conflict (source, source_sale_id, revision) do nothing`,
    importId,
  );
  // 2. What is left has a sale of its id already, in the ledger or above it in the batch.
  const sold = ready.reduce((sum, one) => sum + (one.sale.status === 'sold' ? 1 : 0), 0);
  const corrections = fresh.count < sold ? await writeCorrections(session, importId) : { count: 0, firstId: null };
  counts.corrected = corrections.count;
  counts.repeated = sold - fresh.count - corrections.count;
  // 3. Sales taken back.
  if (sold < ready.length) await writeReversals(session, importId, ready.length - sold, counts);

  const firstId = fresh.firstId ?? corrections.firstId;
  const duplicates = firstId === null ? 0 : await markDuplicates(session, firstId, importId, ready);
  for (const [reason, count] of Object.entries(fresh.refused)) add(counts.refused, reason, count);
  if (duplicates > 0) add(counts.refused, 'duplicate', duplicates);
  counts.added = fresh.count - Object.values(fresh.refused).reduce((sum, count) => sum + count, 0) - duplicates;
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
       title text, detail text, refusal text, line int
     ) on commit delete rows`,
  );
  await copyRows(session, `staged_sales (n, status, ${COLUMNS})`, stagedRows(ready));
}

function* stagedRows(ready: ReadySale[]) {
  for (const [n, { sale, line, itemId, grade, usdPerUnit, priceUsdCents, knownAtMs, refusal }] of ready.entries()) {
    yield [
      n,
      sale.status,
      sale.source,
      sale.sourceSaleId,
      itemId,
      grade.company,
      grade.grade,
      grade.row?.key,
      timestamp(sale.soldAtMs),
      dayOf(sale.soldAtMs),
      knownAtMs === sale.soldAtMs ? timestamp(sale.soldAtMs) : timestamp(knownAtMs),
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
      refusal,
      line,
    ];
  }
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

type Inserted = { count: number; refused: Record<string, number>; firstId: number | null };

async function insertCounted(session: Session, insert: string, importId: number): Promise<Inserted> {
  const rows = await session.query<{ refusal: string | null; count: number; first_id: number }>(
    `with written as (${insert} returning id, refusal)
     select refusal, count(*) as count, min(id) as first_id from written group by refusal`,
    [importId],
  );
  const inserted: Inserted = { count: 0, refused: {}, firstId: null };
  for (const row of rows) {
    inserted.count += row.count;
    if (row.refusal !== null) inserted.refused[row.refusal] = row.count;
    inserted.firstId = Math.min(inserted.firstId ?? row.first_id, row.first_id);
  }
  return inserted;
}

/**
 * A row that says something else than every revision of its sale is a correction: the next revision, and a void of the
 * one before. A row equal to an older revision is an old file imported again, so it changes nothing. A sale that was
 * taken back stays so. A refusal for lack of a rate, or for a date ahead, is lifted when the same row passes later.
 */
async function writeCorrections(session: Session, importId: number): Promise<Inserted> {
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
             and not (x.refusal in ('fx_missing', 'future') and s.refusal is distinct from x.refusal))
         and not exists (
           select 1 from sales x left join sale_voids v on v.sale_id = x.id
           where x.source = s.source and x.source_sale_id = s.source_sale_id
             and (x.refusal in ('voided', 'unpaid', 'relisted') or v.reason in ('voided', 'unpaid', 'relisted')))
       order by s.source, s.source_sale_id, s.item_id, s.company, s.grade, s.sold_at, s.price_minor, s.currency, s.n
     ) d
     order by n`,
    importId,
  );
  if (inserted.firstId !== null)
    await session.query(
      `insert into sale_voids (sale_id, reason, superseded_by, known_at, known_day, import_id)
       select old.id, 'corrected', new.id, new.known_at, new.known_day, $2
       from sales new join sales old
         on old.source = new.source and old.source_sale_id = new.source_sale_id and old.revision = new.revision - 1
       where new.id >= $1 and new.revision > 0
       on conflict (sale_id) do nothing`,
      [inserted.firstId, importId],
    );
  return inserted;
}

/** A sale known already is voided; one told of for the first time enters refused, so that it is seen. */
async function writeReversals(session: Session, importId: number, told: number, counts: WriteCounts): Promise<void> {
  const fresh = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, import_id)
     select ${COLUMNS}, $1 from staged_sales where status <> 'sold' order by n
     on conflict (source, source_sale_id, revision) do nothing`,
    importId,
  );
  const voided = await session.query(
    `insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
     select distinct on (s.source, s.source_sale_id) x.id, s.status, s.known_at, s.known_day, $1::int
     from staged_sales s join sales x on x.source = s.source and x.source_sale_id = s.source_sale_id
     where s.status <> 'sold' and x.refusal is distinct from s.status
       and not exists (select 1 from sales y
         where y.source = x.source and y.source_sale_id = x.source_sale_id and y.revision > x.revision)
     order by s.source, s.source_sale_id, s.n
     on conflict (sale_id) do nothing returning sale_id`,
    [importId],
  );
  for (const [reason, count] of Object.entries(fresh.refused)) add(counts.refused, reason, count);
  counts.reversed = voided.length;
  counts.repeated += told - fresh.count - voided.length;
}

/** A sale that waits is replaced by what is said of it later, but one taken back stays so. */
async function writeWaiting(session: Session, waiting: WaitingSale[], importId: number): Promise<void> {
  if (waiting.length === 0) return;
  const last = new Map<string, WaitingSale>();
  for (const one of waiting) {
    const key = `${one.sale.source} ${one.sale.sourceSaleId}`;
    if (one.sale.status !== 'sold' || (last.get(key)?.sale.status ?? 'sold') === 'sold') last.set(key, one);
  }
  await session.query(
    `insert into waiting_sales (source, source_sale_id, sale, reason, due_day, import_id, line)
     select sale->>'source', sale->>'sourceSaleId', sale, reason, due_day, $2, line
     from jsonb_to_recordset($1::jsonb) as w (sale jsonb, reason text, due_day int, line int)
     where not exists (select 1 from sales s
       where s.source = w.sale->>'source' and s.source_sale_id = w.sale->>'sourceSaleId')
     on conflict (source, source_sale_id) do update
       set sale = excluded.sale, reason = excluded.reason, due_day = excluded.due_day
       where waiting_sales.sale->>'status' = 'sold'`,
    [
      JSON.stringify(
        [...last.values()].map(({ sale, reason, dueDay, line }) => ({ sale, reason, due_day: dueDay, line })),
      ),
      importId,
    ],
  );
}

const MAX_RAW_CHARS = 2000;

/** Keeps rows that are no sale (or no listing: `kind`) as they came, once. */
export async function writeRefused(
  session: Session,
  kind: 'sales' | 'listings',
  refused: readonly RefusedRow[],
  importId: number,
): Promise<void> {
  if (refused.length === 0) return;
  const rows = refused.map(({ line, unreadable, raw }) => ({
    line,
    ...unreadable,
    raw: raw.replaceAll('\0', '\ufffd').slice(0, MAX_RAW_CHARS),
  }));
  await session.query(
    `insert into refused_rows (digest, import_id, line, reason, message, raw)
     select sha256(convert_to(concat_ws(chr(31), $3::text, line::text, raw), 'UTF8')), $2, line, reason, message, raw
     from jsonb_to_recordset($1::jsonb) as r (line int, reason text, message text, raw text)
     on conflict (digest) do nothing`,
    [JSON.stringify(rows), importId, kind],
  );
}

function add(counts: Record<string, number>, reason: string, count: number): void {
  counts[reason] = (counts[reason] ?? 0) + count;
}
