import type { Session } from '../../db/client.ts';
import { lineOf } from '../model/daily-line.ts';
import { inVersion, pastVersions, stretchesOf, versionOf } from '../store/past-versions.ts';
import type { PublishedPoint } from './item-prices.ts';
import { type Series, seriesOfItems } from './price-series.ts';
import type { PricedSql } from './published.ts';

/** The published days of one series, rising. */
export type PublishedLine = { itemId: string; gradeKey: string; points: PublishedPoint[] };

/**
 * The daily lines of all series of some items, by item and grade: each day from `fromDay` to `toDay`, which is closed, as the
 * version of its time published it. `sql` is one connection.
 */
export async function dailyLinesOf(
  sql: Session & PricedSql,
  itemIds: readonly string[],
  fromDay: number,
  toDay: number,
): Promise<PublishedLine[]> {
  const version = await versionOf(sql);
  const lines = new Map<string, PublishedLine>();
  for (const { past, from, to } of stretchesOf(await pastVersions(sql), fromDay, toDay)) {
    const read = (within: PricedSql) => seriesOfItems(within, itemIds, { fromDay: from });
    const series = past === null ? await read(sql) : await inVersion(sql, past, read);
    for (const one of series) addPoints(lines, one, { from, to, version: past?.version ?? version });
  }
  return [...lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

function addPoints(
  lines: Map<string, PublishedLine>,
  { item, gradeKey, world, day, snapshots }: Series,
  { from, to, version }: { from: number; to: number; version: string },
): void {
  if (world === null || day === null) return;
  const key = `${item.itemId} ${gradeKey}`;
  const line = lines.get(key) ?? { itemId: item.itemId, gradeKey, points: [] };
  lines.set(key, line);
  for (const point of lineOf(snapshots, from, Math.min(to, day), world))
    line.points.push(Object.assign(point, { version }));
}
