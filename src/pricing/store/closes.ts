import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { SeriesName } from '../../sales/sale.ts';
import { type LineWorld, quoteOn } from '../model/daily-line.ts';
import { confidenceOf, isPriced, type Snapshot } from '../model/quote.ts';
import { lineWorld, type Published, publishedAt, type SetDeltas } from '../read/published.ts';
import { decodeSnapshots, firstDayOf, periodOf, snapshotsBetween } from './snapshot-bytes.ts';
import { type HeldSnapshots, type SnapshotRows, snapshotRowsOf } from './snapshot-rows.ts';

/** What the close of a day published of a series: unrounded dollars, unrounded confidence (0 to 1). */
export type Close = { priceUsd: number; confidence: number };

const ITEMS_PAGE = 2000;

/**
 * What the daily lines of many series say for each day from `fromDay` to `toDay`: a list for each series in the order
 * given, null for a day without a price. Unlike a quote it never lends a grade the curve: what was published of a grade
 * stays when its sales are voided later, and from that close on it has no price. `toDay` must be closed. With `held` it
 * asks the database for no snapshots; they must reach over the days.
 */
export async function closesOf(
  sql: Sql,
  series: readonly SeriesName[],
  fromDay: number,
  toDay: number,
  held: HeldSnapshots | null = null,
): Promise<(Close | null)[][]> {
  if (series.length === 0) return [];
  const published = await publishedAt(sql, toDay);
  const places = groupBy(series.keys(), (place) => series[place]!.itemId);
  const unpriced = new Array<null>(toDay - fromDay + 1).fill(null);
  const closes: (Close | null)[][] = new Array(series.length).fill(unpriced);
  const itemIds = [...places.keys()];
  for (let i = 0; i < itemIds.length; i += ITEMS_PAGE) {
    const page = itemIds.slice(i, i + ITEMS_PAGE);
    const items =
      held === null
        ? await snapshotRowsOf(sql, page, fromDay, toDay)
        : page.flatMap((itemId) => held.get(itemId) ?? []);
    const worldOf = await worldsOf(sql, published, items, fromDay, toDay);
    for (const item of items) {
      const snapshots = snapshotsOfDays(item, fromDay, toDay);
      for (const place of places.get(item.itemId)!) {
        const grade = published.gradeIndex.get(series[place]!.gradeKey);
        const own = grade === undefined ? undefined : snapshots.get(grade);
        if (own !== undefined) closes[place] = closesOfLine(own, fromDay, toDay, worldOf(item, grade!));
      }
    }
  }
  return closes;
}

function closesOfLine(
  snapshots: readonly Snapshot[],
  fromDay: number,
  toDay: number,
  world: LineWorld,
): (Close | null)[] {
  const closes: (Close | null)[] = [];
  for (let day = fromDay; day <= toDay; day++) {
    const quote = quoteOn(snapshots, day, world);
    closes.push(
      quote !== null && isPriced(quote, world.params)
        ? { priceUsd: Math.exp(quote.mean), confidence: confidenceOf(quote, world.params) }
        : null,
    );
  }
  return closes;
}

/** By grade, the snapshots in force on the days: rows before the one that begins by `fromDay` add nothing. */
function snapshotsOfDays({ rows }: SnapshotRows, fromDay: number, toDay: number): Map<number, Snapshot[]> {
  const snapshots = new Map<number, Snapshot[]>();
  const first = rows.findLastIndex((row) => row.period <= periodOf(fromDay) && firstDayOf(row.snapshots) <= fromDay);
  for (let i = Math.max(0, first); i < rows.length && rows[i]!.period <= periodOf(toDay); i++) {
    decodeSnapshots(snapshotsBetween(rows[i]!.snapshots, fromDay, toDay), snapshots);
  }
  return snapshots;
}

/** The world of an item's grade; series of one set and grade share theirs. */
async function worldsOf(
  sql: Sql,
  published: Published,
  items: readonly SnapshotRows[],
  fromDay: number,
  toDay: number,
): Promise<(item: SnapshotRows, grade: number) => LineWorld> {
  const deltas = await setDeltasOf(sql, [...new Set(items.map(({ setId }) => setId))], fromDay, toDay);
  const worlds = new Map<number, Map<number, LineWorld>>();
  return ({ game, setId }, grade) => {
    let ofSet = worlds.get(setId);
    if (ofSet === undefined) {
      ofSet = new Map();
      worlds.set(setId, ofSet);
    }
    let world = ofSet.get(grade);
    if (world === undefined) {
      world = lineWorld(published, game, deltas.get(setId) ?? [], grade);
      ofSet.set(grade, world);
    }
    return world;
  };
}

/** What the sets add to their curves: in force on `fromDay`, and from refits until `toDay`. */
async function setDeltasOf(
  sql: Sql,
  setIds: readonly number[],
  fromDay: number,
  toDay: number,
): Promise<Map<number, SetDeltas>> {
  const rows = await sql.prepared<{ set_id: number; day: number; deltas: number[] }>(
    'pricing_closes_deltas',
    `select w.id as set_id, v.day, v.terms as deltas
     from sets w cross join lateral (
       (select day, terms from curves where game = w.game and set_id = w.id and day > $2 and day <= $3)
       union all
       (select day, terms from curves where game = w.game and set_id = w.id and day <= $2 order by day desc limit 1)
     ) v where w.id = any($1) order by w.id, v.day`,
    [setIds, fromDay, toDay],
  );
  return groupBy(rows, ({ set_id }) => set_id);
}
