import type { Sql } from '../../db/client.ts';

/** Asks of one series that are still up, in US cents. */
export type LiveListings = { count: number; lowUsdCents: number; highUsdCents: number };

/** The asks of a series that did not end and were seen after `sinceMs`; null when there are none. */
export async function liveListingsOf(
  sql: Sql,
  { itemId, gradeKey, sinceMs }: { itemId: string; gradeKey: string; sinceMs: number },
): Promise<LiveListings | null> {
  const [row] = await sql.prepared<LiveListings>(
    'sales.live-listings',
    `select count(*) as count, min(price_usd_cents) as "lowUsdCents", max(price_usd_cents) as "highUsdCents"
     from listings where item_id = $1 and grade_key = $2 and ended_at is null and last_seen > $3`,
    [itemId, gradeKey, new Date(sinceMs)],
  );
  return row === undefined || row.count === 0 ? null : row;
}
