import { INDEX_RULES, type IndexRules } from './rules.ts';

/**
 * Which sales speak for a price. The price model believes outliers that agree once they are of two sources or three days;
 * an index that is traded on requires as much of the sales after them, which the model counts. So sales count towards a basket
 * only near the price they are to support, and a member's jump waits for witnesses
 * (docs/decisions/0008-jumps-wait-for-witnesses.md).
 */

/** An accepted sale of a series: no duplicate, model weight at least `minSaleWeight`, known by the close in question. */
export type CountedSale = { soldDay: number; priceUsdCents: number; source: string };

/** What a candidate shows: sales near its price in 90 and in 30 days, and the turnover of the 90. */
export type SalesEvidence = { sales90: number; sales30: number; turnover90UsdCents: number };

/** Sales of the window that ends with `day`, each within `nearFactor` of the price (unrounded dollars). */
export function evidenceFor(
  sales: Iterable<Pick<CountedSale, 'soldDay' | 'priceUsdCents'>>,
  priceUsd: number,
  day: number,
  rules: IndexRules = INDEX_RULES,
): SalesEvidence {
  const evidence = { sales90: 0, sales30: 0, turnover90UsdCents: 0 };
  for (const { soldDay, priceUsdCents } of sales) {
    if (soldDay > day || soldDay <= day - rules.windowDays) continue;
    const ratio = priceUsdCents / 100 / priceUsd;
    if (ratio > rules.nearFactor || ratio < 1 / rules.nearFactor) continue;
    evidence.sales90++;
    if (soldDay > day - rules.recentDays) evidence.sales30++;
    evidence.turnover90UsdCents += priceUsdCents;
  }
  return evidence;
}

/**
 * True when a jump of a member from one price to another (dollars) has witnesses: of the window's sales those that
 * lie nearer to the new price than to the old one, and within `nearFactor` of it, are of two sources or of three days.
 */
export function isWitnessed(
  sales: Iterable<CountedSale>,
  fromUsd: number,
  toUsd: number,
  day: number,
  rules: IndexRules = INDEX_RULES,
): boolean {
  const sources = new Set<string>();
  const days = new Set<number>();
  const nearest = Math.min(Math.log(rules.nearFactor), Math.abs(Math.log(toUsd / fromUsd)) / 2);
  for (const { soldDay, priceUsdCents, source } of sales) {
    if (soldDay > day || soldDay <= day - rules.windowDays) continue;
    const beyond = Math.log(priceUsdCents / 100 / toUsd) * Math.sign(toUsd - fromUsd);
    if (beyond < -nearest || beyond > Math.log(rules.nearFactor)) continue;
    sources.add(source);
    days.add(soldDay);
  }
  return sources.size >= rules.witnessSources || days.size >= rules.witnessDays;
}
