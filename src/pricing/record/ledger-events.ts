import type { Sql } from '../../db/client.ts';
import { onCluster } from '../../db/distribute/dialect.ts';
import type { DayEvents } from '../../record/day-line.ts';
import { DUE_DAY, firstDay, type LedgerSpan } from '../store/ledger-sales.ts';
import { periodOf } from '../store/snapshot-bytes.ts';

/** Sales below this weight have it in the record; others were taken in with at least this one. */
export const PLAIN_WEIGHT = 0.5;

/** A sale that never enters the price of its item, and the day whose record has it. */
export type RejectedSale = { id: number; itemId: string; day: number; reason: string; late: boolean };

/** The rejected sales that become known from `fromDay` to `toDay`; `overdue`: with those reported late. */
export async function readRejected(
  sql: Sql,
  span: LedgerSpan,
  fromDay: number,
  toDay: number,
  overdue: boolean,
): Promise<RejectedSale[]> {
  const columns = 's.id, s.item_id as "itemId", s.rejection as reason';
  const rejected = `from sales s where s.rejection is not null and s.id <= ${span.upToSaleId}`;
  const parts = [
    `select ${columns}, ${DUE_DAY} as day, false as late ${rejected}
       and s.known_day between ${fromDay - 2} and ${toDay} and ${DUE_DAY} between ${fromDay} and ${toDay}`,
  ];
  if (overdue && span.closedDay !== null)
    parts.push(
      `select ${columns}, ${fromDay} as day, true as late ${rejected}
         and s.id > ${span.seenSaleId} and ${DUE_DAY} < ${firstDay(span)}`,
    );
  return await sql.query<RejectedSale>(parts.join(' union all '));
}

/** The members of a line, without those that are empty; ids rising. */
export function dayEvents(
  taken: readonly { saleId: number; weight: number | null }[],
  rejected: readonly { id: number; reason: string }[],
  voided: readonly number[],
): DayEvents {
  const rising = (ids: number[]) => (ids.length > 1 ? ids.sort((a, b) => a - b) : ids);
  const events: DayEvents = {};
  if (taken.length > 0) events.sales = rising(taken.map(({ saleId }) => saleId));
  for (const { saleId, weight } of taken) {
    if (weight === null || weight >= PLAIN_WEIGHT) continue;
    events.weights ??= {};
    events.weights[saleId] = single(weight);
  }
  if (rejected.length > 0)
    events.rejected = [...rejected].sort((a, b) => a.id - b.id).map(({ id, reason }): [number, string] => [id, reason]);
  if (voided.length > 0) events.voided = rising([...voided]);
  return events;
}

/** Single precision in nine digits, from which it reads back. */
function single(value: number): number {
  return Number(Math.fround(value).toPrecision(9));
}

type EventRow = { saleId: number; itemId: string; reason: string | null; weight: number | null; voided: boolean };

/** SQL: sales that may have become known at the close of the day `$1`. */
const KNOWN_ON_DAY = `(select s.id from sales s where s.known_day between $1 - 2 and $1 and ${DUE_DAY} = $1
  union select sale_id from sale_uses where closed_day = $1
  union select sale_id from sale_uses where voided_day = $1) known join sales s using (id)`;

/** SQL: of the sales `s` in `from`, those that the close of the day `$1` took in, rejected or took out. */
function eventsFrom(from: string, where = 'true'): string {
  return `from ${from} left join sale_uses u on u.sale_id = s.id
    cross join lateral (select coalesce(u.closed_day, ${DUE_DAY}) as taken) t
    where ${where} and s.id <= (select seen_sale_id from model_state) and case
      when s.rejection is not null then t.taken = $1
      when s.grade_key is null or s.price_usd_cents is null then false
      when u.voided_day = $1 then t.taken < $1
      else t.taken = $1 and coalesce(u.voided_day > $1, true) end`;
}

/** How many sales of a series the close of a day took in, and took out. */
export type SeriesEvents = { itemId: string; gradeKey: string; taken: number; voided: number };

/** By card and grade. */
const SERIES_EVENTS = `s.item_id as "itemId", s.grade_key as "gradeKey",
  (count(*) filter (where u.voided_day is distinct from $1))::int as taken,
  (count(*) filter (where u.voided_day = $1))::int as voided`;

/** The events of the whole day, of which the first cards are taken. */
const OF_DAY = `select "itemId", "gradeKey", taken, voided from (
    select ${SERIES_EVENTS}, dense_rank() over (order by s.item_id) as place
    ${eventsFrom(KNOWN_ON_DAY)} and s.rejection is null and s.item_id > $2 group by s.item_id, s.grade_key
  ) events where place <= $3 order by "itemId", "gradeKey"`;

/** The cards that have a snapshot of the time of the day, one after another, until enough have events. */
const OF_CARDS = `with cards as (
    select c.item_id from card_snapshots c where c.period = $4 and c.item_id > $2
      and exists (select ${eventsFrom('sales s', 's.item_id = c.item_id')} and s.rejection is null)
    order by c.item_id limit $3
  ) select ${SERIES_EVENTS} ${eventsFrom(
    // By the index: joined, all sales would be read.
    onCluster('cards c, lateral (select * from sales where item_id = c.item_id offset 0) s', 'sales s'),
    onCluster('true', 's.item_id in (select item_id from cards)'),
  )}
    and s.rejection is null group by 1, 2 order by 1, 2`;

/** A close with more lines, such as that of an old ledger, has events that are not all read for each page of them. */
const MANY_LINES = 2000;

/** Those of the first `limit` cards after an id, of the cards that a close took sales in or out of, by card and grade. */
export async function seriesEvents(sql: Sql, day: number, afterItem: string, limit: number): Promise<SeriesEvents[]> {
  const [close] = await sql.query<{ isLarge: boolean }>(
    'select lines > $2 and not base as "isLarge" from record_days where day = $1',
    [day, MANY_LINES],
  );
  return close?.isLarge
    ? await sql.query<SeriesEvents>(OF_CARDS, [day, afterItem, limit, periodOf(day)])
    : await sql.query<SeriesEvents>(OF_DAY, [day, afterItem, limit]);
}

/** What became known of items, or of one, at the close of a day, by item, as the tables have it. */
export async function readEvents(sql: Sql, day: number, itemId?: string): Promise<Map<string, DayEvents>> {
  const rows = await sql.query<EventRow>(
    `select s.id as "saleId", s.item_id as "itemId", s.rejection as reason, u.weight, coalesce(u.voided_day = $1, false) as voided
     ${itemId === undefined ? eventsFrom(KNOWN_ON_DAY) : eventsFrom('sales s', 's.item_id = $2')}`,
    itemId === undefined ? [day] : [day, itemId],
  );
  const byItem = new Map<string, EventRow[]>();
  for (const row of rows) byItem.set(row.itemId, [...(byItem.get(row.itemId) ?? []), row]);
  return new Map(
    [...byItem].map(([itemId, ofItem]) => [
      itemId,
      dayEvents(
        ofItem.filter(({ reason, voided }) => reason === null && !voided),
        ofItem.flatMap(({ saleId: id, reason }) => (reason === null ? [] : [{ id, reason }])),
        ofItem.flatMap(({ saleId, reason, voided }) => (reason === null && voided ? [saleId] : [])),
      ),
    ]),
  );
}
