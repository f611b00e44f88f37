import { describe, expect, test } from 'vitest';
import { learnCoverage, newCalibration, stratumOf, widening } from '../../../src/pricing/model/calibration.ts';
import { DEFAULT_PARAMS } from '../../../src/pricing/model/params.ts';
import {
  beliefAfter,
  confidenceOf,
  isPriced,
  labelOf,
  logQuote,
  movePct,
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
  ownSales: 5,
  lastDay: 100,
};
const terms = { gamma: 1.1, h: 1, tauSquared: 0.16 };
const context = (day: number) => {
  return { day, marketLevel: 0.1, marketVariance: 0.001, quantiles80: Array(12).fill(1.476) };
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

test('confidence is the probability that the true value is within 15 %', () => {
  expect(confidenceOf({ mean: 0, sd: Math.log(1.15) }, DEFAULT_PARAMS)).toBeCloseTo(0.6827, 3);
  expect(confidenceOf({ mean: 0, sd: Math.log(1.15) / 1.96 }, DEFAULT_PARAMS)).toBeCloseTo(0.95, 3);
});

test('a series is priced up to an sd of .45, where the 80 % range spans 3.2 times', () => {
  expect(isPriced({ mean: 0, sd: 0.45 }, DEFAULT_PARAMS)).toBe(true);
  expect(isPriced({ mean: 0, sd: 0.4501 }, DEFAULT_PARAMS)).toBe(false);
  const { lowUsdCents, highUsdCents } = rangeOf({ mean: Math.log(1000), sd: 0.45 });
  expect(highUsdCents / lowUsdCents).toBeCloseTo(3.17, 1);
});

test('a move is a plain percent with two decimals, and null when either end has no price', () => {
  const at = (usd: number) => ({ mean: Math.log(usd), sd: 0.1 });
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
    expect(later.variance).toBeGreaterThan(0.01 + 1000 * 0.016 ** 2);
  });

  test('the market carries the price', () => {
    const carried = logQuote(snapshot, { ...context(110), marketLevel: 0.3 }, terms, DEFAULT_PARAMS);
    expect(carried.mean - logQuote(snapshot, context(110), terms, DEFAULT_PARAMS).mean).toBeCloseTo(0.2, 12);
  });

  test('a grade without a sale of its own is on the curve with the spread of its grade', () => {
    const unsold = beliefAfter({ ...snapshot, level: null }, 0, terms, DEFAULT_PARAMS);
    expect(unsold).toEqual({ level: 5.1, variance: 0.01 + 0.16 });
  });
});

describe('ranges', () => {
  test('have strata by own sales and by the age of the last', () => {
    expect([0, 1, 2, 3, 9, 10, 99].map((sales) => stratumOf(sales, 0))).toEqual([0, 3, 3, 6, 6, 9, 9]);
    expect([0, 30, 31, 180, 181].map((age) => stratumOf(10, age))).toEqual([9, 9, 10, 10, 11]);
    expect(stratumOf(0, 999)).toBe(0);
  });

  test('widen or narrow a quote within .8 and 1.6', () => {
    expect(widening(1.476)).toBe(1);
    expect(widening(0.5)).toBe(0.8);
    expect(widening(9)).toBe(1.6);
  });

  test('settle where the stated share is held', () => {
    const stratum = newCalibration()[0]!;
    for (let i = 0; i < 20_000; i++) learnCoverage(stratum, ((i * 7919) % 1000) / 1000);
    expect(stratum.quantiles).toEqual([0.5, 0.8, 0.95].map((share) => expect.closeTo(share, 1)));
  });
});
