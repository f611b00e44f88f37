import { isMonthEnd } from '../../lib/day.ts';
import { INDEX_RULES, type IndexRules } from './rules.ts';

/**
 * The choice of a basket at the close of a rotation day, from data known at that close only.
 *   1. eligible   newcomers and members by their own thresholds
 *   2. capped     turnover up to 1.5 × sales × price: an absurd sale cannot buy a rank
 *   3. one a card its grade with the most capped turnover
 *   4. ranked     by capped turnover; equal ones by series key, so that no order of arrival matters
 *   5. target     min(100, max(20, floor(.8 × eligible)))
 *   6. buffered   newcomers to rank .8 × target, members to 1.5 × target, then by rank until the basket is full
 */

/** A series at the close of a rotation day. */
export type BasketCandidate = {
  itemId: string;
  gradeKey: string;
  /** Of evidence.ts: sales near the price, in 90 and in 30 days, and the turnover of the 90. */
  sales90: number;
  sales30: number;
  turnover90UsdCents: number;
  firstSaleDay: number;
  /**
   * Unrounded dollars at the close; null: the model has no price. A newcomer's is the model's value, a member's the price
   * the index takes (level.ts), so that wash sales push no member out, and a held jump is not let in by a rotation.
   */
  priceUsd: number | null;
  /** Unrounded, 0 to 1; null without a price. */
  confidence: number | null;
};

/** `rank` from 1, among the eligible series (one a card), not among the chosen: a basket may skip ranks. */
export type RankedCandidate = BasketCandidate & { priceUsd: number; rank: number; cappedTurnoverUsdCents: number };

/** `members` in order of rank. Skipped: fewer than 20 are eligible. `eligible` counts cards. */
export type BasketChoice = { eligible: number; members: RankedCandidate[] } | { eligible: number; skipped: true };

/** Names a series in the sets this folder keeps. */
export function seriesKey(itemId: string, gradeKey: string): string {
  return `${itemId}/${gradeKey}`;
}

/** True for the first UTC day of a month. */
export function isRotationDay(day: number): boolean {
  return isMonthEnd(day - 1);
}

/** The basket that follows from the candidates; `held` are the series keys of the basket so far. */
export function chooseBasket(
  candidates: Iterable<BasketCandidate>,
  held: ReadonlySet<string>,
  day: number,
  rules: IndexRules = INDEX_RULES,
): BasketChoice {
  const ranked = rankCards(candidates, held, day, rules);
  const eligible = ranked.length;
  if (eligible < rules.minMembers) return { eligible, skipped: true };
  const target = targetOf(eligible, rules);
  const buffered = ranked.filter(({ itemId, gradeKey, rank }) => {
    return (
      rank <= rules.enterRank * target || (held.has(seriesKey(itemId, gradeKey)) && rank <= rules.keepRank * target)
    );
  });
  const chosen = new Set(buffered.slice(0, target));
  for (const one of ranked) if (chosen.size < target) chosen.add(one);
  return { eligible, members: ranked.filter((one) => chosen.has(one)) };
}

/** Names a basket takes of so many eligible ones. */
export function targetOf(eligible: number, rules: IndexRules = INDEX_RULES): number {
  return Math.min(rules.maxMembers, Math.max(rules.minMembers, Math.floor(rules.targetShare * eligible)));
}

function rankCards(
  candidates: Iterable<BasketCandidate>,
  held: ReadonlySet<string>,
  day: number,
  rules: IndexRules,
): RankedCandidate[] {
  const capped: RankedCandidate[] = [];
  for (const one of candidates) {
    const { priceUsd } = one;
    if (priceUsd === null || !isEligible(one, held.has(seriesKey(one.itemId, one.gradeKey)), day, rules)) continue;
    const most = rules.turnoverCap * one.sales90 * priceUsd * 100;
    capped.push({ ...one, priceUsd, rank: 0, cappedTurnoverUsdCents: Math.min(one.turnover90UsdCents, most) });
  }
  capped.sort((a, b) => b.cappedTurnoverUsdCents - a.cappedTurnoverUsdCents || byKey(a, b));
  const cards = new Set<string>();
  const ranked: RankedCandidate[] = [];
  for (const one of capped) {
    if (cards.has(one.itemId)) continue;
    cards.add(one.itemId);
    one.rank = ranked.push(one);
  }
  return ranked;
}

function isEligible(one: BasketCandidate, isMember: boolean, day: number, rules: IndexRules): boolean {
  if (one.priceUsd === null || one.confidence === null || one.confidence < rules.minConfidence) return false;
  if (isMember) return one.sales90 >= rules.keepSales90;
  return (
    one.sales90 >= rules.minSales90 &&
    one.sales30 >= rules.minSales30 &&
    day - one.firstSaleDay >= rules.seasonDays &&
    one.priceUsd >= rules.minPriceUsd
  );
}

function byKey(a: BasketCandidate, b: BasketCandidate): number {
  return seriesKey(a.itemId, a.gradeKey) < seriesKey(b.itemId, b.gradeKey) ? -1 : 1;
}
