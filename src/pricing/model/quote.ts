import { percent, roundHalfUp } from '../../lib/money.ts';
import { normalCdf } from '../../lib/stats.ts';
import { type RangeWidths, widening } from './calibration.ts';
import type { BeforeMove, Belief } from './card.ts';
import type { GradeTerms } from './curve/curve.ts';
import type { Params } from './params.ts';

/**
 * From the belief about a series to its published values (section 3): price, 80% range, confidence, label, moves.
 */

/** A series as its card's last snapshot left it: enough for its price on any later day. */
export type Snapshot = {
  day: number;
  /** a and its variance. */
  cardLevel: number;
  cardVariance: number;
  /** The series' level gamma + h a + b; null for a grade without a deviation of its own, which is on the curve. */
  level: number | null;
  /** Covariance of a and b, variance of b. */
  covariance: number;
  deviationVariance: number;
  /** Variance that a gains in a day, and that b gains in addition. */
  levelPerDay: number;
  deviationPerDay: number;
  /** Own sales so far, and the day that took in the last one. */
  ownSales: number;
  lastDay: number;
  /** Variance of the noise of a sale; null in version 2. */
  saleVariance: number | null;
  /** The series before its last move, while that is unconfirmed. */
  before: BeforeMove | null;
};

/** The market of the series' game on a day, and how wide ranges were then. */
export type DayContext = { day: number; marketLevel: number; marketVariance: number; widths: RangeWidths };

/**
 * Median of the log price in dollars, its calibrated sd, and how far to either side of it the next sale falls in 80 of 100 cases
 * (null in version 2); `kappa` is in the sd. `before`: the same without an unconfirmed move.
 */
export type LogQuote = Estimate & { before: Estimate | null };
type Estimate = { mean: number; sd: number; kappa: number; nextSale: number | null };

/** Level and variance without the market, `days` after a snapshot, on the curve of that day. */
export function beliefAfter(snapshot: Snapshot, days: number, terms: GradeTerms, params: Params) {
  const { gamma, h, tauSquared } = terms;
  const onCurve = gamma + h * snapshot.cardLevel;
  const cardPart = h * h * (snapshot.cardVariance + snapshot.levelPerDay * days);
  if (snapshot.level === null) return { level: onCurve, variance: cardPart + tauSquared };
  const phi = Math.exp(-days / params.deviationDays);
  const ownPart =
    phi * phi * snapshot.deviationVariance + tauSquared * (1 - phi * phi) + snapshot.deviationPerDay * days;
  return {
    level: onCurve + phi * (snapshot.level - onCurve),
    variance: cardPart + 2 * h * phi * snapshot.covariance + ownPart,
  };
}

/** `mean = m + gamma + h a + phi b`, `sd = kappa sqrt(V + P00)`; the next sale within `q80 sqrt(V + P00 + R)`. */
export function logQuote(snapshot: Snapshot, on: DayContext, terms: GradeTerms, params: Params): LogQuote {
  const now = beliefAfter(snapshot, on.day - snapshot.day, terms, params);
  const { before, saleVariance } = snapshot;
  const { mean, sd, kappa, nextSale } = estimateOf(snapshot, now, saleVariance, on);
  const replaced = before && beliefBefore(snapshot, before, now, on, terms, params);
  return { mean, sd, kappa, nextSale, before: before && estimateOf(before, replaced!, saleVariance, on) };
}

/** The belief that an unconfirmed move replaced, grown as uncertain since as the one that replaced it. */
function beliefBefore(
  snapshot: Snapshot,
  before: BeforeMove,
  now: Belief,
  on: DayContext,
  terms: GradeTerms,
  params: Params,
): Belief {
  const days = on.day - snapshot.day;
  const { level } = beliefAfter({ ...snapshot, level: before.level }, days, terms, params);
  return { level, variance: before.variance + now.variance - beliefAfter(snapshot, 0, terms, params).variance };
}

function estimateOf(
  { ownSales, lastDay }: Pick<Snapshot, 'ownSales' | 'lastDay'>,
  { level, variance }: Belief,
  saleVariance: number | null,
  on: DayContext,
): Estimate {
  const mean = on.marketLevel + level;
  const { kappa, sds80 } = widening(on.widths, ownSales, on.day - lastDay, mean);
  const uncertain = variance + on.marketVariance;
  const sd = kappa * Math.sqrt(uncertain);
  return {
    mean,
    sd,
    kappa,
    nextSale: saleVariance === null ? null : Math.max(Z80 * sd, sds80 * Math.sqrt(uncertain + saleVariance)),
  };
}

/** False when the 80% range would be wider than 3.2 times: such a series has no price. */
export function isPriced(quote: LogQuote, params: Params): boolean {
  return quote.sd <= params.pricedSdMax;
}

/** US cents of a log price in dollars, half up, at least one. */
export function centsOf(logPrice: number): number {
  return Math.max(1, roundHalfUp(100 * Math.exp(logPrice)));
}

export const Z80 = 1.2816;

/** US cents. */
export type CentsRange = { lowUsdCents: number; highUsdCents: number };

/** The 80% range of the value; while a move is unconfirmed it covers the range without it too. */
export function rangeOf(quote: LogQuote): CentsRange {
  const { low, high } = logRangeOf(quote, ({ sd }) => Z80 * sd);
  return { lowUsdCents: centsOf(low), highUsdCents: centsOf(high) };
}

/** The range that the next sale falls into in 80 of 100 cases; null in version 2. */
export function nextSaleRangeOf(quote: LogQuote): CentsRange | null {
  if (quote.nextSale === null) return null;
  const { low, high } = logRangeOf(quote, ({ nextSale }) => nextSale!);
  return { lowUsdCents: centsOf(low), highUsdCents: centsOf(high) };
}

/** The range at a reach to either side, of a move that is unconfirmed with that of the price before it. */
export function logRangeOf(quote: LogQuote, reachOf: (estimate: Estimate) => number): { low: number; high: number } {
  const { mean, before } = quote;
  const reach = reachOf(quote);
  const range = { low: mean - reach, high: mean + reach };
  if (before === null) return range;
  const reachBefore = reachOf(before);
  return {
    low: Math.min(range.low, before.mean - reachBefore),
    high: Math.max(range.high, before.mean + reachBefore),
  };
}

/**
 * Probability that the true value is within 15% of the price: `2 Phi(ln 1.15 / sd) - 1`, unrounded; of an unconfirmed move
 * with the sd that its range shows.
 */
export function confidenceOf(quote: LogQuote, params: Params): number {
  const { low, high } = logRangeOf(quote, ({ sd }) => Z80 * sd);
  return 2 * normalCdf((params.confidenceDistance * 2 * Z80) / (high - low)) - 1;
}

export type ConfidenceLabel = 'prime' | 'high' | 'medium' | 'low';
/** The least confidence of each label; `prime` needs sales and sources too. */
export const LEAST_CONFIDENCE = { prime: 0.9, high: 0.8, medium: 0.5 } as const;
const PRIME_SALES = 20;
const PRIME_SOURCES = 2;
export const PRIME_DAYS = 90;

/** The label of a confidence, given the sales of the last 90 days. */
export function labelOf(confidence: number, in90Days: { sales: number; sources: number }): ConfidenceLabel {
  if (confidence >= LEAST_CONFIDENCE.prime && in90Days.sales >= PRIME_SALES && in90Days.sources >= PRIME_SOURCES)
    return 'prime';
  if (confidence >= LEAST_CONFIDENCE.high) return 'high';
  return confidence >= LEAST_CONFIDENCE.medium ? 'medium' : 'low';
}

/** `100 (exp(now - then) - 1)` with two decimals; null when either end has no price. */
export function movePct(now: LogQuote | null, then: LogQuote | null): number | null {
  return now === null || then === null ? null : percent(Math.exp(now.mean - then.mean) - 1);
}
