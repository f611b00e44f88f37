import type { Session } from '../../db/client.ts';
import { CANCELLED, isLive, isLiveVoid } from '../undoing/live-sale.ts';
import { insertVoids, type WriteContext } from '../voids.ts';
import { countReason } from './set-aside.ts';

/** The columns of a sale that its row states. */
export const COLUMNS = `source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
  price_usd_cents, price_minor, currency, usd_per_unit, sale_type, quantity, cert, url, title, detail, rejection, file, line, origin_import_id,
  decision_id`;

type Inserted = { count: number; rejected: Record<string, number>; firstId: number | null };

/**
 * Inserts the staged sales (or cancellations, `which`) that the ledger does not have: ids that are new to it, and, as a further
 * revision, those that are `out`. `rows` is how many are staged.
 */
async function insertFresh(
  session: Session,
  { which, out }: { which: string; out: string },
  rows: number,
  importId: number,
): Promise<Inserted> {
  const fresh = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, import_id)
     select ${COLUMNS}, $1 from staged_sales where ${which} order by n
     on conflict (source, source_sale_id, revision) do nothing`,
    importId,
  );
  if (fresh.count === rows) return fresh;
  const again = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, revision, import_id)
     select ${COLUMNS}, newest.revision + 1, $1
     from (select distinct on (source, source_sale_id) * from staged_sales where ${which} order by source, source_sale_id, n) s
     cross join lateral (
       select x.id, x.revision from sales x where x.source = s.source and x.source_sale_id = s.source_sale_id
       order by x.revision desc limit 1
     ) newest
     where ${out} order by n`,
    importId,
  );
  const rejected = { ...fresh.rejected };
  for (const [reason, count] of Object.entries(again.rejected)) countReason(rejected, reason, count);
  return { count: fresh.count + again.count, rejected, firstId: fresh.firstId ?? again.firstId };
}

const isOut = (reasons: string) =>
  `exists (select from sale_voids v where v.sale_id = newest.id and v.reason in (${reasons}))`;

/** Writes staged sales that are new to the ledger, or of which everything was undone. */
export async function writeFresh(session: Session, rows: number, importId: number): Promise<Inserted> {
  const out = `(select exists (select from decisions)) and ${isOut(`'undone'`)}`;
  return await insertFresh(session, { which: `status = 'sold'`, out }, rows, importId);
}

/** Inserts into the ledger and counts what came in. */
async function insertCounted(session: Session, insert: string, importId: number): Promise<Inserted> {
  const rows = await session.query<{ rejection: string | null; count: number; first_id: number }>(
    `with inserted as (${insert} returning rejection, id)
     select rejection, count(*) as count, min(id) as first_id from inserted group by rejection`,
    [importId],
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
 * one before. A row equal to an older revision is an old file imported again, so it changes nothing; revisions that were
 * undone do not count. A sale that was taken back is not sold again. A sale rejected for what the file or the rates lacked is
 * accepted once a later file passes; one without a rate is rejected for its price or its day once that is known.
 */
export async function writeCorrections(session: Session, context: WriteContext): Promise<Inserted> {
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
             and x.price_minor = s.price_minor and x.currency = s.currency and ${isLive('x')}
             and not (coalesce(x.rejection, '') = 'fx_missing' and coalesce(s.rejection, '') in ('absurd_price', 'too_late'))
             and not (s.rejection is null and coalesce(x.rejection, '') in ('fx_missing', 'future', 'hidden_price', 'lot', 'not_card',
               'company_unsupported', 'grade_unsupported')))
         and not exists (
           select 1 from sales x left join sale_voids v on v.sale_id = x.id
           where x.source = s.source and x.source_sale_id = s.source_sale_id
             and (x.rejection in ${CANCELLED} and ${isLive('x')} or v.reason in ${CANCELLED} and ${isLiveVoid('v')}))
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

/**
 * A sale known already is voided; one reported for the first time enters rejected, so that it is seen. One that is out for another
 * reason is rejected too: it stays cancelled when that reason ends.
 */
export async function writeReversals(
  session: Session,
  context: WriteContext,
  rows: number,
): Promise<{ fresh: Inserted; voided: number }> {
  const out = isOut(`'undone', 'duplicate', 'dropped'`);
  const fresh = await insertFresh(session, { which: `status <> 'sold'`, out }, rows, context.importId);
  const voided = await session.query(
    `${insertVoids(
      `select distinct on (s.source, s.source_sale_id) x.id as sale_id, s.status as reason, null::bigint as superseded_by,
         case when s.known_day <= $2::int then s.known_at end as stated_at
       from staged_sales s join sales x on x.source = s.source and x.source_sale_id = s.source_sale_id
       where s.status <> 'sold' and x.rejection is distinct from s.status
         and not exists (select 1 from sales y
           where y.source = x.source and y.source_sale_id = x.source_sale_id and y.revision > x.revision)
       order by s.source, s.source_sale_id, s.n`,
    )} returning sale_id`,
    [context.importId, context.today],
  );
  return { fresh, voided: voided.length };
}
