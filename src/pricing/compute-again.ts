import { amongOthers } from '../db/among-others.ts';
import type { Db, Session, Sql } from '../db/client.ts';
import { withLock } from '../db/locks.ts';
import { FIRST_CLOSES } from '../sales/import/first-closes.ts';
import { type RepriceOptions, reprice } from './reprice.ts';
import { PRICE_TABLES } from './store/checkpoint.ts';
import { SCRATCH, withPricesFromLedger } from './store/from-ledger.ts';
import { type PastVersion, schemaOf } from './store/past-versions.ts';

/** Tables that a version publishes; the weights of sales are those of the newest. */
const PUBLISHED = PRICE_TABLES.filter((table) => table !== 'sale_uses');
const FOREIGN_KEYS = [
  ['set_levels', 'set_id', 'sets'],
  ['card_states', 'item_id', 'items'],
] as const;

type ComputeAgain = {
  /** Of the last moment: another process may have been first. */
  isNeeded: (sql: Sql) => Promise<boolean>;
  /** As in `withPricesFromLedger`. */
  asKnown: boolean;
  /** How what is noted of sales (the close that took each in, its weight) becomes that of the new prices. */
  weights: (session: Session, past: string) => Promise<void>;
};

/**
 * Computes every closed day again from the ledger and puts these prices in the place of those that are published, which move to
 * a schema of their own and stay readable there. Returns what they are called; null where it is not needed. In one transaction at
 * the end, which waits for backups and lets reads pass meanwhile.
 */
export async function computeAgain(
  db: Db,
  { isNeeded, asKnown, weights }: ComputeAgain,
  onProgress: RepriceOptions['onProgress'],
): Promise<PastVersion | null> {
  const exchange = async (session: Session): Promise<PastVersion | number | null> => {
    if (!(await isNeeded(session))) return null;
    const [row] = await session.query<{ closed: number; replayed: number }>(
      `select (select closed_day from public.model_state) as closed, (select closed_day from ${SCRATCH}.model_state) as replayed`,
    );
    return row!.closed === row!.replayed ? await replaceTables(session, weights) : row!.closed;
  };
  const replay = async (scratch: Db): Promise<PastVersion | null> => {
    for (;;) {
      const outcome = await db.session((session) =>
        withLock(session, 'reprice', () => amongOthers(db, session, () => exchange(session))),
      );
      if (typeof outcome !== 'number') return outcome;
      // A worker has closed a day meanwhile.
      await reprice(scratch, { through: outcome, ...(onProgress && { onProgress }) });
    }
  };
  return await withPricesFromLedger(db, db.connection, onProgress, replay, { asKnown });
}

/** The exchange, in a transaction of a session that holds the lock of closes. */
async function replaceTables(session: Session, weights: ComputeAgain['weights']): Promise<PastVersion> {
  const [row] = await session.query<PastVersion & { firstDays: object | null }>(
    `select m.version, m.closed_day as "untilDay", (select min(day) from market_days) as "fromDay",
       (select count(*)::int from price_versions p where p.version = m.version) + 1 as run,
       (select jsonb_object_agg(game, day) from (${FIRST_CLOSES}) f) as "firstDays" from model_state m`,
  );
  const { firstDays, ...ended } = row!;
  const past = schemaOf(ended);
  // All at once: reads wait for one lock, not for each in turn.
  const exchanged = PUBLISHED.map((table) => `public.${table}`).join(', ');
  await session.query(`lock table ${exchanged} in access exclusive mode`);
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
  // The moment of the last close stays.
  await session.query(`update public.model_state n set closed_at = o.closed_at from ${past}.model_state o`);
  await weights(session, past);
  await session.query(
    'insert into public.price_versions (version, run, from_day, until_day, first_days) values ($1, $2, $3, $4, $5)',
    [ended.version, ended.run, ended.fromDay, ended.untilDay, firstDays],
  );
  await session.query(`select pg_notify('prices', '')`);
  return ended;
}
