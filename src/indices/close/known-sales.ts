import { int4Array, int8Array, readBinaryRows } from '../../db/binary-rows.ts';
import type { Session, Sql } from '../../db/client.ts';
import type { SeriesName } from '../../sales/sale.ts';
import { type IndexDefinition, universeItems } from '../definitions.ts';
import type { CountedSale } from '../method/evidence.ts';
import { INDEX_RULES } from '../method/rules.ts';
import { withdrawnItems } from './withdrawals.ts';

/**
 * The sales that closes knew. One stands from the close that took it in until the close that acted on its void, so that
 * what a close saw can be found at any later time; sales newer than the last `reprice` are excluded (`+ 0` keeps the planner off the id index).
 */
const KNOWN_SALES = `
  select s.item_id, s.grade_key, s.sold_day, s.known_day, s.price_usd_cents, s.source, u.weight,
    coalesce(u.closed_day, greatest(s.known_day, s.sold_day)) as from_day, coalesce(u.voided_day, 2147483647) as until_day
  from sales s left join sale_uses u on u.sale_id = s.id
  where s.rejection is null and s.grade_key is not null and s.price_usd_cents is not null
    and s.id + 0 <= (select seen_sale_id from model_state)`;

/** Of those the ones that an index counts: the model did not take them for outliers. */
export const COUNTED_SALES = `${KNOWN_SALES} and coalesce(u.weight, 1) >= ${INDEX_RULES.minSaleWeight}`;

/** A counted sale with the closes it stands for: from `fromDay` to the one before `untilDay`. */
type KnownSale = CountedSale & { fromDay: number; untilDay: number };

const knownBy = (day: number) => (sale: KnownSale) => sale.fromDay <= day && day < sale.untilDay;

/** With fewer sales in its window no series is considered. */
const SALES_MIN = Math.min(INDEX_RULES.minSales90, INDEX_RULES.keepSales90);

/** A series with counted sales, a column each. */
type KnownSeries = {
  itemId: string;
  gradeKey: string;
  soldDays: Int32Array;
  usdCents: Float64Array;
  fromDays: Int32Array;
  untilDays: Int32Array;
};

/**
 * A series with the sales of the window that ends with a rotation day, as known by its close, and how many of them are
 * recent. `firstSaleDay` is the earliest that was considered: it may have sold before.
 */
export type SeriesWindow = {
  itemId: string;
  gradeKey: string;
  sales: Pick<CountedSale, 'soldDay' | 'priceUsdCents'>[];
  recent: number;
  firstSaleDay: number;
};

/**
 * Keeps the universe's items, numbered, in a table of the session that `UNIVERSE_ITEMS` selects from: COPY binds no values,
 * and the numbers are short.
 */
export async function keepUniverse(session: Session, index: IndexDefinition): Promise<void> {
  await session.query('drop table if exists pg_temp.index_universe');
  await session.query('create temp table index_universe (item_id uuid primary key, n int)');
  const { sql, values } = universeItems(index, 1);
  await session.query(`insert into index_universe select id, row_number() over () from (${sql}) u`, values);
  await session.query('analyze index_universe');
}

export const UNIVERSE_ITEMS = 'select item_id from pg_temp.index_universe';

/**
 * The windows that end with rotation days, which rise, of the universe that is kept, without the items withdrawn by then.
 * The sales are read in one go: with those of twelve rotations memory holds about 15 months of an index.
 */
export async function readWindows(
  session: Session,
  { universe }: IndexDefinition,
  days: readonly number[],
): Promise<(day: number) => SeriesWindow[]> {
  const afterDay = days[0]! - INDEX_RULES.windowDays;
  const all = await readSeries(session, afterDay, days.at(-1)!);
  const series = all.filter(({ gradeKey }) => universe.grade === undefined || gradeKey === universe.grade);
  const isWithdrawn = await withdrawnItems(session);
  return (day) => series.flatMap((one) => (isWithdrawn(one.itemId, day) ? [] : (windowOf(one, day) ?? [])));
}

function windowOf(
  { itemId, gradeKey, soldDays, usdCents, fromDays, untilDays }: KnownSeries,
  day: number,
): SeriesWindow | null {
  const { windowDays, recentDays } = INDEX_RULES;
  if (soldDays.length < SALES_MIN) return null;
  const window: SeriesWindow = { itemId, gradeKey, sales: [], recent: 0, firstSaleDay: day };
  for (let i = 0; i < soldDays.length; i++) {
    const soldDay = soldDays[i]!;
    if (soldDay > day || fromDays[i]! > day || untilDays[i]! <= day) continue;
    if (soldDay < window.firstSaleDay) window.firstSaleDay = soldDay;
    if (soldDay > day - windowDays) window.sales.push({ soldDay, priceUsdCents: usdCents[i]! });
    if (soldDay > day - recentDays) window.recent++;
  }
  return window.sales.length < SALES_MIN ? null : window;
}

/** Sales of the universe sold after `afterDay` that the close of `toDay` or one before it took in. */
async function readSeries(session: Session, afterDay: number, toDay: number): Promise<KnownSeries[]> {
  const ids: string[] = [];
  for (const row of await session.query<{ item_id: string; n: number }>('select item_id, n from index_universe')) {
    ids[row.n] = row.item_id;
  }
  // Item by item: the planner would read everybody's sales rather than look up those of these items.
  const stream = session.copyOut(`copy (
    select w.n, k.grade_key, array_agg(k.sold_day), array_agg(k.price_usd_cents), array_agg(k.from_day),
      array_agg(k.until_day)
    from pg_temp.index_universe w cross join lateral (
      ${COUNTED_SALES} and s.item_id = w.item_id and s.sold_day > ${afterDay} and s.sold_day <= ${toDay} offset 0
    ) k where k.from_day <= ${toDay} group by 1, 2) to stdout (format binary)`);
  const series: KnownSeries[] = [];
  await readBinaryRows(stream, 6, (buffer, [n, grade, soldDays, cents, fromDays, untilDays]) => {
    series.push({
      itemId: ids[buffer.readInt32BE(n)]!,
      gradeKey: buffer.toString('utf8', grade, grade! + buffer.readInt32BE(grade! - 4)),
      soldDays: int4Array(buffer, soldDays!),
      usdCents: int8Array(buffer, cents!),
      fromDays: int4Array(buffer, fromDays!),
      untilDays: int4Array(buffer, untilDays!),
    });
  });
  return series;
}

/** The first day each series sold on before the window of `day`, as known by its close; null where it did not. */
export async function firstSaleDays(sql: Sql, series: readonly SeriesName[], day: number): Promise<(number | null)[]> {
  const rows = await sql.query<{ first: number | null }>(
    `select (select k.sold_day from (${COUNTED_SALES}) k
       where k.item_id = n.item_id and k.grade_key = n.grade_key and k.sold_day <= $3
         and k.from_day <= $4 and k.until_day > $4
       order by k.sold_day limit 1) as first
     from unnest($1::uuid[], $2::text[]) with ordinality n (item_id, grade_key, place) order by place`,
    [...namesOf(series), day - INDEX_RULES.windowDays, day],
  );
  return rows.map((row) => row.first);
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
  return (day) => sales.filter(knownBy(day));
}

/**
 * Of the series those that lost their last sale to a void acted on from `fromDay` to `toDay`: by place, the first close
 * at which none stood. Outliers stand too.
 */
export async function voidedDays(
  sql: Sql,
  series: readonly SeriesName[],
  fromDay: number,
  toDay: number,
): Promise<Map<number, number>> {
  const rows = await sql.query<{ place: number; day: number }>(
    `select n.place::int as place, min(u.voided_day) as day
     from unnest($1::uuid[], $2::text[]) with ordinality n (item_id, grade_key, place)
     join sales s on s.item_id = n.item_id and s.grade_key = n.grade_key
     join sale_voids v on v.sale_id = s.id
     join sale_uses u on u.sale_id = s.id and u.voided_day between $3 and $4
     where not exists (select from (${KNOWN_SALES}) k where k.item_id = n.item_id and k.grade_key = n.grade_key
       and k.from_day <= u.voided_day and k.until_day > u.voided_day)
     group by 1`,
    [...namesOf(series), fromDay, toDay],
  );
  return new Map(rows.map(({ place, day }) => [place - 1, day]));
}

function namesOf(series: readonly SeriesName[]): [itemIds: string[], gradeKeys: string[]] {
  return [series.map(({ itemId }) => itemId), series.map(({ gradeKey }) => gradeKey)];
}
