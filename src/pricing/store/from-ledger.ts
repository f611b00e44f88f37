import type { ClientConfig } from 'pg';
import { type Db, openDb } from '../../db/client.ts';
import { withLock } from '../../db/locks.ts';
import { RECORD_TABLES } from '../record/close-record.ts';
import { type RepriceOptions, reprice } from '../reprice.ts';
import { PRICE_TABLES } from './checkpoint.ts';

/** Name of the schema; one run uses it at a time. */
export const SCRATCH = 'index_scratch';

/**
 * Computes all prices again from the sales alone, in tables that hide the published ones and are dropped afterwards, and
 * works on a database that sees them. Sales and voids enter at the close that first took them in, which the dates of a late
 * one do not show; `asKnown`: on the days on which they were known, as if all had been there at the first close. Prices end with
 * `through`, or with the closed day. Waits for a running `reprice`; only reads what is published.
 */
export async function withPricesFromLedger<T>(
  db: Db,
  connection: ClientConfig,
  onProgress: RepriceOptions['onProgress'],
  work: (scratch: Db) => Promise<T>,
  { through = Number.POSITIVE_INFINITY, asKnown = false }: { through?: number; asKnown?: boolean } = {},
): Promise<T> {
  return await db.session((session) =>
    withLock(session, 'scratch', async () => {
      // A run that was killed leaves its schema behind.
      await session.query(`drop schema if exists ${SCRATCH} cascade`);
      await session.query(scratchTables(asKnown));
      const [state] = await session.query<{ day: number }>('select closed_day as day from model_state');
      const scratch = openDb({ connection, searchPath: `${SCRATCH}, public`, poolSize: 3 });
      try {
        await rejectPublished(scratch);
        if (state !== undefined)
          await reprice(scratch, { through: Math.min(state.day, through), ...(onProgress && { onProgress }) });
        return await work(scratch);
      } finally {
        await scratch.close();
        await session.query(`drop schema ${SCRATCH} cascade`);
      }
    }),
  );
}

/** A pooler that gives each statement another connection would let us read, and write, what is published. */
async function rejectPublished(scratch: Db): Promise<void> {
  const [row] = await scratch.query<{ schema: string }>(
    `select relnamespace::regnamespace::text as schema from pg_class where oid = 'model_state'::regclass`,
  );
  if (row!.schema !== SCRATCH)
    throw new Error('DATABASE_URL does not keep the search path of a connection: let its pooler pool sessions.');
}

function scratchTables(asKnown: boolean): string {
  const own = [...PRICE_TABLES, ...RECORD_TABLES].map(
    (name) => `create table ${SCRATCH}.${name} (like public.${name} including all);`,
  );
  const tables = `create schema ${SCRATCH};\n${own.join('\n')}`;
  if (asKnown) return tables;
  return `${tables}
    create view ${SCRATCH}.sales as
      select s.id, s.source, s.source_sale_id, s.revision, s.item_id, s.company, s.grade, s.grade_key, s.sold_at, s.sold_day,
        s.known_at, coalesce(u.closed_day, s.known_day) as known_day, s.price_usd_cents, s.sale_type, s.rejection, s.import_id
      from public.sales s left join public.sale_uses u on u.sale_id = s.id
      where s.id <= (select seen_sale_id from public.model_state);
    create view ${SCRATCH}.sale_voids as
      select v.sale_id, v.reason, v.known_at, u.voided_day as known_day
      from public.sale_voids v join public.sale_uses u on u.sale_id = v.sale_id where u.voided_day is not null;`;
}
