import { daysFrom } from '../../lib/day.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import { type DailyValue, dailyValuesOf } from '../../pricing/store/daily-values.ts';
import { inVersion, pastVersions, stretchesOf } from '../../pricing/store/past-versions.ts';
import type { SeriesName } from '../../sales/sale.ts';

/**
 * The values of members for each day after `fromDay` through `toDay`, as `dailyValuesOf` gives them, with `fromDay` itself first.
 * Where a newer version of the price model begins in between, each value moves on from the last one that the earlier version
 * published by what the newer one has it move: a new method does not move an index. `sql` is one connection.
 */
export async function linkedValuesOf(
  sql: PricedSql,
  members: readonly SeriesName[],
  fromDay: number,
  toDay: number,
): Promise<(number | null)[][]> {
  const linked: (number | null)[][] = members.map(() => []);
  // Nothing was published where prices begin later: an index of then is computed with those of now.
  const past = (await pastVersions(sql)).filter((one) => (one.fromDay ?? fromDay) <= fromDay);
  for (const { past: version, from, to } of stretchesOf(past, fromDay, toDay)) {
    // From the last day of the version before: its value there is what the next one goes on from.
    const read = (prices: PricedSql) => dailyValuesOf(prices, members, daysFrom(Math.max(fromDay, from - 1), to));
    const values = version === null ? await read(sql) : await inVersion(sql, version, read);
    for (const [i, ofMember] of values.entries()) append(linked[i]!, ofMember);
  }
  return linked;
}

/** Appends the values of a version; the first is of the day that the list ends with. */
function append(linked: (number | null)[], [first, ...rest]: readonly (DailyValue | null)[]): void {
  const last = linked.at(-1);
  if (last === undefined) linked.push(first?.priceUsd ?? null);
  const factor = last == null || first == null ? 1 : last / first.priceUsd;
  for (const value of rest) linked.push(value === null ? null : value.priceUsd * factor);
}
