import type { Sql } from '../../db/client.ts';
import { type BasketCandidate, seriesKey } from '../method/basket.ts';
import { evidenceFor } from '../method/evidence.ts';
import { type UniverseSales, windowsOf } from './universe-sales.ts';

/**
 * The series of an index's universe as candidates at the close of a rotation day. `held`: series key of a member to the price
 * the index takes.
 */
export async function candidatesOf(
  session: Sql,
  universe: UniverseSales,
  held: ReadonlyMap<string, number>,
  day: number,
): Promise<BasketCandidate[]> {
  const windows = await windowsOf(session, universe, day);
  return windows.flatMap(({ itemId, gradeKey, sales, firstSaleDay, value }): BasketCandidate[] => {
    if (value === null) return [];
    const priceUsd = held.get(seriesKey(itemId, gradeKey)) ?? value.priceUsd;
    const evidence = evidenceFor(sales, priceUsd, day);
    return [{ itemId, gradeKey, ...evidence, firstSaleDay, priceUsd, confidence: value.confidence }];
  });
}
