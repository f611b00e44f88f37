import type { Db, Session } from '../db/client.ts';
import { computeAgain } from './compute-again.ts';
import { MODEL_VERSION } from './model/params.ts';
import type { RepriceOptions } from './reprice.ts';
import { SCRATCH } from './store/from-ledger.ts';
import type { PastVersion } from './store/past-versions.ts';

/**
 * Where an earlier version of the model computed the prices: computes every closed day again from the ledger, for this
 * version to continue from, and keeps what was published in a schema of its own. Returns that version; null where there is
 * nothing to do. In one transaction at the end: killed before, the next run begins again.
 */
export async function upgradePrices(db: Db, onProgress?: RepriceOptions['onProgress']): Promise<PastVersion | null> {
  if (!(await isOlder(db))) return null;
  // Another process may be first.
  return await computeAgain(db, { isNeeded: isOlder, weights: sameCloses, asKnown: false }, onProgress);
}

async function isOlder(sql: Pick<Session, 'query'>): Promise<boolean> {
  const [row] = await sql.query<{ version: string }>('select version from model_state');
  return row !== undefined && row.version !== MODEL_VERSION;
}

/** The same sales are taken in, by the same closes, with other weights. */
async function sameCloses(session: Session, past: string): Promise<void> {
  await session.query(`update public.model_state n set seen_sale_id = o.seen_sale_id from ${past}.model_state o`);
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
}
