import type { Session, Sql } from '../db/client.ts';
import { type IndexDefinition, universeItems } from './definitions.ts';
import type { CountedSale } from './evidence.ts';
import { INDEX_RULES } from './rules.ts';

/**
 * The sales that closes knew. One stands from the close that took it in until the close that acted on its void, so that
 * what a close saw can be told at any later time; what the last `reprice` has not met yet is left out.
 */
export const KNOWN_SALES = `
  select s.item_id, s.grade_key, s.sold_day, s.known_day, s.price_usd_cents, s.source, u.weight,
    coalesce(u.closed_day, greatest(s.known_day, s.sold_day)) as from_day, coalesce(u.voided_day, 2147483647) as until_day
  from sales s left join sale_uses u on u.sale_id = s.id
  where s.refusal is null and s.grade_key is not null and s.price_usd_cents is not null
    and s.id <= (select seen_sale_id from model_state)`;

/** Of those the ones that an index counts: the model did not take them for outliers. */
export const COUNTED_SALES = `${KNOWN_SALES} and coalesce(u.weight, 1) >= ${INDEX_RULES.minSaleWeight}`;

type KnownSeries = { itemId: string; gradeKey: string; sales: KnownSale[] };

/** A counted sale with the closes it stands for: from `fromDay` to the one before `untilDay`. */
type KnownSale = CountedSale & { fromDay: number; untilDay: number };

const knownBy = (day: number) => (sale: KnownSale) => sale.fromDay <= day && day < sale.untilDay;

/**
 * A series with the sales of the window that ends with a rotation day, as known by its close. `firstSaleDay` is the earliest
 * that was looked at: it may have sold before.
 */
export type SeriesWindow = { itemId: string; gradeKey: string; sales: CountedSale[]; firstSaleDay: number };

/** Rotations whose windows are read in one go: bounds memory to about 15 months of an index's sales. */
const ROTATIONS_AT_ONCE = 12;

/** The sales of a universe, window by window. `days` rise; each is asked for once, in that order. */
export async function openWindows(session: Session, index: IndexDefinition, days: readonly number[]) {
  await keepUniverse(session, index);
  let held: KnownSeries[] = [];
  let heldTo = Number.NEGATIVE_INFINITY;
  return async (day: number): Promise<SeriesWindow[]> => {
    if (day > heldTo) {
      heldTo = days[Math.min(days.indexOf(day) + ROTATIONS_AT_ONCE, days.length) - 1]!;
      held = [];
      held = await readSeries(session, index, day - INDEX_RULES.windowDays, heldTo);
    }
    return held.flatMap((series) => windowOf(series, day) ?? []);
  };
}

function windowOf({ itemId, gradeKey, sales }: KnownSeries, day: number): SeriesWindow | null {
  const inWindow: CountedSale[] = [];
  let firstSaleDay = day;
  for (const sale of sales) {
    const { soldDay, fromDay, untilDay } = sale;
    if (soldDay > day || fromDay > day || untilDay <= day) continue;
    if (soldDay < firstSaleDay) firstSaleDay = soldDay;
    if (soldDay > day - INDEX_RULES.windowDays) inWindow.push(sale);
  }
  return inWindow.length === 0 ? null : { itemId, gradeKey, sales: inWindow, firstSaleDay };
}

/** The universe's items, numbered, in a table of the session: COPY binds no values, and the numbers are short. */
async function keepUniverse(session: Session, index: IndexDefinition): Promise<void> {
  await session.query('drop table if exists pg_temp.index_universe');
  await session.query('create temp table index_universe (item_id uuid primary key, n int)');
  const { sql, values } = universeItems(index, 1);
  await session.query(`insert into index_universe select id, row_number() over () from (${sql}) u`, values);
  await session.query('analyze index_universe');
}

async function readSeries(
  session: Session,
  { universe }: IndexDefinition,
  afterDay: number,
  toDay: number,
): Promise<KnownSeries[]> {
  const ids: string[] = [];
  for (const row of await session.query<{ item_id: string; n: number }>('select item_id, n from index_universe')) {
    ids[row.n] = row.item_id;
  }
  // Known at most a day before it was sold (time zones): the index on known_day finds a narrow range.
  const stream = session.copyOut(`copy (
    select u.n, k.grade_key, k.sold_day, k.price_usd_cents, k.source, k.from_day, k.until_day
    from (${COUNTED_SALES} and s.known_day between ${afterDay - 1} and ${toDay} and s.sold_day > ${afterDay}) k
    join index_universe u on u.item_id = k.item_id where k.from_day <= ${toDay}) to stdout`);
  stream.setEncoding('utf8');
  const series = new Map<string, KnownSeries>();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const [n, gradeKey, soldDay, cents, source, fromDay, untilDay] = line.split('\t') as [string, ...string[]];
      if (universe.grade !== undefined && gradeKey !== universe.grade) continue;
      const key = `${n} ${gradeKey}`;
      let one = series.get(key);
      if (one === undefined) {
        one = { itemId: ids[Number(n)]!, gradeKey: gradeKey!, sales: [] };
        series.set(key, one);
      }
      one.sales.push({
        soldDay: Number(soldDay),
        priceUsdCents: Number(cents),
        source: source!,
        fromDay: Number(fromDay),
        untilDay: Number(untilDay),
      });
    }
  }
  return [...series.values()];
}

type SeriesName = { itemId: string; gradeKey: string };

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
