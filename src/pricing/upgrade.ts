import type { Db, Session } from '../db/client.ts';
import { withLock } from '../db/locks.ts';
import { MODEL_VERSION } from './model/params.ts';
import type { RepriceOptions } from './reprice.ts';
import { PRICE_TABLES } from './store/checkpoint.ts';
import { SCRATCH, withPricesFromLedger } from './store/from-ledger.ts';
import { type PastVersion, schemaOf } from './store/past-versions.ts';

/** Tables that a version publishes; the weights of sales are those of the newest. */
const PUBLISHED = PRICE_TABLES.filter((table) => table !== 'sale_uses');
const FOREIGN_KEYS = [
  ['set_levels', 'set_id', 'sets'],
  ['card_states', 'item_id', 'items'],
] as const;

/**
 * Where an earlier version of the model computed the prices: computes every closed day again from the ledger, for this
 * version to continue from, and keeps what was published in a schema of its own. Returns that version; null where there is
 * nothing to do. In one transaction at the end: killed before, the next run begins again.
 */
export async function upgradePrices(db: Db, onProgress?: RepriceOptions['onProgress']): Promise<PastVersion | null> {
  if ((await olderState(db)) === null) return null;
  return await withPricesFromLedger(db, db.connection, onProgress, () =>
    db.session((session) =>
      withLock(session, 'reprice', async () => {
        await session.query('begin');
        // Another process may have been first.
        const past = await olderState(session);
        if (past !== null) await replaceTables(session, past);
        await session.query('commit');
        return past;
      }),
    ),
  );
}

async function olderState(sql: Pick<Session, 'query'>): Promise<PastVersion | null> {
  const [row] = await sql.query<PastVersion>('select version, closed_day as "untilDay" from model_state');
  return row === undefined || row.version === MODEL_VERSION ? null : row;
}

async function replaceTables(session: Session, { version, untilDay }: PastVersion): Promise<void> {
  const past = schemaOf(version);
  await session.query(`create schema ${past}`);
  for (const table of PUBLISHED) {
    await session.query(`alter table public.${table} set schema ${past}`);
    await session.query(`alter table ${SCRATCH}.${table} set schema public`);
  }
  // The record of its days has the weights of its time.
  await session.query(`create table ${past}.sale_uses (like public.sale_uses including indexes)`);
  await session.query(`insert into ${past}.sale_uses select * from public.sale_uses`);
  for (const [table, column, target] of FOREIGN_KEYS)
    await session.query(
      `alter table public.${table} add constraint ${table}_${column}_fkey foreign key (${column}) references public.${target}`,
    );
  // The same sales are taken in, by the same closes; the moment of the last close stays.
  await session.query(
    `update public.model_state n set seen_sale_id = o.seen_sale_id, closed_at = o.closed_at from ${past}.model_state o`,
  );
  await session.query(
    `update public.sale_uses u set weight = coalesce(n.weight, 1)
     from public.sale_uses o left join ${SCRATCH}.sale_uses n on n.sale_id = o.sale_id
     where o.sale_id = u.sale_id and u.weight is not null`,
  );
  await session.query(
    `insert into public.sale_uses (sale_id, weight, closed_day)
     select sale_id, weight, closed_day from ${SCRATCH}.sale_uses n
     where not exists (select from public.sale_uses u where u.sale_id = n.sale_id)`,
  );
  await session.query('insert into public.price_versions (version, until_day) values ($1, $2)', [version, untilDay]);
  await session.query(`select pg_notify('prices', '')`);
}
