import { groupBy } from '../../lib/group-by.ts';
import { awaitedLater } from '../../lib/in-turn.ts';
import type { SeriesName } from '../../sales/sale.ts';
import { type LineWorld, quoteFrom } from '../model/daily-line.ts';
import { confidenceOf, isPriced, type Snapshot } from '../model/quote.ts';
import { deltasOfSets, lineWorld, type PricedSql, publishedAt } from '../read/published.ts';
import { periodOf, snapshotsOn } from './snapshot-bytes.ts';

/** What the close of a day published of a series: unrounded dollars, unrounded confidence (0 to 1). */
export type DailyValue = { priceUsd: number; confidence: number };

/** Items whose snapshots are in memory together: some 70 kB each for three years of a card that sells often. */
const ITEMS_AT_ONCE = 100;

/**
 * The values of many series on each of `days`, which rise: a list for each series in the order given, null for a day without a
 * price. Unlike a quote it never lends a grade the curve: what was published of a grade stays when its sales are voided
 * later, and from that close on it has no price. The last day must be closed.
 */
export async function dailyValuesOf(
  sql: PricedSql,
  series: readonly SeriesName[],
  days: readonly number[],
): Promise<(DailyValue | null)[][]> {
  const values = series.map((): (DailyValue | null)[] => days.map(() => null));
  if (series.length === 0 || days.length === 0) return values;
  const published = await publishedAt(sql, days.at(-1)!);
  const byItem = groupBy(series.keys(), (place) => series[place]!.itemId);
  const itemIds = [...byItem.keys()];
  const readFrom = (from: number) =>
    snapshotsOf(sql, itemIds.slice(from, from + ITEMS_AT_ONCE), days[0]!, days.at(-1)!);
  let reading = readFrom(0);
  for (let from = 0; from < itemIds.length; from += ITEMS_AT_ONCE) {
    const items = await reading;
    const deltas = await deltasOfSets(sql, published, new Set(items.map(({ setId }) => setId)));
    // The database reads the next ones meanwhile.
    if (from + ITEMS_AT_ONCE < itemIds.length) reading = awaitedLater(readFrom(from + ITEMS_AT_ONCE));
    for (const { id, game, setId, snapshots } of items) {
      const inForce = snapshotsOn(snapshots, days);
      for (const place of byItem.get(id)!) {
        const grade = published.model.gradeIndex.get(series[place]!.gradeKey) ?? -1;
        const world = lineWorld(published, game, deltas.get(setId)!, grade);
        values[place] = days.map((day, i) => dailyValueOf(inForce[i]!.get(grade), day, world));
      }
    }
  }
  return values;
}

function dailyValueOf(snapshot: Snapshot | undefined, day: number, world: LineWorld): DailyValue | null {
  if (snapshot === undefined) return null;
  const quote = quoteFrom(snapshot, day, world);
  if (!isPriced(quote, world.params)) return null;
  return { priceUsd: Math.exp(quote.mean), confidence: confidenceOf(quote, world.params) };
}

type Row = { id: string; game: string; setId: number; snapshots: Buffer };

/** The snapshots in force on `fromDay` and those after it until `toDay`, of items that have any. */
async function snapshotsOf(sql: PricedSql, itemIds: readonly string[], fromDay: number, toDay: number): Promise<Row[]> {
  return await sql.prepared<Row>(
    'pricing_daily_values',
    `select i.id, i.game, i.set_id as "setId", t.snapshots from items i cross join lateral (
       select string_agg(snapshots, '' order by period) as snapshots from (
         (select period, snapshots from card_snapshots where item_id = i.id and period between $2 and $3)
         union all
         (select period, snapshots from card_snapshots where item_id = i.id and period < $2 order by period desc limit 1)
       ) p
     ) t where i.id = any($1) and t.snapshots is not null`,
    [itemIds, periodOf(fromDay), periodOf(toDay)],
  );
}
