import type { Sql } from '../../db/client.ts';
import type { SeriesName } from '../../sales/sale.ts';
import type { CountedSale } from '../method/evidence.ts';
import { INDEX_RULES } from '../method/rules.ts';

/**
 * The sales that closes knew, each from the close that took it in until the close that acted on its void. So the sales that a
 * past close knew can be found at any later time; sales newer than the last `reprice` are excluded (`+ 0` keeps the planner
 * off the id index, and `offset 0` from reading all uses for the sales of one item).
 */
const KNOWN_SALES = `
  select s.item_id, s.grade_key, s.sold_day, s.known_day, s.price_usd_cents, s.source, u.weight,
    coalesce(u.closed_day, greatest(s.known_day, s.sold_day)) as from_day, coalesce(u.voided_day, 2147483647) as until_day
  from sales s left join lateral (select * from sale_uses where sale_id = s.id offset 0) u on true
  where s.rejection is null and s.grade_key is not null and s.price_usd_cents is not null
    and s.id + 0 <= (select seen_sale_id from model_state)`;

/** The known sales that an index counts: those that the model did not take for outliers. */
export const COUNTED_SALES = `${KNOWN_SALES} and coalesce(u.weight, 1) >= ${INDEX_RULES.minSaleWeight}`;

/** A counted sale with the closes that knew it: from `fromDay` to the one before `untilDay`. */
export type KnownSale = Omit<CountedSale, 'source'> & { fromDay: number; untilDay: number };

/** What each close from `fromDay` to `toDay` knew of a series' counted sales in the window that ended with it. */
export async function salesByClose(
  sql: Sql,
  { itemId, gradeKey }: SeriesName,
  fromDay: number,
  toDay: number,
): Promise<(day: number) => CountedSale[]> {
  const sales = await sql.query<KnownSale & CountedSale>(
    `select k.sold_day as "soldDay", k.price_usd_cents as "priceUsdCents", k.source, k.from_day as "fromDay",
       k.until_day as "untilDay"
     from (${COUNTED_SALES}) k
     where k.item_id = $1 and k.grade_key = $2 and k.sold_day > $3 and k.sold_day <= $4`,
    [itemId, gradeKey, fromDay - INDEX_RULES.windowDays, toDay],
  );
  return (day) => sales.filter(({ fromDay, untilDay }) => fromDay <= day && day < untilDay);
}

/**
 * By place of a member, the first close from `fromDay` to `toDay` that leaves it out: it acts on the void of the last sale of
 * the series (outliers count as sales here too), or on a withdrawal of the item. An item that was back by the same close
 * was never withdrawn for an index.
 */
export async function leavingDays(
  sql: Sql,
  members: readonly SeriesName[],
  fromDay: number,
  toDay: number,
): Promise<Map<number, number>> {
  const rows = await sql.query<{ place: number; day: number }>(
    `with members as (
       select * from unnest($1::uuid[], $2::text[]) with ordinality m (item_id, grade_key, place)
     ), leaving as (
       select m.place, u.voided_day as day from members m
       join sales s on s.item_id = m.item_id and s.grade_key = m.grade_key
       join sale_voids v on v.sale_id = s.id
       join sale_uses u on u.sale_id = s.id and u.voided_day between $3 and $4
       where not exists (select from (${KNOWN_SALES}) k where k.item_id = m.item_id and k.grade_key = m.grade_key
         and k.from_day <= u.voided_day and k.until_day > u.voided_day)
       union all
       select m.place, w.close_day from members m
       join item_withdrawals w on w.item_id = m.item_id and w.withdrawn and w.close_day between $3 and $4
       where not exists (select from item_withdrawals later
         where later.item_id = w.item_id and later.close_day = w.close_day and later.id > w.id)
     )
     select place::int - 1 as place, min(day) as day from leaving group by place`,
    [members.map(({ itemId }) => itemId), members.map(({ gradeKey }) => gradeKey), fromDay, toDay],
  );
  return new Map(rows.map(({ place, day }) => [place, day]));
}
