import type { Session } from '../../db/client.ts';
import { addRevisions, sameSale } from '../revisions.ts';
import { CANCELLED } from '../undoing/live-sale.ts';
import { insertVoids, voided, type WriteContext } from '../voids.ts';

/** The columns of a sale that its row states. */
export const COLUMNS = `source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
  price_usd_cents, price_minor, currency, usd_per_unit, sale_type, quantity, cert, url, title, detail, rejection, file, line, origin_import_id,
  decision_id`;

/** SQL: the sales that are staged. */
export const STAGED_KEYS = 'select source, source_sale_id from staged_rows';

/** SQL: those that further rows state, which `which` selects, or that were undone: what is inserted of them is compared too. */
export function statedAgain(which: string): string {
  return `${STAGED_KEYS} where ${which} union all select source, source_sale_id from revisions where void = 'undone'`;
}

type Inserted = { count: number; rejected: Record<string, number>; firstId: number | null };

/**
 * Inserts the staged sales that the ledger does not have: ids that are new to it, and those of which everything was undone,
 * as a further revision.
 */
export async function insertFresh(session: Session, which: string, importId: number): Promise<Inserted> {
  return await insertCounted(
    session,
    `insert into sales (${COLUMNS}, revision, import_id)
     select ${COLUMNS}, coalesce(newest.revision + 1, 0), $1 from staged_rows s left join lateral (
       select r.revision, r.void from revisions r where ${sameSale('r', 's')} order by r.revision desc limit 1
     ) newest on true
     where is_first and ${which} and coalesce(newest.void = 'undone', newest.revision is null) order by n`,
    [importId],
  );
}

/** Inserts into the ledger and counts what came in. Imports take turns, so every id above the highest one is new. */
export async function insertCounted(session: Session, insert: string, values: readonly unknown[]): Promise<Inserted> {
  const [top] = await session.query<{ id: number }>('select coalesce(max(id), 0) as id from sales');
  await session.query(insert, values);
  if (session.isCluster) await noteKeys(session, top!.id);
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

/** On a cluster `sale_keys` fails what would record a sale twice, and `revised_sales` has those with earlier revisions on each node. */
async function noteKeys(session: Session, above: number): Promise<void> {
  const added = `from sales where id > ${Number(above)}`;
  await session.query(
    `insert into sale_keys (source, source_sale_id, revision, id) select source, source_sale_id, revision, id ${added}`,
  );
  await session.query(`insert into revised_sales select * ${added} and revision > 0`);
}

/**
 * A row that differs from every revision of its sale is a correction: the next revision, and a void of the
 * one before. A row equal to an older revision is an old file imported again, so it changes nothing; revisions that were
 * undone do not count. A sale that was taken back is not sold again. A sale rejected for what the file or the rates lacked is accepted once a later file passes.
 */
export async function writeCorrections(session: Session, context: WriteContext): Promise<Inserted> {
  const inserted = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, revision, import_id)
     select ${COLUMNS}, newest + row_number() over (partition by source, source_sale_id order by n), $1
     from (
       select distinct on (s.source, s.source_sale_id, s.item_id, s.company, s.grade, s.sold_at, s.price_minor, s.currency)
         s.*, (select max(x.revision) from revisions x where ${sameSale('x', 's')}) as newest
       from staged_rows s
       where s.status = 'sold'
         and not exists (
           select from revisions x
           where ${sameSale('x', 's')}
             and x.item_id = s.item_id and x.company = s.company and x.grade = s.grade and x.sold_at = s.sold_at
             and x.price_minor = s.price_minor and x.currency = s.currency and x.is_live
             and not (s.rejection is null and coalesce(x.rejection, '') in ('fx_missing', 'future', 'hidden_price', 'lot', 'not_card',
               'company_unsupported', 'grade_unsupported')))
         and not exists (
           select from revisions x
           where ${sameSale('x', 's')}
             and (x.rejection in ${CANCELLED} and x.is_live or x.void in ${CANCELLED} and x.is_live_void))
       order by s.source, s.source_sale_id, s.item_id, s.company, s.grade, s.sold_at, s.price_minor, s.currency, s.n
     ) d
     where newest is not null order by n`,
    [context.importId],
  );
  if (inserted.firstId !== null) await voidCorrected(session, context, inserted.firstId);
  return inserted;
}

/** Notes the revisions that were written from `firstId` on, and voids those that they correct. */
export async function voidCorrected(session: Session, context: WriteContext, firstId: number): Promise<void> {
  await addRevisions(session, STAGED_KEYS, firstId);
  await session.query(
    insertVoids(
      `select ${voided('old')}, 'corrected' as reason, new.id as superseded_by, null::timestamptz as stated_at
       from revisions new join revisions old on ${sameSale('old', 'new')} and old.revision = new.revision - 1
       where new.id >= $3`,
    ),
    [context.importId, context.today, firstId],
  );
}

/** A sale known already is voided; one reported for the first time enters rejected, so that it is seen. */
export async function writeReversals(
  session: Session,
  context: WriteContext,
): Promise<{ fresh: Inserted; voided: number }> {
  const fresh = await insertFresh(session, `status <> 'sold'`, context.importId);
  if (fresh.firstId !== null) await addRevisions(session, statedAgain('not is_first'), fresh.firstId);
  const written = await session.query(
    `${insertVoids(
      `select distinct on (s.source, s.source_sale_id) ${voided('x')}, s.status as reason, null::bigint as superseded_by,
         s.known_at as stated_at
       from staged_rows s join revisions x on ${sameSale('x', 's')}
       where s.status <> 'sold' and x.rejection is distinct from s.status
         and not exists (select from revisions y where ${sameSale('y', 'x')} and y.revision > x.revision)
       order by s.source, s.source_sale_id, s.n`,
    )} returning sale_id`,
    [context.importId, context.today],
  );
  return { fresh, voided: written.length };
}
