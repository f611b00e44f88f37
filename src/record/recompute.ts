import { parseDay } from '../lib/day.ts';
import { termsOf } from '../pricing/model/curve/curve.ts';
import { DEFAULT_PARAMS } from '../pricing/model/params.ts';
import { type CentsRange, centsOf, isPriced, logQuote, nextSaleRangeOf, rangeOf } from '../pricing/model/quote.ts';
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
  /** 80% range of the value, and of the next sale. */
  rangeUsdCents: CentsRange | null;
  nextSaleUsdCents: CentsRange | null;
};

/** The price of a grade at the close of a day (YYYY-MM-DD), from lines alone (docs/methodology/record.md, section 5). */
export function recomputedPrice(lines: PriceLines, gradeKey: string, day: string): PublishedPrice {
  const unpriced = { priceUsdCents: null, rangeUsdCents: null, nextSaleUsdCents: null };
  const stated = snapshotOfLine(lines.snapshot, gradeKey);
  if (stated === null) return unpriced;
  const snapshot = stated.gradeKey === gradeKey ? stated.snapshot : onCurve(stated.snapshot, stated.gradeKey, gradeKey);
  const delta = lines.setCurve?.terms.delta;
  const ofSet = typeof delta === 'object' ? delta[gradeKey] : undefined;
  const terms = termsOf(curveOfGrade(lines.curve, gradeKey), [ofSet], 0, snapshot.cardLevel);
  const { market, calibration: widths } = lines;
  const context = { day: parseDay(day)!, marketLevel: market.level, marketVariance: market.variance, widths };
  const quote = logQuote(snapshot, context, terms, DEFAULT_PARAMS);
  if (!isPriced(quote, DEFAULT_PARAMS)) return unpriced;
  return {
    priceUsdCents: centsOf(quote.mean),
    rangeUsdCents: rangeOf(quote),
    nextSaleUsdCents: nextSaleRangeOf(quote),
  };
}
