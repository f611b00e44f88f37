import type { Session, Sql } from '../../db/client.ts';
import type { VenueClass } from '../model/params.ts';

/** Accepted sales as the model reads them from the ledger. */
export type LedgerSale = {
  id: number;
  itemId: string;
  gradeKey: string;
  soldDay: number;
  soldAtMs: number;
  priceUsdCents: number;
  venue: VenueClass;
  source: string;
  knownDay: number;
  /** The day whose close takes it in. */
  closedDay: number;
};

// A sale enters at the close of the day it became known, but never before the day it was sold on.
export const DUE_DAY = 'greatest(s.known_day, s.sold_day)';
export const ACCEPTED = 's.rejection is null and s.grade_key is not null and s.price_usd_cents is not null';
/** The sales that closes have taken in, and the day of that close: as noted, else the day each fell due. */
export const SALE_TAKEN = {
  day: `coalesce(u.closed_day, ${DUE_DAY})`,
  // Of the one row of the state, not joined with it: in the order of an index, as far as a statement wants them.
  from: (sales = 'sales') => `${sales} s left join sale_uses u on u.sale_id = s.id
    where ${ACCEPTED} and s.id <= (select seen_sale_id from model_state) and ${DUE_DAY} <= (select closed_day from model_state)
      and not exists (select from sale_voids v where v.sale_id = s.id and v.known_day <= ${DUE_DAY})`,
};
const COLUMNS = `s.id, s.item_id as "itemId", s.grade_key as "gradeKey", s.sold_day as "soldDay",
  (date_part('epoch', s.sold_at) * 1000)::int8 as "soldAtMs", s.price_usd_cents as "priceUsdCents", s.sale_type as venue,
  s.source, s.known_day as "knownDay"`;

/** Which part of the ledger a run takes in: ids above `seen` up to `upTo`, days above `closedDay` up to `through`. */
export type LedgerSpan = { seenSaleId: number; upToSaleId: number; closedDay: number | null; through: number };

/**
 * The newest sale id, once every import that has already taken ids has ended: a smaller id cannot appear afterwards.
 */
export async function settledSaleId(session: Session): Promise<number> {
  await session.query('begin');
  await session.query('lock table sales in share mode');
  const [row] = await session.query<{ id: number | null }>('select max(id) as id from sales');
  await session.query('commit');
  return row?.id ?? 0;
}

/**
 * How many sales fall due on each day of the span, in order of day. A sale reported after the close of its day (its id is
 * new, its day is not) falls due on the first day of the span.
 */
export async function dueDays(sql: Sql, span: LedgerSpan): Promise<{ day: number; sales: number }[]> {
  const { seenSaleId, upToSaleId, through } = span;
  return await sql.query<{ day: number; sales: number }>(
    `select greatest(${DUE_DAY}, $3) as day, count(*)::int as sales from sales s
     where ${ACCEPTED} and s.id <= $2 and ${DUE_DAY} <= $4
       and (s.known_day >= $3 - 2 and ${DUE_DAY} >= $3 or s.id > $1)
     group by 1 order by 1`,
    [seenSaleId, upToSaleId, firstDay(span), through],
  );
}

/** The accepted, unvoided sales that fall due from `fromDay` to `toDay`, in no order. `overdue`: with those reported late. */
export async function readSales(
  session: Session,
  span: LedgerSpan,
  fromDay: number,
  toDay: number,
  overdue: boolean,
): Promise<LedgerSale[]> {
  // Known at most a day before it was sold (time zones): the index on known_day finds a narrow range.
  const due = `s.known_day between ${fromDay - 2} and ${toDay} and ${DUE_DAY} between ${fromDay} and ${toDay}`;
  const late = `s.id > ${span.seenSaleId} and ${DUE_DAY} < ${fromDay}`;
  const part = (where: string, day: string) =>
    `select ${COLUMNS}, ${day} as "closedDay" from sales s where ${ACCEPTED} and s.id <= ${span.upToSaleId} and ${where}
       and not exists (select from sale_voids v where v.sale_id = s.id and v.known_day <= ${day})`;
  const parts = [part(due, DUE_DAY)];
  if (overdue) parts.push(part(late, String(fromDay)));
  return await session.query<LedgerSale>(parts.join(' union all '));
}

// The close that took a sale in: as noted, else its due day, but no earlier than the first day of the run that met it.
function takenDay(seenSaleId: string, firstDay: string): string {
  return `coalesce(u.closed_day, case when s.id > ${seenSaleId} then greatest(${DUE_DAY}, ${firstDay}) else ${DUE_DAY} end)`;
}

/**
 * A void the model has not acted on yet, and the day it acts. `taken`: its sale is in the card's state by then; `never`: it
 * would have been taken in, and now is not.
 */
export type DueVoid = { saleId: number; itemId: string; day: number; taken: boolean; never: boolean };

/** Voids that fall due from `fromDay` to `toDay`; `overdue`: with those reported late, which fall due on `fromDay`. */
export async function readVoids(
  sql: Sql,
  span: LedgerSpan,
  fromDay: number,
  toDay: number,
  overdue: boolean,
): Promise<DueVoid[]> {
  return await sql.query<DueVoid>(
    `select v.sale_id as "saleId", s.item_id as "itemId", greatest(v.known_day, $1) as day,
       ${ACCEPTED} and ${takenDay('$3', '$4')} < greatest(v.known_day, $1) as taken,
       ${ACCEPTED} and ${takenDay('$3', '$4')} >= greatest(v.known_day, $1) as never
     from sale_voids v join sales s on s.id = v.sale_id left join sale_uses u on u.sale_id = v.sale_id
     where v.known_day <= $2 and (v.known_day >= $1 or $6) and s.id <= $5 and u.voided_day is null order by 3, 1`,
    [fromDay, toDay, span.seenSaleId, firstDay(span), span.upToSaleId, overdue],
  );
}

/**
 * Every sale of a card that was taken in before `day` and that neither this run (`voided`) nor one before has taken out. A void that
 * came after its page was read is left to the next run.
 */
export async function readPast(
  sql: Sql,
  itemId: string,
  day: number,
  span: LedgerSpan,
  voided: ReadonlySet<number>,
): Promise<LedgerSale[]> {
  const taken = await sql.query<LedgerSale>(
    `select * from (
       select ${COLUMNS}, ${takenDay('$3', '$4')} as "closedDay"
       from sales s left join sale_uses u on u.sale_id = s.id
       where s.item_id = $1 and ${ACCEPTED} and s.id <= $2 and u.voided_day is null
     ) as past where "closedDay" < $5`,
    [itemId, span.upToSaleId, span.seenSaleId, firstDay(span), day],
  );
  return taken.filter(({ id }) => !voided.has(id));
}

/** What a sale adds to the history of its series. */
export type PastPrice = { itemId: string; gradeKey: string; priceUsdCents: number; closedDay: number };

/**
 * Prices of the sales of items that were taken in before `day` and are not voided by then, of each series only the newest
 * days that have `kept.sales` together, and the last `kept.days`.
 */
export async function readPastPrices(
  sql: Sql,
  itemIds: readonly string[],
  day: number,
  span: LedgerSpan,
  kept: { sales: number; days: number },
): Promise<PastPrice[]> {
  return await sql.query<PastPrice>(
    `select "itemId", "gradeKey", "priceUsdCents", "closedDay" from (
       select past.*, rank() over (partition by "itemId", "gradeKey" order by "closedDay" desc) as place from (
         select s.item_id as "itemId", s.grade_key as "gradeKey", s.price_usd_cents as "priceUsdCents",
           ${takenDay('$4', '$5')} as "closedDay"
         from sales s left join sale_uses u on u.sale_id = s.id
         where s.item_id = any($1) and ${ACCEPTED} and s.id <= $3
           and not exists (select from sale_voids v where v.sale_id = s.id and v.known_day <= $2)
       ) as past where "closedDay" < $2
     ) as placed where place <= $6 or "closedDay" >= $2 - $7::int`,
    [itemIds, day, span.upToSaleId, span.seenSaleId, firstDay(span), kept.sales, kept.days],
  );
}

// A day before any: the span of a first run begins there.
const BEFORE_ALL = -2_000_000;

export function firstDay({ closedDay }: LedgerSpan): number {
  return closedDay === null ? BEFORE_ALL : closedDay + 1;
}
