import type { PricedSql } from '../../pricing/read/published.ts';
import { dailyValuesOf } from '../../pricing/store/daily-values.ts';
import type { IndexDefinition } from '../definitions.ts';
import { type BasketCandidate, seriesKey } from '../method/basket.ts';
import { evidenceFor } from '../method/evidence.ts';
import { INDEX_RULES } from '../method/rules.ts';
import { type SeriesWindow, windowsOf } from './known-sales.ts';

/**
 * The series of an index's universe as candidates at the close of `day`. Those whose sales cannot be enough for a newcomer,
 * or for a member (`held`: series key to the price the index takes), are left out before they are priced.
 */
export async function candidatesOf(
  sql: PricedSql,
  index: IndexDefinition,
  held: ReadonlyMap<string, number>,
  day: number,
): Promise<BasketCandidate[]> {
  const windows = await windowsOf(sql, index, day);
  const traded = windows.filter((one) => isTraded(one, held, day));
  const values = await dailyValuesOf(sql, traded, day, day);
  return traded.flatMap(({ itemId, gradeKey, sales, firstSaleDay }, i): BasketCandidate[] => {
    const value = values[i]![0];
    if (!value) return [];
    const { confidence } = value;
    const priceUsd = held.get(seriesKey(itemId, gradeKey)) ?? value.priceUsd;
    return [{ itemId, gradeKey, ...evidenceFor(sales, priceUsd, day), firstSaleDay, priceUsd, confidence }];
  });
}

function isTraded({ itemId, gradeKey, sales }: SeriesWindow, held: ReadonlyMap<string, number>, day: number): boolean {
  const { keepSales90, minSales90, minSales30, recentDays } = INDEX_RULES;
  const recent = sales.filter(({ soldDay }) => soldDay > day - recentDays).length;
  if (sales.length >= minSales90 && recent >= minSales30) return true;
  return sales.length >= keepSales90 && held.has(seriesKey(itemId, gradeKey));
}
