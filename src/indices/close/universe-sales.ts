import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import { type DailyValue, dailyValuesOf } from '../../pricing/store/daily-values.ts';
import type { SeriesName } from '../../sales/sale.ts';
import { type IndexDefinition, universeItems } from '../definitions.ts';
import { INDEX_RULES } from '../method/rules.ts';
import { COUNTED_SALES, type KnownSale } from './known-sales.ts';

/** With fewer sales in its window no series is considered. */
const SALES_MIN = Math.min(INDEX_RULES.minSales90, INDEX_RULES.keepSales90);

/** Items whose sales are read together. */
const PAGE_ITEMS = 5_000;

/** All that the rotations of an index choose from, read once for all of them. */
export type UniverseSales = {
  /** Rising. */
  rotationDays: readonly number[];
  series: UniverseSeries[];
  /** By item, rising by the close that acted on them. */
  withdrawals: Map<string, Withdrawal[]>;
};

/** An item withdrawn from the catalog or, when not `withdrawn`, returned to it. */
type Withdrawal = { closeDay: number; withdrawn: boolean };

/** A series with its counted sales in the windows of the rotations, in any order, and its value at the close of each rotation day. */
type UniverseSeries = SeriesName & { sales: KnownSale[]; values: (DailyValue | null)[] };

/** A series with the counted sales of the window that ends with a rotation day, as known by its close, and its value then. */
export type SeriesWindow = SeriesName & {
  sales: KnownSale[];
  /** Its first sale, or the last day before the window where it sold before it. */
  firstSaleDay: number;
  value: DailyValue | null;
};

/** Reads what the rotations of an index on `rotationDays`, which rise and are closed, choose from. `session` is one connection. */
export async function readUniverse(
  session: PricedSql,
  index: IndexDefinition,
  rotationDays: readonly number[],
): Promise<UniverseSales> {
  const series: UniverseSeries[] = [];
  const pages = await listItems(session, index);
  for (let page = 0; page < pages; page++) {
    const read = await readSeries(session, index, page, rotationDays[0]!, rotationDays.at(-1)!);
    const prices = await dailyValuesOf(session, read, rotationDays);
    for (const [i, one] of read.entries()) series.push({ ...one, values: prices[i]! });
  }
  return { rotationDays, series, withdrawals: await readWithdrawals(session) };
}

/** Lists the items of an index in a table of the session, by page, and returns how many pages they are. */
async function listItems(session: Sql, index: IndexDefinition): Promise<number> {
  const { sql, values } = universeItems(index);
  await session.query('drop table if exists pg_temp.index_universe');
  await session.query('create temp table index_universe (id uuid primary key, page int not null)');
  await session.query(
    `insert into index_universe select id, (row_number() over (order by id) - 1) / ${PAGE_ITEMS} from (${sql}) items`,
    values,
  );
  await session.query('create index on index_universe (page); analyze index_universe');
  const [row] = await session.query<{ pages: number }>(
    'select coalesce(max(page) + 1, 0) as pages from index_universe',
  );
  return row!.pages;
}

type SalesRow = SeriesName & { soldDays: number[]; cents: number[]; fromDays: number[]; untilDays: number[] };

/** The series of a page of items that have enough sales, with those in the windows that end from `firstDay` to `lastDay`. */
async function readSeries(
  session: Sql,
  { universe }: IndexDefinition,
  page: number,
  firstDay: number,
  lastDay: number,
): Promise<Omit<UniverseSeries, 'values'>[]> {
  // Item by item: the planner would read all sales rather than look up those of these items.
  const rows = await session.query<SalesRow>(
    `select one.id as "itemId", of_item.* from index_universe one cross join lateral (
       select k.grade_key as "gradeKey", json_agg(k.sold_day) as "soldDays", json_agg(k.price_usd_cents) as cents,
         json_agg(k.from_day) as "fromDays", json_agg(k.until_day) as "untilDays"
       from (${COUNTED_SALES} and s.item_id = one.id and s.sold_day > $2 and s.sold_day <= $3) k
       where k.grade_key = coalesce($4, k.grade_key) group by 1 having count(*) >= ${SALES_MIN} offset 0
     ) of_item where one.page = $1`,
    [page, firstDay - INDEX_RULES.windowDays, lastDay, universe.grade],
  );
  return rows.map(({ itemId, gradeKey, soldDays, cents, fromDays, untilDays }) => ({
    itemId,
    gradeKey,
    sales: soldDays.map((soldDay, i) => ({
      soldDay,
      priceUsdCents: cents[i]!,
      fromDay: fromDays[i]!,
      untilDay: untilDays[i]!,
    })),
  }));
}

async function readWithdrawals(session: Sql): Promise<Map<string, Withdrawal[]>> {
  const rows = await session.query<Withdrawal & { itemId: string }>(
    `select w.item_id as "itemId", w.close_day as "closeDay", w.withdrawn
     from item_withdrawals w join index_universe u on u.id = w.item_id
     where w.close_day is not null order by w.close_day, w.id`,
  );
  return groupBy(rows, ({ itemId }) => itemId);
}

/** The windows that end with a rotation day, without the items withdrawn by then. */
export async function windowsOf(session: Sql, universe: UniverseSales, day: number): Promise<SeriesWindow[]> {
  const { rotationDays, series, withdrawals } = universe;
  const { windowDays, seasonDays } = INDEX_RULES;
  const rotation = rotationDays.indexOf(day);
  const windows: SeriesWindow[] = [];
  const young: SeriesWindow[] = [];
  for (const { itemId, gradeKey, sales: all, values } of series) {
    const sales: KnownSale[] = [];
    let firstSaleDay = day;
    let hasSoldBefore = false;
    // One pass: each rotation goes through the sales of more than a year.
    for (const sale of all) {
      const { soldDay, fromDay, untilDay } = sale;
      if (soldDay > day || fromDay > day || untilDay <= day) continue;
      if (soldDay <= day - windowDays) {
        hasSoldBefore = true;
        continue;
      }
      sales.push(sale);
      firstSaleDay = Math.min(firstSaleDay, soldDay);
    }
    if (sales.length < SALES_MIN || isWithdrawn(withdrawals.get(itemId), day)) continue;
    const window = { itemId, gradeKey, sales, firstSaleDay, value: values[rotation]! };
    windows.push(window);
    if (firstSaleDay <= day - seasonDays) continue;
    if (hasSoldBefore) window.firstSaleDay = day - windowDays;
    else young.push(window);
  }
  // Sales before the first window were not read.
  const earlier = await soldThrough(session, young, rotationDays[0]! - windowDays, day);
  for (const place of earlier) young[place]!.firstSaleDay = day - windowDays;
  return windows;
}

/** The places of the series of which the close of `day` knew a counted sale through an earlier day. */
async function soldThrough(
  session: Sql,
  series: readonly SeriesName[],
  soldDay: number,
  day: number,
): Promise<number[]> {
  if (series.length === 0) return [];
  const rows = await session.query<{ place: number }>(
    `select one.place::int - 1 as place
     from unnest($1::uuid[], $2::text[]) with ordinality one (item_id, grade_key, place)
     cross join lateral (
       select from (${COUNTED_SALES}) k
       where k.item_id = one.item_id and k.grade_key = one.grade_key and k.sold_day <= $3
         and k.from_day <= $4 and k.until_day > $4 limit 1
     ) k`,
    [series.map(({ itemId }) => itemId), series.map(({ gradeKey }) => gradeKey), soldDay, day],
  );
  return rows.map(({ place }) => place);
}

function isWithdrawn(withdrawals: readonly Withdrawal[] | undefined, day: number): boolean {
  return withdrawals?.findLast(({ closeDay }) => closeDay <= day)?.withdrawn ?? false;
}
