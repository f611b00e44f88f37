import type { Sql } from '../../db/client.ts';
import { onCluster } from '../../db/distribute/dialect.ts';
import type { SeriesName } from '../../sales/sale.ts';
import { type IndexDefinition, universeItems } from '../definitions.ts';
import type { CountedSale } from '../method/evidence.ts';
import { INDEX_RULES } from '../method/rules.ts';

/**
 * The sales that closes knew, each from the close that took it in until the close that acted on its void. So the sales that a
 * past close knew can be found at any later time; sales newer than the last `reprice` are excluded (`+ 0` keeps the planner
 * off the id index).
 */
const KNOWN_SALES = `
  select s.item_id, s.grade_key, s.sold_day, s.known_day, s.price_usd_cents, s.source, u.weight,
    coalesce(u.closed_day, greatest(s.known_day, s.sold_day)) as from_day, coalesce(u.voided_day, 2147483647) as until_day
  from sales s left join sale_uses u on u.sale_id = s.id
  where s.rejection is null and s.grade_key is not null and s.price_usd_cents is not null
    and s.id + 0 <= (select seen_sale_id from model_state)`;

/** The known sales that an index counts: those that the model did not take for outliers. */
export const COUNTED_SALES = `${KNOWN_SALES} and coalesce(u.weight, 1) >= ${INDEX_RULES.minSaleWeight}`;

/** A counted sale with the closes that knew it: from `fromDay` to the one before `untilDay`. */
type KnownSale = CountedSale & { fromDay: number; untilDay: number };

/** With fewer sales in its window no series is considered. */
const SALES_MIN = Math.min(INDEX_RULES.minSales90, INDEX_RULES.keepSales90);

/** A series with the counted sales of the window that ends with a rotation day, as known by its close. */
export type SeriesWindow = {
  itemId: string;
  gradeKey: string;
  sales: Pick<CountedSale, 'soldDay' | 'priceUsdCents'>[];
  /** Its first sale, or the last day before the window where it sold before it. */
  firstSaleDay: number;
};

/** Copies the counted sales of an index's universe into a table of the session, for the windows from `firstDay` to `lastDay`. */
export async function keepSales(
  session: Sql,
  index: IndexDefinition,
  firstDay: number,
  lastDay: number,
): Promise<void> {
  const { sql, values } = universeItems(index);
  await session.query('drop table if exists pg_temp.index_sales, pg_temp.index_universe');
  await session.query('create temp table index_universe (id uuid primary key)');
  await session.query(`insert into index_universe ${sql}`, values);
  await session.query('analyze index_universe');
  // Item by item: the planner would read all sales rather than look up those of these items.
  await session.query(
    `create temp table index_sales as
     select k.item_id, k.grade_key, k.sold_day, k.price_usd_cents, k.from_day, k.until_day
     from ${onCluster('index_universe one cross join lateral', '')} (
       ${COUNTED_SALES} and s.item_id ${onCluster('= one.id', 'in (select id from index_universe)')}
         and s.sold_day > ${firstDay - INDEX_RULES.windowDays} and s.sold_day <= ${lastDay} ${onCluster('offset 0', '')}
     ) k`,
  );
  await session.query('create index on index_sales (sold_day); analyze index_sales');
}

/** The windows that end with `day`, of the sales that are kept, without the items withdrawn by then. */
export async function windowsOf(session: Sql, { universe }: IndexDefinition, day: number): Promise<SeriesWindow[]> {
  const { windowDays, seasonDays } = INDEX_RULES;
  const known = `k.from_day <= ${day} and k.until_day > ${day}`;
  const rows = await session.query<Omit<SeriesWindow, 'sales'> & { soldDays: number[]; cents: number[] }>(
    `with windows as (
       select k.item_id, k.grade_key, min(k.sold_day) as first_day,
         json_agg(k.sold_day) as sold_days, json_agg(k.price_usd_cents) as cents
       from index_sales k where k.sold_day > ${day - windowDays} and k.sold_day <= ${day} and ${known}
       group by 1, 2 having count(*) >= ${SALES_MIN}
     )
     select w.item_id as "itemId", w.grade_key as "gradeKey", w.sold_days as "soldDays", w.cents,
       case when w.first_day > ${day - seasonDays} and ${onCluster(
         `(select true from (${COUNTED_SALES}) k
         where k.item_id = w.item_id and k.grade_key = w.grade_key and k.sold_day <= ${day - windowDays} and ${known} limit 1)`,
         `(w.item_id, w.grade_key) in (select k.item_id, k.grade_key from (${COUNTED_SALES}) k
         where k.item_id in (select item_id from windows) and k.sold_day <= ${day - windowDays} and ${known})`,
       )}
         then ${day - windowDays} else w.first_day end as "firstSaleDay"
     from windows w
     where not coalesce((select x.withdrawn from item_withdrawals x
       where x.item_id = w.item_id and x.close_day <= ${day} order by x.close_day desc, x.id desc limit 1), false)`,
  );
  const { grade } = universe;
  return rows
    .filter(({ gradeKey }) => grade === undefined || gradeKey === grade)
    .map(({ soldDays, cents, ...window }) => ({
      ...window,
      sales: soldDays.map((soldDay, i) => ({ soldDay, priceUsdCents: cents[i]! })),
    }));
}

/** What each close from `fromDay` to `toDay` knew of a series' counted sales in the window that ended with it. */
export async function salesByClose(
  sql: Sql,
  { itemId, gradeKey }: SeriesName,
  fromDay: number,
  toDay: number,
): Promise<(day: number) => CountedSale[]> {
  const sales = await sql.query<KnownSale>(
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
       where not exists (select from (${KNOWN_SALES}) k where k.item_id = s.item_id and k.grade_key = s.grade_key
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
