import type { SeriesName } from '../../sales/sale.ts';
import { quoteOn } from '../model/daily-line.ts';
import { confidenceOf, isPriced } from '../model/quote.ts';
import { lineWorld, type PricedSql, publishedAt, type SetDeltas } from '../read/published.ts';
import { decodeSnapshots, periodOf } from './snapshot-bytes.ts';

/** What the close of a day published of a series: unrounded dollars, unrounded confidence (0 to 1). */
export type DailyValue = { priceUsd: number; confidence: number };

/**
 * The values of many series on each day from `fromDay` to `toDay`: a list for each series in the order given, null for a
 * day without a price. Unlike a quote it never lends a grade the curve: what was published of a grade stays when its
 * sales are voided later, and from that close on it has no price. `toDay` must be closed.
 */
export async function dailyValuesOf(
  sql: PricedSql,
  series: readonly SeriesName[],
  fromDay: number,
  toDay: number,
): Promise<(DailyValue | null)[][]> {
  if (series.length === 0) return [];
  const published = await publishedAt(sql, toDay);
  const items = await snapshotsOf(sql, [...new Set(series.map(({ itemId }) => itemId))], fromDay, toDay);
  return series.map(({ itemId, gradeKey }) => {
    const item = items.get(itemId);
    const grade = published.model.gradeIndex.get(gradeKey) ?? -1;
    const snapshots = item?.snapshots.get(grade) ?? [];
    const world = lineWorld(published, item?.game ?? '', item?.setDeltas ?? [], grade);
    return Array.from({ length: toDay - fromDay + 1 }, (_, i) => {
      const quote = quoteOn(snapshots, fromDay + i, world);
      if (quote === null || !isPriced(quote, world.params)) return null;
      return { priceUsd: Math.exp(quote.mean), confidence: confidenceOf(quote, world.params) };
    });
  });
}

type Row = { id: string; game: string; snapshots: Buffer; setDeltas: SetDeltas };

/** By item, the snapshots and set deltas in force on `fromDay` and those after it until `toDay`. */
async function snapshotsOf(sql: PricedSql, itemIds: readonly string[], fromDay: number, toDay: number) {
  const rows = await sql.prepared<Row>(
    'pricing_daily_values',
    `with own as materialized (
       select c.item_id, string_agg(c.snapshots, '' order by c.period) as snapshots from card_snapshots c
       where c.item_id = any($1) and c.period <= $3 and c.period >= coalesce(
         (select max(b.period) from card_snapshots b where b.item_id = c.item_id and b.period < $2), $2)
       group by c.item_id
     )
     select i.id, i.game, own.snapshots, v."setDeltas" from own join items i on i.id = own.item_id cross join lateral (
       select coalesce(json_agg(d order by d.day), '[]') as "setDeltas" from (
         (select day, terms as deltas from curves where game = i.game and set_id = i.set_id and day > $4 and day <= $5)
         union all
         (select day, terms from curves where game = i.game and set_id = i.set_id and day <= $4 order by day desc limit 1)
       ) d
     ) v`,
    [itemIds, periodOf(fromDay), periodOf(toDay), fromDay, toDay],
  );
  return new Map(rows.map((row) => [row.id, { ...row, snapshots: decodeSnapshots(row.snapshots) }]));
}
