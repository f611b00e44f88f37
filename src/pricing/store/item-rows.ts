import type { Sql } from '../../db/client.ts';
import { dayStartMs } from '../../lib/day.ts';
import type { VenueClass } from '../model/params.ts';
import type { Snapshot } from '../model/quote.ts';
import type { SetDeltas } from '../read/published.ts';
import { type CardSales, decodeCardSales } from './card-bytes.ts';
import { decodeSnapshots } from './snapshot-bytes.ts';

/** Quotes look this far back: the sparkline in full, and one day a year ago. */
export const SPARK_WEEKS = 16;
const SPARK_DAYS = SPARK_WEEKS * 7;
const LONGEST_MOVE_DAYS = 365;

/** What the database holds of an item's prices. */
export type ItemRows = {
  itemId: string;
  game: string;
  setId: number;
  /** Null while no sale of it has been taken in. */
  card: CardSales | null;
  /** By grade, rising by day. */
  snapshots: Map<number, Snapshot[]>;
  setDeltas: SetDeltas;
  /** The card's state as stored; null while no sale of it has been taken in. */
  state: Buffer | null;
  /** Accepted sales that no close has taken in yet, but corrections of sales that one has; in order of id. */
  pending: PendingSale[];
  /** Grades of its registered certs. */
  certified: string[];
};

/** The last closed day, and when it was closed. */
export type LastClose = { day: number; atMs: number };

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

type Row = { kind: string; item: string | null; n: number | null; word: string | null; bytes: Buffer | null };

// One statement for everything: rows of several kinds under common columns. Snapshots reach back to the days of a spark
// (or to $2) in full, with the ones in force on that day and a year before the last close.
const itemRowsSql = (wantedIds: string) => `
with state as (
  select closed_day, seen_sale_id, closed_at,
    coalesce($2, closed_day - ${SPARK_DAYS}) >> 5 as full_period,
    (closed_day - ${LONGEST_MOVE_DAYS}) >> 5 as year_period,
    least($2, closed_day - ${LONGEST_MOVE_DAYS}) as oldest_day
  from model_state
), wanted as (
  select i.id, i.game, i.set_id, c.state
  from items i left join card_states c on c.item_id = i.id where i.id = ${wantedIds}
)
select 'closed' as kind, null::uuid as item, closed_day as n, floor(date_part('epoch', closed_at) * 1000)::int8::text as word,
  null::bytea as bytes
from state
union all
select 'card', id, set_id, game, state from wanted
union all
select 'snapshot', w.id, t.period, null, t.snapshots from wanted w cross join state s cross join lateral (
  (select period, snapshots from card_snapshots where item_id = w.id and period >= s.full_period)
  union all
  (select period, snapshots from card_snapshots where item_id = w.id and period < s.full_period
   order by period desc limit 1)
  union all
  (select period, snapshots from card_snapshots where item_id = w.id and period <= least(s.year_period, s.full_period - 1)
   order by period desc limit 2)
) t where w.state is not null
union all
select 'curve', null, w.set_id, v.day || ' ' || v.terms::text, null
from (select distinct game, set_id from wanted where state is not null) w cross join state s cross join lateral (
  (select day, terms from curves where game = w.game and set_id = w.set_id and day > s.oldest_day)
  union all
  (select day, terms from curves where game = w.game and set_id = w.set_id and day <= s.oldest_day
   order by day desc limit 1)
) v
union all
select 'pending', s.item_id, null::int, json_build_object('id', s.id, 'gradeKey', s.grade_key, 'soldDay', s.sold_day,
  'soldAtMs', (date_part('epoch', s.sold_at) * 1000)::int8, 'knownDay', s.known_day,
  'recordedAtMs', floor(date_part('epoch', coalesce(m.finished_at, m.started_at)) * 1000)::int8,
  'priceUsdCents', s.price_usd_cents, 'venue', s.sale_type, 'source', s.source)::text, null::bytea
from sales s join imports m on m.id = s.import_id
where s.item_id = ${wantedIds}
  and (greatest(s.known_day, s.sold_day) > coalesce((select closed_day from state), -2000000)
    or s.id > (select seen_sale_id from state))
  and s.rejection is null and s.grade_key is not null and s.price_usd_cents is not null
  and not exists (select from sale_voids v where v.sale_id = s.id)
  -- The card's state has the sale that this one corrects; the close takes that out and this one in.
  and (s.revision = 0 or not exists (
    select from sales e join state on e.id <= seen_sale_id and greatest(e.known_day, e.sold_day) <= closed_day
    where e.source = s.source and e.source_sale_id = s.source_sale_id and e.revision < s.revision and e.item_id = s.item_id
      and e.rejection is null and e.grade_key is not null and e.price_usd_cents is not null
      and not exists (
        select from sale_voids v where v.sale_id = e.id and v.known_day <= greatest(e.known_day, e.sold_day))))
union all
select distinct 'certified', c.item_id, null::int, c.grade_key, null::bytea from certs c
where c.item_id = ${wantedIds} and c.grade_key is not null and c.state = 'active'`;

// PostgreSQL keeps the plan for one item; for an array it plans each time anew, which costs more than reading one item.
const ROWS_OF_ONE = itemRowsSql('($1::uuid[])[1]');
const ROWS_OF_MANY = itemRowsSql('any($1)');

/**
 * Rows of the items that exist, and the last close that they are of (null before the first one). Snapshots reach back far
 * enough for quotes and their moves, or to the one in force on `fromDay`.
 */
export async function itemRows(
  sql: Sql,
  itemIds: readonly string[],
  fromDay: number | null,
): Promise<{ last: LastClose | null; items: ItemRows[] }> {
  const [name, text] =
    itemIds.length === 1 ? ['pricing_rows_of_one', ROWS_OF_ONE] : ['pricing_rows_of_many', ROWS_OF_MANY];
  const rows = await sql.prepared<Row>(name, text, [itemIds, fromDay]);
  const items = new Map<string, ItemRows & { periods: Map<number, Buffer> }>();
  const deltas = new Map<number, SetDeltas>();
  let last: LastClose | null = null;
  for (const { kind, item, n, word, bytes } of rows) {
    if (kind === 'closed') last = { day: n!, atMs: word === null ? dayStartMs(n! + 1) : Number(word) };
    else if (kind === 'card') {
      const card = bytes === null ? null : decodeCardSales(bytes);
      const empty = { snapshots: new Map(), setDeltas: [], pending: [], certified: [], periods: new Map() };
      items.set(item!, { itemId: item!, game: word!, setId: n!, card, state: bytes, ...empty });
    } else if (kind === 'snapshot') items.get(item!)!.periods.set(n!, bytes!);
    else if (kind === 'pending') items.get(item!)?.pending.push(JSON.parse(word!) as PendingSale);
    else if (kind === 'certified') items.get(item!)?.certified.push(word!);
    else deltas.set(n!, [...(deltas.get(n!) ?? []), datedDeltas(word!)]);
  }
  for (const one of items.values()) {
    one.pending.sort((a, b) => a.id - b.id);
    one.setDeltas = (deltas.get(one.setId) ?? []).sort((a, b) => a.day - b.day);
    for (const period of [...one.periods.keys()].sort((a, b) => a - b)) {
      decodeSnapshots(one.periods.get(period)!, one.snapshots);
    }
  }
  return { last, items: [...items.values()] };
}

function datedDeltas(word: string): { day: number; deltas: number[] } {
  const gap = word.indexOf(' ');
  return { day: Number(word.slice(0, gap)), deltas: JSON.parse(word.slice(gap + 1)) as number[] };
}
