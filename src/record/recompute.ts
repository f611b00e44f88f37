import { parseDay } from '../lib/day.ts';
import { termsOf } from '../pricing/model/curve/curve.ts';
import { DEFAULT_PARAMS } from '../pricing/model/params.ts';
import { centsOf, confidenceOf, isPriced, logQuote, nextSaleRangeOf, rangeOf } from '../pricing/model/quote.ts';
import { onCurve } from '../pricing/model/snapshot.ts';
import {
  type CalibrationLine,
  type CurveLine,
  curveOfGrade,
  type MarketLine,
  type SnapshotLine,
  snapshotOfLine,
} from './day-line.ts';

/** The lines that a price is computed from. */
export type PriceLines = {
  market: MarketLine;
  calibration: CalibrationLine;
  /** The curve of the game and what the set adds to it, in force on the day; null before the first. */
  curve: CurveLine | null;
  setCurve: CurveLine | null;
  snapshot: SnapshotLine;
};

/** What a close published of a series; nulls without a price. */
export type PublishedPrice = {
  priceUsdCents: number | null;
  /** US cents: the 80% range of the value. */
  low: number | null;
  high: number | null;
  /** Probability that the true value is within 15% of the price, two decimals. */
  confidenceScore: number | null;
  /** US cents: the 80% range of the next sale. */
  nextSaleRangeUsdCents: { low: number; high: number } | null;
};

const UNPRICED: PublishedPrice = {
  priceUsdCents: null,
  low: null,
  high: null,
  confidenceScore: null,
  nextSaleRangeUsdCents: null,
};

/** The price of a grade at the close of a day (YYYY-MM-DD), from lines alone (docs/methodology/record.md, section 5). */
export function recomputedPrice(lines: PriceLines, gradeKey: string, day: string): PublishedPrice {
  const stated = snapshotOfLine(lines.snapshot, gradeKey);
  if (stated === null) return UNPRICED;
  const snapshot = stated.gradeKey === gradeKey ? stated.snapshot : onCurve(stated.snapshot, stated.gradeKey, gradeKey);
  const delta = lines.setCurve?.terms.delta;
  const ofSet = typeof delta === 'object' ? delta[gradeKey] : undefined;
  const terms = termsOf(curveOfGrade(lines.curve, gradeKey), [ofSet], 0, snapshot.cardLevel);
  const { market, calibration: widths } = lines;
  const context = { day: parseDay(day)!, marketLevel: market.level, marketVariance: market.variance, widths };
  const quote = logQuote(snapshot, context, terms, DEFAULT_PARAMS);
  if (!isPriced(quote, DEFAULT_PARAMS)) return UNPRICED;
  const [value, next] = [rangeOf(quote), nextSaleRangeOf(quote)];
  return {
    priceUsdCents: centsOf(quote.mean),
    low: value.lowUsdCents,
    high: value.highUsdCents,
    confidenceScore: Math.round(confidenceOf(quote, DEFAULT_PARAMS) * 100) / 100,
    nextSaleRangeUsdCents: next && { low: next.lowUsdCents, high: next.highUsdCents },
  };
}
