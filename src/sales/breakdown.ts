import type { Sql } from '../db/client.ts';
import { knownSale } from './known-sale.ts';

/** Accepted sales of one series from one source. Prices are US cents. */
export type SourceBreakdown = {
  source: string;
  bucket: 'public' | 'partner';
  category: 'public' | 'blockchain' | 'partner' | 'internal';
  displayName: string;
  overviewUrl: string | null;
  windowCount: number;
  windowMedianUsdCents: number | null;
  count: number;
  medianUsdCents: number | null;
};

/** Accepted sales by source of the series `gradeKey`, since `fromDay` and ever; with every source of the item, of whatever grade. */
export async function breakdownOf(
  db: Sql,
  series: { itemId: string; gradeKey: string | null; fromDay: number; asOf: number | null },
): Promise<SourceBreakdown[]> {
  return db.prepared<SourceBreakdown>(
    'sales_breakdown',
    `select r.id as source, r.bucket, r.category, r.display_name as "displayName", r.url as "overviewUrl",
       count(*) filter (where own and recent) as "windowCount",
       percentile_cont(.5) within group (order by cents) filter (where own and recent) as "windowMedianUsdCents",
       count(*) filter (where own) as count,
       percentile_cont(.5) within group (order by cents) filter (where own) as "medianUsdCents"
     from (
       select s.source, s.price_usd_cents as cents, s.grade_key = $2 as own, s.sold_day >= $3 as recent
       from sales s where s.item_id = $1 and s.rejection is null and ${knownSale('$4')}
     ) a join sources r on r.id = a.source
     group by r.id order by count(*) desc, r.id`,
    [series.itemId, series.gradeKey, series.fromDay, series.asOf],
  );
}

/** Plain averages of a series' accepted sales since a day, to be shown next to the model. US cents. */
export type Averages = {
  count: number;
  sourceCount: number;
  medianUsdCents: number | null;
  /** Mean of the daily means: a day of many sales counts once. */
  meanUsdCents: number | null;
  /** Volume-weighted: the mean over all copies sold. */
  vwapUsdCents: number | null;
};

export async function averagesOf(
  db: Sql,
  series: { itemId: string; gradeKey: string; fromDay: number; asOf: number | null },
): Promise<Averages> {
  const [row] = await db.prepared<Averages>(
    'sales_averages',
    `with own as (
       select s.price_usd_cents as cents, s.sold_day, s.source from sales s
       where s.item_id = $1 and s.grade_key = $2 and s.sold_day >= $3 and s.rejection is null and ${knownSale('$4')}
     )
     select count(*) as count, count(distinct source) as "sourceCount",
       percentile_cont(.5) within group (order by cents) as "medianUsdCents",
       (select avg(day_mean)::float8 from (select avg(cents) as day_mean from own group by sold_day) d) as "meanUsdCents",
       avg(cents)::float8 as "vwapUsdCents"
     from own`,
    [series.itemId, series.gradeKey, series.fromDay, series.asOf],
  );
  return row!;
}
