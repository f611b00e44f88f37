import type { Sql } from '../../db/client.ts';
import { closesOf } from '../../pricing/store/closes.ts';
import type { HeldSnapshots } from '../../pricing/store/snapshot-rows.ts';
import { type BasketCandidate, seriesKey } from '../method/basket.ts';
import { evidenceFor } from '../method/evidence.ts';
import { INDEX_RULES } from '../method/rules.ts';
import { firstSaleDays, type SeriesWindow } from './known-sales.ts';

/**
 * The series of a window as candidates at the close of `day`. Those whose sales cannot be enough for a newcomer, or for a
 * member (`held`: series key to the price the index takes), are left out before they are priced. `firstSaleDay` is exact
 * where it matters: one that is old enough is not looked for further back.
 */
export async function candidatesOf(
  sql: Sql,
  window: readonly SeriesWindow[],
  held: ReadonlyMap<string, number>,
  day: number,
  snapshots: HeldSnapshots | null,
): Promise<BasketCandidate[]> {
  const traded = window.filter((one) => isTraded(one, held));
  const young = traded.filter(({ firstSaleDay }) => firstSaleDay > day - INDEX_RULES.seasonDays);
  const earlier = await firstSaleDays(sql, young, day);
  const firstDays = new Map(young.map((one, i) => [one, earlier[i] ?? one.firstSaleDay]));
  const closes = await closesOf(sql, traded, day, day, snapshots);
  return traded.flatMap((one, i): BasketCandidate[] => {
    const close = closes[i]![0];
    if (!close) return [];
    const { itemId, gradeKey, sales, firstSaleDay } = one;
    const priceUsd = held.get(seriesKey(itemId, gradeKey)) ?? close.priceUsd;
    const evidence = evidenceFor(sales, priceUsd, day);
    const { confidence } = close;
    return [{ itemId, gradeKey, ...evidence, firstSaleDay: firstDays.get(one) ?? firstSaleDay, priceUsd, confidence }];
  });
}

function isTraded({ itemId, gradeKey, sales, recent }: SeriesWindow, held: ReadonlyMap<string, number>): boolean {
  const { keepSales90, minSales90, minSales30 } = INDEX_RULES;
  if (sales.length >= minSales90 && recent >= minSales30) return true;
  return sales.length >= keepSales90 && held.has(seriesKey(itemId, gradeKey));
}
