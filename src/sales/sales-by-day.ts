import type { Sql } from '../db/client.ts';
import { knownSale } from './known-sale.ts';
import { CURRENT_SALES, FULL_WEIGHT } from './ledger.ts';

/** A day's average of one kind and grade (UTC day number); `n` counts sales, or listings live on that day. */
type SeriesPoint = {
  day: number;
  kind: 'transaction' | 'listing';
  gradeKey: string;
  usdCents: number;
  n: number;
};

export type SeriesQuery = { itemId: string; gradeKey: string | null; fromDay: number; toDay: number };

const SALE_DAYS = `
  select sold_day as day, 'transaction' as kind, grade_key as "gradeKey",
    round(avg(price_usd_cents))::bigint as "usdCents", count(*) as n
  from (${CURRENT_SALES}) s
  where item_id = $1 and ($2::text is null or grade_key = $2) and sold_day between $3 and $4 and reason is null
  group by sold_day, grade_key`;

/** Of `listings`, with the parameters of a `SeriesQuery` in their order. */
export const LISTING_DAYS = `
  select day, 'listing' as kind, grade_key as "gradeKey", round(avg(price_usd_cents))::bigint as "usdCents", count(*) as n
  from listings, generate_series(
    greatest($3, floor(extract(epoch from first_seen) / 86400)::int),
    least($4, floor(extract(epoch from coalesce(ended_at, last_seen)) / 86400)::int)) as day
  where item_id = $1 and ($2::text is null or grade_key = $2)
  group by day, grade_key`;

/** Daily averages of accepted sales, and of the asks that were live on each day, by day, kind and grade. */
export async function priceSeriesOf(
  sql: Sql,
  { itemId, gradeKey, fromDay, toDay }: SeriesQuery,
): Promise<SeriesPoint[]> {
  return await sql.prepared<SeriesPoint>(
    'sales.price-series',
    `${SALE_DAYS} union all ${LISTING_DAYS} order by day, kind, "gradeKey"`,
    [itemId, gradeKey, fromDay, toDay],
  );
}

/** Accepted prices of one series by day, US cents. */
export async function pricesByDay(
  sql: Sql,
  { itemId, gradeKey, fromDay, toDay, asOf = null }: SeriesQuery & { gradeKey: string; asOf?: number | null },
): Promise<{ day: number; prices: number[] }[]> {
  return await sql.prepared<{ day: number; prices: number[] }>(
    'sales.prices-by-day',
    `select sold_day as day, array_agg(price_usd_cents::float8) as prices from sales s
     where item_id = $1 and grade_key = $2 and sold_day between $3 and $4 and rejection is null and ${knownSale('$5')} group by sold_day`,
    [itemId, gradeKey, fromDay, toDay, asOf],
  );
}

/** The day of the first recorded sale of an item, rejected ones too; no price of it is older. Null without one. */
export async function firstSaleDay(sql: Sql, itemId: string): Promise<number | null> {
  const [row] = await sql.prepared<{ day: number | null }>(
    'sales.first-day',
    'select min(sold_day) as day from sales where item_id = $1',
    [itemId],
  );
  return row!.day;
}

/** An accepted sale of a series: its UTC day and its price in US cents. */
export type AcceptedSale = { day: number; usdCents: number; isDownweighted: boolean };

/** Every accepted sale of one series, in order. */
export async function acceptedSalesOf(
  sql: Sql,
  { itemId, gradeKey, fromDay, toDay }: SeriesQuery & { gradeKey: string },
): Promise<AcceptedSale[]> {
  return await sql.query<AcceptedSale>(
    `select sold_day as day, price_usd_cents as "usdCents", coalesce(weight < $5, false) as "isDownweighted"
     from (${CURRENT_SALES}) s
     where item_id = $1 and grade_key = $2 and sold_day between $3 and $4 and reason is null
     order by sold_at, id`,
    [itemId, gradeKey, fromDay, toDay, FULL_WEIGHT],
  );
}

/** One source's accepted sales of a series on one day. */
export type DaySourceSales = {
  day: number;
  source: string;
  bucket: string;
  category: string;
  displayName: string;
  usdCents: number;
  n: number;
};

/** Accepted sales of one series by day and source: the average and the count. */
export async function salesByDayAndSource(
  sql: Sql,
  { itemId, gradeKey, fromDay, toDay, asOf = null }: SeriesQuery & { gradeKey: string; asOf?: number | null },
): Promise<DaySourceSales[]> {
  return await sql.prepared<DaySourceSales>(
    'sales.by-day-and-source',
    `select sold_day as day, source, bucket, category, display_name as "displayName",
       round(avg(price_usd_cents))::bigint as "usdCents", count(*) as n
     from sales s join sources src on src.id = s.source
     where item_id = $1 and grade_key = $2 and sold_day between $3 and $4 and rejection is null and ${knownSale('$5')}
     group by sold_day, source, bucket, category, display_name
     order by sold_day, source`,
    [itemId, gradeKey, fromDay, toDay, asOf],
  );
}
