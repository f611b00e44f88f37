import type { Session } from '../../db/client.ts';
import { markDuplicates } from '../duplicates.ts';
import { COLUMNS, insertCounted } from '../import/revise-sales.ts';
import { addRevisions, openRevisions, sameSale } from '../revisions.ts';
import { insertVoids } from '../voids.ts';
import { CANCELLED } from './live-sale.ts';

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
  await session.query('drop table if exists pg_temp.settled_keys, pg_temp.settled_sales, pg_temp.losing_sales');
  await session.query(
    'create temp table settled_keys (source text, source_sale_id text, primary key (source, source_sale_id)) on commit drop',
  );
  await session.query('create temp table settled_sales (id bigint, item_id uuid, counts boolean) on commit drop');
  await session.query(`insert into settled_keys ${keys} on conflict do nothing`, [value]);
  await openRevisions(session);
  const firstId = await settleKeys(session, context, false);
  // A duplicate of one that changed may be the only statement of its sale now.
  await session.query(`create temp table losing_sales on commit drop as ${LOSERS}`);
  await session.query('truncate settled_keys, revisions');
  await session.query(
    'insert into settled_keys select source, source_sale_id from losing_sales on conflict do nothing',
  );
  const secondId = await settleKeys(session, context, true);
  const from = firstId ?? secondId;
  if (from !== null) await markCopies(session, from, context);
  const [row] = await session.query<Settled>(
    `with counted as (
       select s.source, s.source_sale_id, s.item_id, s.grade_key, r.counts
       from settled_sales r join sales s on s.id = r.id and s.item_id = r.item_id
       where s.rejection is null and s.grade_key is not null
     ), keys as (select source, source_sale_id, bool_or(counts) as counts from counted group by 1, 2)
     select (select count(*) from keys where not counts) as "takenOut", (select count(*) from keys where counts) as "broughtBack",
       count(distinct item_id) as cards, count(distinct (item_id, grade_key)) as prices from counted`,
  );
  return row!;
}

/** Sales that are out as duplicates of one whose key changed. */
const LOSERS = `
  select l.id, l.source, l.source_sale_id from revisions w join sales l on l.duplicate_of = w.id
  union
  select l.id, l.source, l.source_sale_id from revisions w
  join sale_voids v on v.superseded_by = w.id and v.reason = 'duplicate' join sales l on l.id = v.sale_id`;

const OF_KEY = sameSale('x', 'k');

/**
 * Each key with its newest revision and that one's void, the statement that holds (in the order in which they were made; a
 * copy has the place of the one that it restores), and why the sale is cancelled, if it is.
 */
const STATES = `
  select c.id as newest, c.source, c.source_sale_id, c.item_id, c.known_at, c.known_day, c.revision, c.rejection, c.void,
    e.id as stated, e.item_id as stated_item, coalesce(c.restores, c.id) = coalesce(e.restores, e.id) as is_stated, t.reason as cancelled
  from settled_keys k
  cross join lateral (select x.* from revisions x where ${OF_KEY} order by x.revision desc limit 1) c
  left join lateral (
    select x.id, x.item_id, x.restores from revisions x left join revisions o on ${sameSale('o', 'x')} and o.id = x.restores
    where ${OF_KEY} and x.is_live order by coalesce(o.revision, x.revision) desc, x.revision desc limit 1
  ) e on true
  left join lateral (
    select x.void as reason from revisions x where ${OF_KEY} and x.void in ${CANCELLED} and x.is_live_void order by x.revision desc limit 1
  ) t on true`;

/** A copy is compared with other sales anew. It counts from today on, as a void does. */
const COPIED = COLUMNS.replace(/\brejection\b/, `nullif(rejection, 'duplicate')`);

/**
 * Settles the keys; returns the id of the first copy. `ofLosers`: those of `losing_sales` whose newest revision is there, and
 * what a duplicate's primary was is not what it is.
 */
async function settleKeys(session: Session, context: SettleContext, ofLosers: boolean): Promise<number | null> {
  const { decisionId, importId, today } = context;
  await session.query('analyze settled_keys');
  await addRevisions(session, 'select source, source_sale_id from settled_keys');
  await session.query('drop table if exists pg_temp.settling');
  const which = ofLosers ? 'where c.id in (select id from losing_sales)' : '';
  await session.query(`create temp table settling on commit drop as ${STATES} ${which}`);
  const stays = `g.is_stated and (g.void is null or g.void = 'duplicate') and not ${ofLosers}`;
  const { firstId } = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, revision, restores, restored_at, import_id)
     select ${COPIED}, next, original, greatest(known_at, to_timestamp(${Number(today)} * 86400.0)), import_id
     from (
       select e.*, g.revision + 1 as next, coalesce(e.restores, e.id) as original, g.newest
       from settling g join sales e on e.id = g.stated and e.item_id = g.stated_item where g.cancelled is null and not (${stays})
     ) s order by newest`,
    [],
  );
  if (firstId !== null) {
    await addRevisions(session, 'select source, source_sale_id from settled_keys', firstId);
    await session.query('insert into settled_sales select id, item_id, true from revisions where id >= $1', [firstId]);
  }
  await session.query(
    `insert into settled_sales select g.newest, g.item_id, false from settling g
     where g.void is null and g.rejection is null and (g.stated is null or g.cancelled is not null or not (${stays}))`,
  );
  await session.query(
    insertVoids(
      `select g.newest as sale_id, g.item_id, g.known_at, g.known_day,
         case when g.stated is null then 'undone' else coalesce(g.cancelled, 'corrected') end as reason,
         case when g.stated is not null and g.cancelled is null then n.id end as superseded_by,
         null::timestamptz as stated_at
       from settling g left join revisions n on ${sameSale('n', 'g')} and n.revision = g.revision + 1
       where g.stated is null or g.cancelled is not null and not coalesce(g.rejection in ${CANCELLED}, false)
         or g.cancelled is null and not (${stays})`,
      decisionId,
    ),
    [importId, today],
  );
  return firstId;
}

async function markCopies(session: Session, firstId: number, { importId, today }: SettleContext): Promise<void> {
  const [kinds] = await session.query<{ sources: string[]; haveCerts: boolean }>(
    `select array_agg(distinct source) as sources, bool_or(cert is not null) as "haveCerts" from sales where id >= $1`,
    [firstId],
  );
  await markDuplicates(session, firstId, { importId, today }, kinds!);
}
