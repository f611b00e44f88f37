import type { Session } from '../db/client.ts';
import { onCluster } from '../db/distribute/dialect.ts';
import { insertVoids, voided, type WriteContext } from './voids.ts';

/**
 * Finds the sales that two sources reported, among those from `firstId` on (of `sources`) and all before, and
 * rejects the one that is not primary. Two rules:
 *   1. same cert, at most 3 days apart, prices within 1%;
 *   2. same series, at most 2 days apart, identical original amount, and one source is an aggregator of the other.
 * Primary is the source that the other one repeats; between independent sources, the first by id. A row is a duplicate
 * when any row that ranks before it matches, rejected as a duplicate or not: what is kept does not depend on the order of arrival
 * (the link goes to a primary known when the duplicate was found).
 * Returns how many new sales from `firstId` on were rejected; earlier ones get a void.
 */
export async function markDuplicates(
  session: Session,
  firstId: number,
  context: WriteContext,
  { sources, haveCerts }: { sources: readonly string[]; haveCerts: boolean },
): Promise<number> {
  const rules = haveCerts ? [SAME_CERT] : [];
  // Most ledgers have no aggregator: the lookup of every sale is then saved.
  const repeating = await session.query<{ id: string }>(
    'select o.id from sources f join sources o on o.id = any(f.aggregates) or f.id = any(o.aggregates) where f.id = any($1)',
    [sources],
  );
  const repeated = repeating.length === 0 ? [] : await session.query(ANY_OF, [repeating.map(({ id }) => id)]);
  if (repeated.length > 0) rules.push(REPEATED_BY_AGGREGATOR);
  if (rules.length === 0) return 0;
  await session.query(
    `create temp table if not exists pairs on commit delete rows as ${SAME_CERT(0)} with no data; delete from pairs`,
  );
  for (const ruleFrom of rules) await session.query(`insert into pairs ${ruleFrom(firstId)}`);
  if ((await session.query('select 1 from pairs limit 1')).length === 0) return 0;
  await session.query(`drop table if exists pg_temp.losers; create temp table losers on commit drop as ${LOSERS}`);
  const rejected = await session.query<{ revision: number; source: string; source_sale_id: string }>(
    `update sales set rejection = 'duplicate', duplicate_of = l.winner from losers l
     where sales.id = l.id and sales.item_id = l.item_id and l.id >= $1 and l.rejection is null
     returning sales.revision, sales.source, sales.source_sale_id`,
    [firstId],
  );
  await session.query(
    insertVoids(
      `select ${voided('l')}, 'duplicate' as reason, l.winner as superseded_by, null::timestamptz as stated_at
       from losers l where l.id < $3 and l.rejection is null`,
    ),
    [context.importId, context.today, firstId],
  );
  return await countFirst(session, rejected);
}

const ANY_OF = 'select 1 from sales where source = any($1) limit 1';

/** Corrections are counted as such. The first row that states a sale is one that has no earlier revision, or only undone ones. */
async function countFirst(
  session: Session,
  rows: readonly { revision: number; source: string; source_sale_id: string }[],
): Promise<number> {
  const later = rows.filter(({ revision }) => revision > 0);
  if (later.length === 0) return rows.length;
  const [again] = await session.query<{ count: number }>(
    `select count(*)::int as count from sales p join sale_voids v on v.sale_id = p.id
     where v.reason = 'undone'
       and (p.source, p.source_sale_id, p.revision + 1) in (select * from unnest($1::text[], $2::text[], $3::int[]))`,
    [
      later.map(({ source }) => source),
      later.map(({ source_sale_id }) => source_sale_id),
      later.map(({ revision }) => revision),
    ],
  );
  return rows.length - later.length + again!.count;
}

/** A row that takes part: accepted, or rejected only as a duplicate. */
const takesPart = (alias: string) => `
  (${alias}.rejection is null or ${alias}.rejection = 'duplicate')
  and not exists (select 1 from sale_voids v where v.sale_id = ${alias}.id and v.reason <> 'duplicate')`;

const BOTH = ['a', 'b']
  .map((x) =>
    ['id', 'item_id', 'source', 'source_sale_id', 'rejection', 'known_at', 'known_day']
      .map((column) => `${x}.${column} as ${x}_${column}`)
      .join(', '),
  )
  .join(', ');

// The new rows first, then each one's cert by the index: left alone, a planner without statistics scans the ledger.
const SAME_CERT = (firstId: number) => `
  select ${BOTH} from (select * from sales where id >= ${Number(firstId)} and cert is not null offset 0) a
  join ${onCluster('lateral (select * from sales where cert = a.cert and cert is not null offset 0)', 'sales')} b
    on b.cert = a.cert and b.company = a.company and b.source <> a.source
    and abs(b.sold_day - a.sold_day) <= 3
    and abs(b.price_usd_cents - a.price_usd_cents) <= 0.01 * greatest(a.price_usd_cents, b.price_usd_cents)
  where ${takesPart('a')} and ${takesPart('b')}`;

const REPEATED_BY_AGGREGATOR = (firstId: number) => `
  select ${BOTH} from sales a join sources sa on sa.id = a.source
  join sales b
    on b.item_id = a.item_id and b.grade_key = a.grade_key and b.sold_day between a.sold_day - 2 and a.sold_day + 2
    and b.price_minor = a.price_minor and b.currency = a.currency and b.source <> a.source
  join sources sb on sb.id = b.source
  where a.id >= ${Number(firstId)} and (b.source = any(sa.aggregates) or a.source = any(sb.aggregates))
    and ${takesPart('a')} and ${takesPart('b')}`;

/** The columns of one of the two, `x`, by their own names. */
const sideOf = (x: string) =>
  ['id', 'item_id', 'rejection', 'known_at', 'known_day'].map((column) => `${x}_${column} as ${column}`).join(', ');

/** The sales of `pairs` that are not primary, each with the primary one. */
const LOSERS = `
  with ranked as materialized (
    select p.*, case
      when a.id = any(b.aggregates) and not b.id = any(a.aggregates) then true
      when b.id = any(a.aggregates) and not a.id = any(b.aggregates) then false
      else a.id < b.id
    end as a_first
    from pairs p join sources a on a.id = p.a_source join sources b on b.id = p.b_source
  )
  select distinct on (id) * from (
    select ${sideOf('b')}, a_id as winner, a_source as source, a_source_sale_id as source_sale_id from ranked where a_first
    union all
    select ${sideOf('a')}, b_id, b_source, b_source_sale_id from ranked where not a_first
  ) l order by id, source, source_sale_id`;
