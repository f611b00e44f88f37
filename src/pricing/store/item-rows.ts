import type { Sql } from '../../db/client.ts';
import { dayStartMs } from '../../lib/day.ts';
import type { CardGrade } from '../model/card.ts';
import type { VenueClass } from '../model/params.ts';
import type { Snapshot } from '../model/quote.ts';
import { decodeCardSales } from './card-bytes.ts';
import { EDITION } from './past-versions.ts';
import { decodeSnapshots } from './snapshot-bytes.ts';

/** Quotes look this far back: the sparkline in full, and one day a year ago. */
export const SPARK_WEEKS = 16;
const SPARK_DAYS = SPARK_WEEKS * 7;
const LONGEST_MOVE_DAYS = 365;

/** What a quote states of the sales of a grade. */
export type OwnSales = Pick<CardGrade, 'grade' | 'sales' | 'lastDay' | 'lastSoldAtMs' | 'recent' | 'before'>;

/** What the database has of an item's prices. */
export type ItemRows = {
  itemId: string;
  game: string;
  setId: number;
  /** Null while no sale of it has been taken in. */
  card: { grades: OwnSales[] } | null;
  /** By grade, rising by day. */
  snapshots: Map<number, Snapshot[]>;
  /** The bytes that they were read from, with the updates that explain a price. */
  snapshotBytes: Buffer;
  /** The card's state as stored; null while no sale of it has been taken in. */
  state: Buffer | null;
  /** Accepted sales that no close has taken in yet, except corrections of sales that a close has; in order of id. */
  pending: PendingSale[];
  /** Grades of its registered certs. */
  certified: string[];
  /** Grades whose price is withheld, because the sales may be those of another card; `*`: every grade. */
  withheld: string[];
};

/**
 * The last closed day, when it was closed, and the version of the model that computed the prices, with their edition. `recordedAtMs`:
 * the same moment where the day has a record of them, else null.
 */
export type LastClose = {
  day: number;
  atMs: number;
  version: string;
  edition: string;
  recordedAtMs: number | null;
};

/** An accepted sale that waits for its close. */
export type PendingSale = {
  id: number;
  gradeKey: string;
  soldDay: number;
  soldAtMs: number;
  knownDay: number;
  /** When its import ended; when it began, while it runs. */
  recordedAtMs: number;
  priceUsdCents: number;
  venue: VenueClass;
  source: string;
};

type Row = Omit<ItemRows, 'card' | 'snapshots' | 'snapshotBytes'> & {
  snapshots: Buffer | null;
  /** Null before the first close; the moment also for a close that did not store it. */
  closedDay: number | null;
  closedAtMs: number | null;
  recordedAtMs: number | null;
  version: string | null;
  edition: string | null;
};

/**
 * How far snapshots of an item reach back from a closed day: to the days of a spark, and to `fromDay` if it is not null, in full,
 * with the ones in force on that day and a year before it. `snapshotsOf` reads them. All of them SQL.
 */
export const reachOf = (closedDay: string, fromDay: string) => `
  select least(${fromDay}, ${closedDay} - ${SPARK_DAYS}) >> 5 as full_period,
    (${closedDay} - ${LONGEST_MOVE_DAYS}) >> 5 as year_period`;

export const snapshotsOf = (itemId: string, closedDay: string) => `
  (select string_agg(t.snapshots, '' order by t.period) from (
    (select period, snapshots from card_snapshots where item_id = ${itemId} and period >= full_period
       and period <= ${closedDay} >> 5)
    union
    (select period, snapshots from card_snapshots where item_id = ${itemId} and period < full_period
     order by period desc limit 1)
    union
    (select period, snapshots from card_snapshots where item_id = ${itemId} and period <= least(year_period, full_period - 1)
     order by period desc limit 2)
  ) t)`;

const itemRowsSql = (wantedIds: string) => `
select i.id as "itemId", i.game, i.set_id as "setId", c.state, m.closed_day as "closedDay", m.version,
  ${EDITION} as edition,
  floor(date_part('epoch', m.closed_at) * 1000)::int8 as "closedAtMs",
  floor(date_part('epoch', d.closed_at) * 1000)::int8 as "recordedAtMs",
  ${snapshotsOf('c.item_id', 'm.closed_day')} as snapshots,
  (select coalesce(json_agg(json_build_object('id', s.id, 'gradeKey', s.grade_key, 'soldDay', s.sold_day,
     'soldAtMs', (date_part('epoch', s.sold_at) * 1000)::int8, 'knownDay', s.known_day,
     'recordedAtMs', floor(date_part('epoch', coalesce(n.finished_at, n.started_at)) * 1000)::int8,
     'priceUsdCents', s.price_usd_cents, 'venue', s.sale_type, 'source', s.source) order by s.id), '[]')
   from sales s join imports n on n.id = s.import_id
   where s.item_id = i.id
     and (greatest(s.known_day, s.sold_day) > coalesce(m.closed_day, -2000000) or s.id > m.seen_sale_id)
     and s.rejection is null and s.grade_key is not null and s.price_usd_cents is not null
     and not exists (select from sale_voids v where v.sale_id = s.id)
     -- The card's state has the sale that this one corrects; the close takes that out and this one in.
     and (s.revision = 0 or not exists (
       select from sales e
       where e.id <= m.seen_sale_id and greatest(e.known_day, e.sold_day) <= m.closed_day
         and e.source = s.source and e.source_sale_id = s.source_sale_id and e.revision < s.revision and e.item_id = s.item_id
         and e.rejection is null and e.grade_key is not null and e.price_usd_cents is not null
         and not exists (select from sale_uses u where u.sale_id = e.id and u.voided_day is not null)))
  ) as pending,
  array(select distinct grade_key from certs where item_id = i.id and grade_key is not null and state = 'active') as certified,
  array(select coalesce(grade_key, '*') from identity_suspect_series where item_id = i.id and withheld) as withheld
from items i left join card_states c on c.item_id = i.id left join model_state m on true
  left join record_days d on d.day = m.closed_day and not exists (select from price_versions p where p.until_day >= d.day)
  cross join lateral (
  ${reachOf('m.closed_day', '$2')}
) reach where i.id = ${wantedIds}`;

const ROWS_OF_ONE = itemRowsSql('($1::uuid[])[1]');
// Of `any($1)` it would plan each time anew, for the length of the array: a quarter of the time that 24 items take.
const ROWS_OF_MANY = itemRowsSql('any((select $1::uuid[])::uuid[])');

/**
 * Items read by one statement. A hundred sales that wait for their close cost an item about a millisecond; so a statement ends
 * well before its time is up, also where every card of a large set has them.
 */
const ITEMS_A_STATEMENT = 100;

/**
 * Rows of the items that exist, and the last close that they are of (null before the first one). Snapshots reach back far
 * enough for quotes and their moves, and to the one in force on `fromDay`.
 */
export async function itemRows(
  sql: Sql,
  itemIds: readonly string[],
  fromDay: number | null,
): Promise<{ last: LastClose | null; items: ItemRows[] }> {
  const rows = await rowsOfOneClose(sql, itemIds, fromDay);
  const items = rows.map((row): ItemRows => {
    const { itemId, game, setId, state, pending, certified, withheld } = row;
    const snapshotBytes = row.snapshots ?? Buffer.alloc(0);
    const card = state === null ? null : decodeCardSales(state);
    const snapshots = decodeSnapshots(snapshotBytes);
    return { itemId, game, setId, card, snapshots, snapshotBytes, state, pending, certified, withheld };
  });
  const { closedDay: day = null, closedAtMs = null, recordedAtMs = null, version, edition } = rows[0] ?? {};
  const last =
    day === null
      ? null
      : { day, atMs: closedAtMs ?? dayStartMs(day + 1), version: version!, edition: edition!, recordedAtMs };
  return { last, items };
}

/** Reads in parts before one statement reads everything: closes that follow each other fast never let the parts be of one. */
const TRIES = 3;

/** The rows, part by part; from the start again where a close ran in between. */
async function rowsOfOneClose(sql: Sql, itemIds: readonly string[], fromDay: number | null): Promise<Row[]> {
  for (let tries = 0; tries < TRIES && itemIds.length > ITEMS_A_STATEMENT; tries++) {
    const rows: Row[] = [];
    let isOfOne = true;
    for (let at = 0; at < itemIds.length && isOfOne; at += ITEMS_A_STATEMENT) {
      const part = await partOfRows(sql, itemIds.slice(at, at + ITEMS_A_STATEMENT), fromDay);
      for (const row of part) rows.push(row);
      isOfOne = part.every((row) => isOfSameClose(row, rows[0]!));
    }
    if (isOfOne) return rows;
  }
  return await partOfRows(sql, itemIds, fromDay);
}

function isOfSameClose(one: Row, other: Row): boolean {
  return one.closedDay === other.closedDay && one.closedAtMs === other.closedAtMs && one.edition === other.edition;
}

function partOfRows(sql: Sql, itemIds: readonly string[], fromDay: number | null): Promise<Row[]> {
  const [name, text] =
    itemIds.length === 1 ? ['pricing_rows_of_one', ROWS_OF_ONE] : ['pricing_rows_of_many', ROWS_OF_MANY];
  return sql.prepared<Row>(name, text, [itemIds, fromDay]);
}
