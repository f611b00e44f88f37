import { median } from '../../lib/stats.ts';
import { type CountedSale, isWitnessed } from './evidence.ts';
import { INDEX_RULES, type IndexRules } from './rules.ts';

/**
 * Levels of an equal-weight geometric (Jevons) chain:
 *   G(t) = exp(sum of w ln p(t))       I(t) = G(t) / D       base date: D = G / 10000
 *   rotation at the close of day r with basket G': D' = G'(r) / I(r), so that I(r) is the same before and after
 * Sums run over the members in the order given, which is the order of rank: plain doubles, the same bits for everyone.
 * The level of a rotation day is the one before the change (the base itself on the base date); it is not taken again
 * through the new divisor, which could differ in the last bit.
 */

/** `priceUsd` is the price the index takes: unrounded dollars, above zero. Weights of a basket add up to 1. */
export type Weighted = { weight: number; priceUsd: number };

/** `G = exp(sum of w ln p)`, in dollars. */
export function basketValue(members: readonly Weighted[]): number {
  let sum = 0;
  for (const { weight, priceUsd } of members) sum += weight * Math.log(priceUsd);
  return Math.exp(sum);
}

/** `I = G / D`. */
export function levelOf(members: readonly Weighted[], divisor: number): number {
  return basketValue(members) / divisor;
}

/** The divisor that gives the basket the value `level`: the base on the base date, the day's level at a rotation. */
export function divisorFor(members: readonly Weighted[], level: number): number {
  return basketValue(members) / level;
}

/** A member's share in the level's log move since its price was `sincePriceUsd` (its last rotation). */
export function contributionOf(member: Weighted, sincePriceUsd: number): number {
  return member.weight * Math.log(member.priceUsd / sincePriceUsd);
}

/**
 * Takes members out at their last price: the weights of the others are scaled to 1 and the divisor is set so that `level`
 * stays. A basket that loses all of them stays at `level`: the empty product is 1.
 */
export function withoutMembers<T extends Weighted>(
  members: readonly T[],
  isLeaving: (member: T) => boolean,
  level: number,
): { members: T[]; divisor: number } {
  const left = members.filter((member) => !isLeaving(member));
  let total = 0;
  for (const { weight } of left) total += weight;
  const scaled = left.map((member) => ({ ...member, weight: member.weight / total }));
  return { members: scaled, divisor: divisorFor(scaled, level) };
}

/** A member's price of a day. `held`: its reference price jumped without witnesses; `carried`: it has none. */
export type Closed = { priceUsd: number; state: 'moved' | 'held' | 'carried' };

/**
 * The price the index takes for each member at the close of `day`, in the members' order.
 *   1. no reference price      the last one is carried
 *   2. the basket's median     log move of the day is taken for the market's
 *   3. a jump                  a member whose move beyond the median would move the level by more than .5%
 *   4. without witnesses       it moves with the median only, until it is near again or has them
 * `members` hold the prices of the day before, `valuesUsd` the model's values now (null: no price), and `salesOf` returns the
 * counted sales of the member at a place; it is called for jumps only.
 */
export function closePrices(
  members: readonly Weighted[],
  valuesUsd: readonly (number | null)[],
  salesOf: (place: number) => Iterable<CountedSale>,
  day: number,
  rules: IndexRules = INDEX_RULES,
): Closed[] {
  const moves = members.map((member, i) => (valuesUsd[i] == null ? null : Math.log(valuesUsd[i]! / member.priceUsd)));
  const priced = moves.filter((move) => move !== null);
  const market = priced.length === 0 ? 0 : median(priced);
  return members.map(({ weight, priceUsd }, i): Closed => {
    const move = moves[i]!;
    const value = valuesUsd[i]!;
    if (move === null) return { priceUsd, state: 'carried' };
    if (weight * Math.abs(move - market) <= rules.maxUnwitnessedMove) return { priceUsd: value, state: 'moved' };
    const expected = priceUsd * Math.exp(market);
    if (isWitnessed(salesOf(i), expected, value, day, rules)) return { priceUsd: value, state: 'moved' };
    return { priceUsd: expected, state: 'held' };
  });
}
