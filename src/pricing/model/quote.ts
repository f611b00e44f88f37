import { percent, roundHalfUp } from '../../lib/money.ts';
import { normalCdf } from '../../lib/stats.ts';
import { type RangeWidths, widening } from './calibration.ts';
import type { GradeTerms } from './curve.ts';
import type { Params } from './params.ts';

/**
 * From the belief about a series to its published values (section 3): price, 80 % range, confidence, label, moves.
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
};

/** The market of the series' game on a day, and how wide ranges were then. */
export type DayContext = { day: number; marketLevel: number; marketVariance: number; widths: RangeWidths };

/** Median of the log price in dollars, and its calibrated sd. */
export type LogQuote = { mean: number; sd: number };

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

/** `mean = m + gamma + h a + phi b`, `sd = kappa sqrt(V + P00)`. */
export function logQuote(snapshot: Snapshot, on: DayContext, terms: GradeTerms, params: Params): LogQuote {
  const { level, variance } = beliefAfter(snapshot, on.day - snapshot.day, terms, params);
  const mean = on.marketLevel + level;
  const kappa = widening(on.widths, snapshot.ownSales, on.day - snapshot.lastDay, mean);
  return { mean, sd: kappa * Math.sqrt(variance + on.marketVariance) };
}

/** False when the 80 % range would be wider than 3.2 times: such a series has no price. */
export function isPriced(quote: LogQuote, params: Params): boolean {
  return quote.sd <= params.pricedSdMax;
}

/** US cents of a log price in dollars, half up, at least one. */
export function centsOf(logPrice: number): number {
  return Math.max(1, roundHalfUp(100 * Math.exp(logPrice)));
}

const Z80 = 1.2816;

/** The 80 % range in US cents. */
export function rangeOf(quote: LogQuote): { lowUsdCents: number; highUsdCents: number } {
  return {
    lowUsdCents: centsOf(quote.mean - Z80 * quote.sd),
    highUsdCents: centsOf(quote.mean + Z80 * quote.sd),
  };
}

/** Probability that the true value is within 15 % of the price: `2 Phi(ln 1.15 / sd) - 1`, unrounded. */
export function confidenceOf(quote: LogQuote, params: Params): number {
  return 2 * normalCdf(params.confidenceDistance / quote.sd) - 1;
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
