import { describe, expect, test } from 'vitest';
import {
  type Calibration,
  learnCoverage,
  newCalibration,
  quantilesFor,
  stratumOf,
  widening,
  widthsOf,
} from '../../../src/pricing/model/calibration.ts';

const START = [0.756, 1.535, 2.674];
const log = Math.log;

describe('ranges', () => {
  test('have strata by own sales, as the published bands, and by the age of the last', () => {
    expect([0, 1, 3, 4, 12, 13, 99].map((sales) => stratumOf(sales, 0))).toEqual([0, 3, 3, 6, 6, 9, 9]);
    expect([0, 30, 31, 180, 181].map((age) => stratumOf(13, age))).toEqual([9, 9, 10, 10, 11]);
    expect(stratumOf(0, 999)).toBe(0);
  });

  test('begin at the quantiles of a t distribution with five degrees of freedom, in every price bucket', () => {
    for (const stratum of [0, 11]) {
      for (const usd of [1, 5000])
        expect(quantilesFor(newCalibration(), { stratum, logPrice: log(usd) })).toEqual(START);
    }
  });

  test.each([
    [0, 2, 1.25],
    [0, 1, 0.95],
    [100, 2, 1.1],
    [100, 1, 0.975],
  ])(
    'after %d forecasts one with an error of %d sds changes them as in-plain-words.md says, to × %d',
    (forecasts, u, by) => {
      const calibration = newCalibration();
      const one = { stratum: 3, logPrice: log(2000) };
      calibration.strata[3]!.forecasts = forecasts;
      calibration.buckets[4]!.forecasts = forecasts;
      learnCoverage(calibration, one, u);
      expect(Math.abs(quantilesFor(calibration, one)[1]! / START[1]! - by)).toBeLessThan(0.012);
    },
  );

  test('have price buckets below $30, $100, $300, $1,000 and above', () => {
    const calibration = newCalibration();
    calibration.buckets.forEach((bucket, i) => {
      bucket.factor = 1 + i / 10;
    });
    const factorAt = (logPrice: number) => quantilesFor(calibration, { stratum: 0, logPrice })[1]! / START[1]!;
    for (const [i, usd] of [30, 100, 300, 1000].entries()) {
      expect(factorAt(log(usd) - 1e-9), `below $${usd}`).toBeCloseTo(1 + i / 10, 12);
      expect(factorAt(log(usd)), `from $${usd}`).toBeCloseTo(1.1 + i / 10, 12);
    }
  });
});

describe('a quote', () => {
  const widths = (quantile: number, factor: number) => {
    return { quantiles80: Array<number>(12).fill(quantile), factors: Array<number>(5).fill(factor) };
  };
  const kappa = (quantile: number, factor: number) => widening(widths(quantile, factor), 5, 0, log(50)).kappa;

  test('is widened or narrowed within .8 and 1.6 by the quantile of its stratum times the factor of its bucket', () => {
    expect(kappa(1.535, 1)).toBe(1);
    expect(kappa(1.535, 1.3)).toBeCloseTo(1.3, 12);
    expect(kappa(1.535 * 1.2, 1.3)).toBeCloseTo(1.56, 12);
    expect(kappa(0.5, 1)).toBe(0.8);
    expect(kappa(9, 1)).toBe(1.6);
  });

  test('has the ranges of its own stratum and bucket', () => {
    const of12 = {
      quantiles80: Array.from({ length: 12 }, (_, i) => 1.535 * (1 + i / 100)),
      factors: [1, 1, 1.1, 1, 1],
    };
    expect(widening(of12, 13, 200, log(50)).kappa).toBeCloseTo(1.11, 12);
    expect(widening(of12, 1, 0, log(200)).kappa).toBeCloseTo(1.03 * 1.1, 12);
  });

  test('of a day that version 2 published has its strata and its scale', () => {
    const of12 = { quantiles80: Array.from({ length: 12 }, (_, i) => 1.476 * (1 + i / 100)), factors: null };
    const by = (ownSales: number, age: number) => widening(of12, ownSales, age, log(5000)).kappa;
    expect([0, 1, 2, 3, 9, 10, 99].map((sales) => by(sales, 0))).toEqual(
      [0, 3, 3, 6, 6, 9, 9].map((stratum) => expect.closeTo(1 + stratum / 100, 12)),
    );
    expect([30, 31, 180, 181].map((age) => by(10, age))).toEqual(
      [9, 10, 10, 11].map((stratum) => expect.closeTo(1 + stratum / 100, 12)),
    );
    expect(by(0, 999)).toBeCloseTo(1, 12);
  });
});

describe('what forecasts teach', () => {
  const rate = (forecasts: number) => Math.max(0.004, (20 + forecasts) ** -0.5);

  test('a miss widens its stratum and its bucket, a hit narrows them; others stay', () => {
    for (const [u, missed] of [
      [9, 1],
      [0.01, 0],
    ] as const) {
      const calibration = newCalibration();
      learnCoverage(calibration, { stratum: 4, logPrice: log(200) }, u);
      const quantiles = [0.5, 0.8, 0.95].map((level, i) => {
        return START[i]! + rate(1) * [1.2, 1.2, 2.5][i]! * (missed - (1 - level));
      });
      expect(calibration.strata[4]).toEqual({
        forecasts: 1,
        quantiles: quantiles.map((one) => expect.closeTo(one, 12)),
      });
      const factor = Math.exp(0.5 * rate(1) * (missed - 0.2));
      expect(calibration.buckets[2]).toEqual({ forecasts: 1, factor: expect.closeTo(factor, 12) });
      const untouched = newCalibration();
      for (const i of [0, 3, 5, 11]) expect(calibration.strata[i]).toEqual(untouched.strata[i]);
      for (const i of [0, 1, 3, 4]) expect(calibration.buckets[i]).toEqual(untouched.buckets[i]);
    }
  });

  test('a stratum learns from the distance on the scale of its bucket, as it was before the forecast', () => {
    const calibration = newCalibration();
    calibration.buckets[1]!.factor = 1.5;
    // Between the plain 80% quantile and that of the bucket: a hit.
    learnCoverage(calibration, { stratum: 6, logPrice: log(50) }, 2);
    expect(calibration.buckets[1]!.factor).toBeLessThan(1.5);
    expect(calibration.strata[6]!.quantiles[1]).toBeLessThan(START[1]!);
    learnCoverage(calibration, { stratum: 6, logPrice: log(500) }, 2);
    expect(calibration.buckets[3]!.factor).toBeGreaterThan(1);
  });

  const distances = (calibration: Calibration, scale: number, logPrice: number) => {
    for (let i = 0; i < 300_000; i++) {
      learnCoverage(calibration, { stratum: i % 12, logPrice }, (scale * ((i * 7919) % 1000)) / 1000);
    }
  };

  test('settles where the stated share is held', () => {
    const calibration = newCalibration();
    distances(calibration, 1, log(20));
    for (const stratum of [0, 5, 11]) {
      expect(quantilesFor(calibration, { stratum, logPrice: log(20) })).toEqual(
        [0.5, 0.8, 0.95].map((share) => expect.closeTo(share, 1)),
      );
    }
  });

  test('keeps a factor within .6 and 1.8', () => {
    for (const [u, limit] of [
      [0, 0.6],
      [1e9, 1.8],
    ] as const) {
      const calibration = newCalibration();
      for (let i = 0; i < 3000; i++) learnCoverage(calibration, { stratum: i % 12, logPrice: log(20) }, u);
      expect(widthsOf(calibration).factors).toEqual([limit, 1, 1, 1, 1]);
    }
  });
});
