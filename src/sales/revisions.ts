import type { Session } from '../db/client.ts';
import { isLive, isLiveVoid } from './undoing/live-sale.ts';

const OF_SALE = `id, source, source_sale_id, revision, item_id, company, grade, grade_key, sold_at, known_at, known_day,
  price_minor, currency, rejection, import_id, decision_id, restores`;

/**
 * Begins `revisions`, a temporary table of all that the ledger has of the sales that a transaction compares: every revision,
 * whichever card it is of, with the reason of its void, and whether each is still stated. So they are read once, by their
 * keys, and what is decided on them joins no other sale.
 */
export async function openRevisions(session: Session): Promise<void> {
  await session.query(
    `create temp table if not exists revisions on commit delete rows as
       select ${OF_SALE}, false as is_live, null::text as void, false as is_live_void from sales with no data;
     create index if not exists revisions_by_sale on revisions (source, source_sale_id, revision);
     delete from revisions`,
  );
}

/** Adds the revisions of the sales that `keys` (SQL) selects as `source, source_sale_id`; those from the id `firstId` on. */
export async function addRevisions(session: Session, keys: string, firstId: number | null = null): Promise<void> {
  const columns = OF_SALE.split(',').map((column) => `x.${column.trim()}`);
  await session.query(
    `insert into revisions select ${columns.join(', ')}, ${isLive('x')}, v.reason, v.sale_id is not null and ${isLiveVoid('v')}
     from (select distinct source, source_sale_id from (${keys}) named (source, source_sale_id)) k
     join sales x on ${sameSale('x', 'k')} left join sale_voids v on v.sale_id = x.id
     ${firstId === null ? '' : `where x.id >= ${Number(firstId)}`}`,
  );
}

/** SQL: the revisions `a` and `b` are of one sale. */
export function sameSale(a: string, b: string): string {
  return `${a}.source = ${b}.source and ${a}.source_sale_id = ${b}.source_sale_id`;
}
