import type { Db, Session, Sql } from '../db/client.ts';
import { computeAgain } from './compute-again.ts';
import { closedDay } from './read/quotes.ts';
import type { RepriceOptions } from './reprice.ts';
import { SCRATCH } from './store/from-ledger.ts';
import { ACCEPTED, DUE_DAY } from './store/ledger-sales.ts';
import type { PastVersion } from './store/past-versions.ts';

/** What computing prices from the first sale would use; days are UTC day numbers. */
export type RestartPlan = {
  /** Accepted sales of closed days, and how many of them became known after the close of their day. */
  sales: number;
  older: number;
  /** The day of the first of them, the first day that has prices now, and the last closed day. */
  firstDay: number;
  pricedFrom: number;
  closedDay: number;
};

/** Null before the first close: then a close begins with the first sale anyway. */
export async function planRestart(sql: Sql): Promise<RestartPlan | null> {
  const [row] = await sql.query<RestartPlan & { firstDay: number | null }>(
    `select count(*)::int as sales, min(${DUE_DAY}) as "firstDay", m.closed_day as "closedDay",
       count(*) filter (where u.closed_day > ${DUE_DAY} or s.id > m.seen_sale_id)::int as older,
       (select min(day) from market_days) as "pricedFrom"
     from model_state m left join sales s on ${ACCEPTED} and ${DUE_DAY} <= m.closed_day
         and not exists (select from sale_voids v where v.sale_id = s.id and v.known_day <= ${DUE_DAY})
       left join sale_uses u on u.sale_id = s.id
     group by m.closed_day, m.seen_sale_id`,
  );
  return row === undefined || row.firstDay === null ? null : row;
}

/**
 * Computes every closed day again from the first sale, each sale on the day on which it was known, whenever its file came; later
 * closes go on from there. What was published stays readable, as after an upgrade of the model (docs/decisions/0023). Returns
 * what it was called; null before the first close. In one transaction at the end: killed before, nothing has changed.
 */
export async function restartPrices(db: Db, onProgress?: RepriceOptions['onProgress']): Promise<PastVersion | null> {
  const isNeeded = async (sql: Sql) => (await closedDay(sql)) !== null;
  return await computeAgain(db, { isNeeded, weights: ownCloses, asKnown: true }, onProgress);
}

/** Sales are taken in by the closes of their own days. */
async function ownCloses(session: Session): Promise<void> {
  await session.query('delete from public.sale_uses');
  await session.query(`insert into public.sale_uses select * from ${SCRATCH}.sale_uses`);
}
