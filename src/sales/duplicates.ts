import type { Session } from '../db/client.ts';
import { CANCELLED, isLive, isLiveVoid } from './undoing/live-sale.ts';
import { insertVoids, type WriteContext } from './voids.ts';

/**
 * Finds the sales that two sources reported, among those from `firstId` on (of `sources`) and all before, and
 * rejects the one that is not primary. Two rules:
 *   1. same cert, at most 3 days apart, prices within 1%;
 *   2. same series, at most 2 days apart, identical original amount, and one source is an aggregator of the other.
 * Sources that repeat no other come before aggregators, then the first by id is primary. A row is a duplicate when any row that
 * ranks before it matches, rejected as a duplicate or not: what is kept does not depend on the order of arrival (the link goes
 * to a primary known when the duplicate was found). What was cancelled at its source is so where an aggregator repeats it, too.
 * Returns how many new sales from `firstId` on were rejected; earlier ones get a void.
 */
export async function markDuplicates(
  session: Session,
  firstId: number,
  context: WriteContext,
  { sources, haveCerts }: { sources: readonly string[]; haveCerts: boolean },
): Promise<number> {
  const rules: string[] = [];
  if (haveCerts) rules.push(SAME_CERT);
  // Most ledgers have no aggregator: the lookup of every sale is then saved.
  const repeating = await session.query(
    `select from sources f join sources o on o.id = any(f.aggregates) or f.id = any(o.aggregates)
     where f.id = any($1) and exists (select from sales where source = o.id) limit 1`,
    [sources],
  );
  if (repeating.length > 0) rules.push(REPEATED_BY_AGGREGATOR);
  if (rules.length === 0) return 0;
  const [row] = await session.query<{ rejected: number }>(
    `with pairs as (${rules.join(' union ')}),
     ranked as (
       select case when a_first then b_id else a_id end as loser, case when a_first then a_id else b_id end as winner
       from (
         select p.a_id, p.b_id, (a.aggregates <> '{}', a.id) < (b.aggregates <> '{}', b.id) as a_first
         from pairs p join sources a on a.id = p.a_source join sources b on b.id = p.b_source
       ) ordered
     ),
     losers as (
       select distinct on (r.loser) r.loser, r.winner
       from ranked r join sales w on w.id = r.winner join sales l on l.id = r.loser join sources f on f.id = l.source
       where ${takesPart('l')} and (${takesPart('w')} or w.source = any(f.aggregates) and ${isCancelled('w')})
       order by r.loser, w.source, w.source_sale_id
     ),
     rejected as (
       update sales set rejection = 'duplicate', duplicate_of = l.winner
       from losers l where sales.id = l.loser and sales.id >= $3 and sales.rejection is null
       returning sales.*
     ),
     voided as (${insertVoids(
       `select l.loser as sale_id, 'duplicate' as reason, l.winner as superseded_by, null::timestamptz as stated_at
        from losers l join sales o on o.id = l.loser where l.loser < $3 and o.rejection is null`,
     )})
     select count(*) filter (where ${IS_FIRST}) as rejected from rejected`,
    [context.importId, context.today, firstId],
  );
  return row!.rejected;
}

// Corrections are counted as such. The first row that states a sale is one that has no earlier revision, or only undone ones.
const IS_FIRST = `revision = 0 or exists (
  select from sales p join sale_voids v on v.sale_id = p.id
  where p.source = rejected.source and p.source_sale_id = rejected.source_sale_id and p.revision = rejected.revision - 1
    and v.reason = 'undone')`;

/** A row that takes part: accepted, or rejected only as a duplicate. */
const takesPart = (alias: string) => `
  (${alias}.rejection is null or ${alias}.rejection = 'duplicate')
  and not exists (select 1 from sale_voids v where v.sale_id = ${alias}.id and v.reason <> 'duplicate')`;

/** What its source or a person cancelled, as it is still stated. */
const isCancelled = (alias: string) => `
  (${alias}.rejection in ${CANCELLED}
    or exists (select 1 from sale_voids v where v.sale_id = ${alias}.id and v.reason in ${CANCELLED} and ${isLiveVoid('v')}))
  and ${isLive(alias)}`;

// The new rows first, then each one's cert by the index: left alone, a planner without statistics scans the ledger.
const SAME_CERT = `
  select a.id as a_id, a.source as a_source, b.id as b_id, b.source as b_source
  from (select * from sales where id >= $3 and cert is not null offset 0) a
  join lateral (select * from sales where cert = a.cert and cert is not null offset 0) b
    on b.company = a.company and b.source <> a.source
    and abs(b.sold_day - a.sold_day) <= 3
    and abs(b.price_usd_cents - a.price_usd_cents) <= 0.01 * greatest(a.price_usd_cents, b.price_usd_cents)`;

const REPEATED_BY_AGGREGATOR = `
  select a.id as a_id, a.source as a_source, b.id as b_id, b.source as b_source
  from sales a join sources sa on sa.id = a.source
  join sales b
    on b.item_id = a.item_id and b.grade_key = a.grade_key and b.sold_day between a.sold_day - 2 and a.sold_day + 2
    and b.price_minor = a.price_minor and b.currency = a.currency and b.source <> a.source
  join sources sb on sb.id = b.source
  where a.id >= $3 and (b.source = any(sa.aggregates) or a.source = any(sb.aggregates))`;
