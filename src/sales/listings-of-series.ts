import type { Sql } from '../db/client.ts';
import { LISTING_DAYS } from './sales-by-day.ts';

/** Asks of one series that are still up, in US cents. */
export type LiveListings = { count: number; lowUsdCents: number; highUsdCents: number };

/** `days`: the average ask of each day that had one, US cents; `live`: the asks that are up, null when there are none. */
export type SeriesListings = { days: { day: number; usdCents: number }[]; live: LiveListings | null };

type Query = { itemId: string; gradeKey: string; fromDay: number; toDay: number; sinceMs: number };
type Row = SeriesListings['days'][number] & LiveListings;

/** The asks of a series from `fromDay` to `toDay`, and those that did not end and were seen after `sinceMs`. One statement. */
export async function listingsOfSeries(
  sql: Sql,
  { itemId, gradeKey, fromDay, toDay, sinceMs }: Query,
): Promise<SeriesListings> {
  const rows = await sql.prepared<Row>(
    'sales.listings-of-series',
    `select day, "usdCents", null::bigint as count, null::bigint as "lowUsdCents", null::bigint as "highUsdCents"
     from (${LISTING_DAYS}) days
     union all
     select null, null, count(*), min(price_usd_cents), max(price_usd_cents) from listings
     where item_id = $1 and grade_key = $2 and ended_at is null and last_seen > $5
     order by day`,
    [itemId, gradeKey, fromDay, toDay, new Date(sinceMs)],
  );
  // The summary has no day, and comes last.
  const { count, lowUsdCents, highUsdCents } = rows.pop()!;
  return { days: rows, live: count === 0 ? null : { count, lowUsdCents, highUsdCents } };
}
