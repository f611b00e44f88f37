import { describe, expect, test } from 'vitest';
import { newCalibration, widthsOf } from '../../../src/pricing/model/calibration.ts';
import { DEFAULT_PARAMS } from '../../../src/pricing/model/params.ts';
import {
  beliefAfter,
  confidenceOf,
  isPriced,
  type LogQuote,
  labelOf,
  logQuote,
  movePct,
  nextSaleRangeOf,
  rangeOf,
  type Snapshot,
} from '../../../src/pricing/model/quote.ts';

const snapshot: Snapshot = {
  day: 100,
  cardLevel: 4,
  cardVariance: 0.01,
  level: 5.2,
  covariance: -0.002,
  deviationVariance: 0.02,
  levelPerDay: 0.0003,
  deviationPerDay: 0.0004,
  ownSales: 5,
  lastDay: 100,
  saleVariance: 0.03,
  before: null,
};
const quote = (mean: number, sd: number): LogQuote => ({ mean, sd, kappa: 1, nextSale: 2 * sd, before: null });
const terms = { gamma: 1.1, h: 1, tauSquared: 0.16 };
const context = (day: number) => {
  return { day, marketLevel: 0.1, marketVariance: 0.001, widths: widthsOf(newCalibration()) };
};

test('labels need their confidence, and prime also twenty sales from two sources in 90 days', () => {
  const plenty = { sales: 20, sources: 2 };
  expect(labelOf(0.9, plenty)).toBe('prime');
  expect(labelOf(0.9, { sales: 19, sources: 2 })).toBe('high');
  expect(labelOf(0.9, { sales: 20, sources: 1 })).toBe('high');
  expect(labelOf(0.89, plenty)).toBe('high');
  expect(labelOf(0.8, plenty)).toBe('high');
  expect(labelOf(0.79, plenty)).toBe('medium');
  expect(labelOf(0.5, plenty)).toBe('medium');
  expect(labelOf(0.49, plenty)).toBe('low');
});

test('confidence is the probability that the true value is within 15%', () => {
  expect(confidenceOf(quote(0, Math.log(1.15)), DEFAULT_PARAMS)).toBeCloseTo(0.6827, 3);
  expect(confidenceOf(quote(0, Math.log(1.15) / 1.96), DEFAULT_PARAMS)).toBeCloseTo(0.95, 3);
});

test('a series is priced up to an sd of .45, where the 80% range spans 3.2 times', () => {
  expect(isPriced(quote(0, 0.45), DEFAULT_PARAMS)).toBe(true);
  expect(isPriced(quote(0, 0.4501), DEFAULT_PARAMS)).toBe(false);
  const { lowUsdCents, highUsdCents } = rangeOf(quote(Math.log(1000), 0.45));
  expect(highUsdCents / lowUsdCents).toBeCloseTo(3.17, 1);
});

test('a move is a plain percent with two decimals, and null when either end has no price', () => {
  const at = (usd: number) => quote(Math.log(usd), 0.1);
  expect(movePct(at(94.67), at(100))).toBe(-5.33);
  expect(movePct(null, at(100))).toBeNull();
  expect(movePct(at(100), null)).toBeNull();
});

describe('as days pass without a sale', () => {
  test('a deviation returns to the curve and the belief widens', () => {
    const now = beliefAfter(snapshot, 0, terms, DEFAULT_PARAMS);
    const later = beliefAfter(snapshot, 1000, terms, DEFAULT_PARAMS);
    expect(now.level).toBe(5.2);
    expect(now.variance).toBeCloseTo(0.01 - 0.004 + 0.02, 12);
    expect(later.level).toBeCloseTo(5.1 + 0.1 / Math.E, 12);
    const phi = 1 / Math.E;
    const ownPart = phi ** 2 * 0.02 + 0.16 * (1 - phi ** 2) + 1000 * 0.0004;
    expect(later.variance).toBeCloseTo(0.01 + 1000 * 0.0003 - 2 * phi * 0.002 + ownPart, 12);
  });

  test('the market carries the price', () => {
    const carried = logQuote(snapshot, { ...context(110), marketLevel: 0.3 }, terms, DEFAULT_PARAMS);
    expect(carried.mean - logQuote(snapshot, context(110), terms, DEFAULT_PARAMS).mean).toBeCloseTo(0.2, 12);
  });

  test('a grade without a sale of its own is on the curve with the spread of its grade', () => {
    const unsold = beliefAfter({ ...snapshot, level: null }, 0, terms, DEFAULT_PARAMS);
    expect(unsold).toEqual({ level: 5.1, variance: 0.01 + 0.16 });
    // It has no deviation yet that could wander.
    const later = beliefAfter({ ...snapshot, level: null }, 10, terms, DEFAULT_PARAMS);
    expect(later.variance).toBeCloseTo(0.01 + 10 * 0.0003 + 0.16, 12);
  });
});

describe('the next sale', () => {
  const at = (more: Partial<Snapshot>) => logQuote({ ...snapshot, ...more }, context(100), terms, DEFAULT_PARAMS);

  test('is expected within the 80% quantile of forecasts: the value, the market and the noise of a sale', () => {
    const uncertain = 0.01 - 0.004 + 0.02 + 0.001;
    expect(at({}).nextSale).toBeCloseTo(1.535 * Math.sqrt(uncertain + 0.03), 12);
    const { lowUsdCents, highUsdCents } = nextSaleRangeOf(at({}))!;
    expect(Math.log(highUsdCents / lowUsdCents)).toBeCloseTo(2 * 1.535 * Math.sqrt(uncertain + 0.03), 3);
  });

  test('has no narrower range than the value, and none where its noise was not recorded', () => {
    expect(at({ saleVariance: 0 }).nextSale).toBeCloseTo(1.535 * Math.sqrt(0.027), 12);
    const narrow = { quantiles80: Array<number>(12).fill(0.5), factors: [1, 1, 1, 1, 1] };
    const quote = logQuote(
      { ...snapshot, saleVariance: 0 },
      { ...context(100), widths: narrow },
      terms,
      DEFAULT_PARAMS,
    );
    expect(quote.nextSale).toBeCloseTo(1.2816 * quote.sd, 12);
    expect(at({ saleVariance: null }).nextSale).toBeNull();
  });
});

describe('an unconfirmed move', () => {
  const before = { level: 4.5, variance: 0.04, ownSales: 3, lastDay: 60 };
  const at = (day: number) => logQuote({ ...snapshot, before }, context(day), terms, DEFAULT_PARAMS);

  test('keeps what the series would be without it: its level, uncertainty, stratum and age', () => {
    const widths = {
      quantiles80: Array.from({ length: 12 }, (_, i) => 1.535 * (1 + i / 100)),
      factors: [1, 1, 1, 1, 1],
    };
    const quote = logQuote({ ...snapshot, before }, { ...context(100), widths }, terms, DEFAULT_PARAMS);
    expect(quote.before!.mean).toBeCloseTo(0.1 + 4.5, 12);
    // 1 to 3 own sales, the last one 40 days ago.
    expect(quote.before!.sd).toBeCloseTo(1.04 * Math.sqrt(0.04 + 0.001), 12);
    expect(at(300).before!.sd / at(300).sd).toBeGreaterThan(1);
  });

  test('has one range over both, and the confidence of that', () => {
    const quote = at(100);
    const { lowUsdCents, highUsdCents } = rangeOf(quote);
    expect(lowUsdCents).toBe(Math.round(100 * Math.exp(quote.before!.mean - 1.2816 * quote.before!.sd)));
    expect(highUsdCents).toBe(Math.round(100 * Math.exp(quote.mean + 1.2816 * quote.sd)));
    const sd = Math.log(highUsdCents / lowUsdCents) / 2 / 1.2816;
    const same = confidenceOf({ mean: 0, sd, kappa: 1, nextSale: null, before: null }, DEFAULT_PARAMS);
    expect(confidenceOf(quote, DEFAULT_PARAMS)).toBeCloseTo(same, 3);
    expect(isPriced(quote, DEFAULT_PARAMS)).toBe(true);
  });
});
