import type { Session } from '../../db/client.ts';
import { markDuplicates } from '../duplicates.ts';
import { COLUMNS } from '../import/revise-sales.ts';
import { insertVoids } from '../voids.ts';
import { CANCELLED, isLive, isLiveVoid } from './live-sale.ts';

/** The decision that changes what is stated, the import that its voids are noted with, and the UTC day number. */
export type SettleContext = { decisionId: number; importId: number; today: number };

/** What settling did to the sales that count (accepted ones). */
export type Settled = {
  /** Sales that count no longer. */
  takenOut: number;
  /** Sales that count again, or as they were stated before. */
  broughtBack: number;
  /** Cards, and prices (a card in a grade), that one of these is of. */
  cards: number;
  prices: number;
};

/**
 * Brings sales to what is still stated of them, after an import was undone or a decision made or taken back. `keys` selects
 * `source, source_sale_id` (`$1` is `value`). Nothing is deleted: a sale that nothing states any more gets a void; an earlier
 * statement that holds again becomes the next revision, a copy of the one that it restores; sales that were rejected as
 * duplicates of a changed one are compared again. Runs in a transaction that has locked the ledger.
 */
export async function settle(session: Session, keys: string, value: unknown, context: SettleContext): Promise<Settled> {
  await session.query('drop table if exists pg_temp.settled_keys, pg_temp.settled_sales');
  await session.query(
    'create temp table settled_keys (source text, source_sale_id text, primary key (source, source_sale_id)) on commit drop',
  );
  await session.query('create temp table settled_sales (id bigint, counts boolean) on commit drop');
  await session.query(`insert into settled_keys ${keys} on conflict do nothing`, [value]);
  const firstId = await settleKeys(session, context, false);
  // A duplicate of one that changed may be the only statement of its sale now.
  await session.query('create temp table changed_keys on commit drop as select * from settled_keys');
  await session.query('truncate settled_keys');
  await session.query(`insert into settled_keys ${LOSERS} on conflict do nothing`);
  await session.query('drop table changed_keys');
  const secondId = await settleKeys(session, context, true);
  const from = firstId ?? secondId;
  if (from !== null) await markCopies(session, from, context);
  const [row] = await session.query<Settled>(
    `with counted as (
       select s.*, r.counts from settled_sales r join sales s on s.id = r.id
       where s.rejection is null and s.grade_key is not null
     ), keys as (select source, source_sale_id, bool_or(counts) as counts from counted group by 1, 2)
     select (select count(*) from keys where not counts) as "takenOut", (select count(*) from keys where counts) as "broughtBack",
       count(distinct item_id) as cards, count(distinct (item_id, grade_key)) as prices from counted`,
  );
  return row!;
}

const IS_NEWEST = `not exists (
  select from sales n where n.source = l.source and n.source_sale_id = l.source_sale_id and n.revision > l.revision)`;

/** Sales that are out as duplicates of one whose key changed. */
const LOSERS = `
  select l.source, l.source_sale_id from changed_keys k
  join sales w on w.source = k.source and w.source_sale_id = k.source_sale_id
  join sales l on l.duplicate_of = w.id where ${IS_NEWEST}
  union
  select l.source, l.source_sale_id from changed_keys k
  join sales w on w.source = k.source and w.source_sale_id = k.source_sale_id
  join sale_voids v on v.superseded_by = w.id and v.reason = 'duplicate'
  join sales l on l.id = v.sale_id where ${IS_NEWEST}`;

const OF_KEY = 'x.source = k.source and x.source_sale_id = k.source_sale_id';

/**
 * Each key with its newest revision and that one's void, the statement that holds (in the order in which they were made; a
 * copy has the place of the one that it restores), and why the sale is canceled, if it is.
 */
const STATES = `
  select c.id as newest, c.revision, c.rejection, cv.reason as void, e.id as stated,
    coalesce(c.restores, c.id) = coalesce(e.restores, e.id) as is_stated, t.reason as cancelled
  from settled_keys k
  cross join lateral (select x.* from sales x where ${OF_KEY} order by x.revision desc limit 1) c
  left join sale_voids cv on cv.sale_id = c.id
  left join lateral (
    select x.id, x.restores from sales x left join sales o on o.id = x.restores where ${OF_KEY} and ${isLive('x')}
    order by coalesce(o.revision, x.revision) desc, x.revision desc limit 1
  ) e on true
  left join lateral (
    select v.reason from sales x join sale_voids v on v.sale_id = x.id
    where ${OF_KEY} and v.reason in ${CANCELLED} and ${isLiveVoid('v')} order by x.revision desc limit 1
  ) t on true`;

/** A copy is compared with other sales anew. It counts from today on, as a void does. */
const COPIED = COLUMNS.replace(/\brejection\b/, `nullif(rejection, 'duplicate')`);

/** Settles the keys; returns the id of the first copy. `anew`: what a duplicate's primary was is not what it is. */
async function settleKeys(session: Session, context: SettleContext, anew: boolean): Promise<number | null> {
  const { decisionId, importId, today } = context;
  await session.query('analyze settled_keys');
  await session.query('drop table if exists pg_temp.settling');
  await session.query(`create temp table settling on commit drop as ${STATES}`);
  const stays = `is_stated and (void is null or void = 'duplicate') and not ${anew}`;
  const [top] = await session.query<{ id: number }>('select coalesce(max(id), 0) as id from sales');
  await session.query(
    `insert into sales (${COLUMNS}, revision, restores, restored_at, import_id)
     select ${COPIED}, next, original, greatest(known_at, to_timestamp(${Number(today)} * 86400.0)), import_id
     from (
       select e.*, g.revision + 1 as next, coalesce(e.restores, e.id) as original, g.newest
       from settling g join sales e on e.id = g.stated where g.cancelled is null and not (${stays})
     ) s order by newest`,
  );
  await session.query(
    `insert into settled_sales select id, true from sales where id > $1
     union all select newest, false from settling
     where void is null and rejection is null and (stated is null or cancelled is not null or not (${stays}))`,
    [top!.id],
  );
  await session.query(
    insertVoids(
      `select g.newest as sale_id, case when g.stated is null then 'undone' else coalesce(g.cancelled, 'corrected') end as reason,
         case when g.stated is not null and g.cancelled is null then n.id end as superseded_by,
         null::timestamptz as stated_at
       from settling g join sales c on c.id = g.newest left join sales n
         on n.source = c.source and n.source_sale_id = c.source_sale_id and n.revision = c.revision + 1
       where g.stated is null or g.cancelled is not null and not coalesce(g.rejection in ${CANCELLED}, false)
         or g.cancelled is null and not (${stays})`,
      decisionId,
    ),
    [importId, today],
  );
  const [first] = await session.query<{ id: number | null }>('select min(id) as id from sales where id > $1', [
    top!.id,
  ]);
  return first!.id;
}

async function markCopies(session: Session, firstId: number, { importId, today }: SettleContext): Promise<void> {
  const [kinds] = await session.query<{ sources: string[]; haveCerts: boolean }>(
    `select array_agg(distinct source) as sources, bool_or(cert is not null) as "haveCerts" from sales where id >= $1`,
    [firstId],
  );
  await markDuplicates(session, firstId, { importId, today }, kinds!);
}
