import { describe, expect, test } from 'vitest';
import { newCalibration, widthsOf } from '../../../src/pricing/model/calibration.ts';
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
  levelPerDay: 0.0003,
  deviationPerDay: 0.0004,
  ownSales: 5,
  lastDay: 100,
};
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
