import type { Sql } from '../db/client.ts';
import { closesOf } from '../pricing/closes.ts';
import type { Candidate } from './basket.ts';
import { evidenceFor } from './evidence.ts';
import { firstSaleDays, type SeriesWindow } from './known-sales.ts';
import { INDEX_RULES } from './rules.ts';

const SALES_MIN = Math.min(INDEX_RULES.minSales90, INDEX_RULES.keepSales90);

/**
 * The series of a window as candidates at the close of `day`. Series with fewer sales than any rule asks for are left
 * out. `firstSaleDay` is exact where it matters: one that is old enough within the window is not looked for further back.
 */
export async function candidatesOf(sql: Sql, window: readonly SeriesWindow[], day: number): Promise<Candidate[]> {
  const traded = window.filter(({ sales }) => sales.length >= SALES_MIN);
  const closes = await closesOf(sql, traded, day, day);
  const candidates: Candidate[] = [];
  for (const [i, { itemId, gradeKey, sales }] of traded.entries()) {
    const close = closes[i]![0];
    if (!close) continue;
    const firstSaleDay = sales.reduce((first, { soldDay }) => Math.min(first, soldDay), day);
    const evidence = evidenceFor(sales, close.priceUsd, day);
    if (evidence.sales90 >= SALES_MIN) candidates.push({ itemId, gradeKey, ...evidence, ...close, firstSaleDay });
  }
  const young = candidates.filter(({ firstSaleDay }) => firstSaleDay > day - INDEX_RULES.seasonDays);
  const earlier = await firstSaleDays(sql, young, day);
  for (const [i, candidate] of young.entries()) candidate.firstSaleDay = earlier[i] ?? candidate.firstSaleDay;
  return candidates;
}
