import { describe, expect, test } from 'vitest';
import { newCalibration, widthsOf } from '../../../src/pricing/model/calibration.ts';
import { lineOf, quoteOn, snapshotOn } from '../../../src/pricing/model/daily-line.ts';
import { DEFAULT_PARAMS } from '../../../src/pricing/model/params.ts';
import type { Snapshot } from '../../../src/pricing/model/quote.ts';

const aSnapshot = (day: number, level: number): Snapshot => ({
  day,
  cardLevel: 4,
  cardVariance: 0.01,
  level,
  covariance: 0,
  deviationVariance: 0.02,
  levelPerDay: 0.0002,
  deviationPerDay: 0.0003,
  ownSales: 5,
  lastDay: day,
  saleVariance: 0.02,
  before: null,
});
const snapshots = [aSnapshot(10, 5), aSnapshot(11, 5.1), aSnapshot(20, 5.2)];
const world = {
  contextOn: (day: number) => ({ day, marketLevel: day / 100, marketVariance: 0, widths: widthsOf(newCalibration()) }),
  termsOn: () => ({ gamma: 1, h: 1, tauSquared: 0.1 }),
  params: DEFAULT_PARAMS,
};

describe('the line of a series', () => {
  test.each([
    [9, null],
    [10, 10],
    [11, 11],
    [12, 11],
    [19, 11],
    [20, 20],
    [999, 20],
  ])('on day %i goes by the last snapshot not after it: %s', (day, expected) => {
    expect(snapshotOn(snapshots, day)?.day ?? null).toBe(expected);
    expect(snapshotOn([], day)).toBeNull();
  });

  test('has the value of each day, and none before the first snapshot', () => {
    expect(quoteOn(snapshots, 9, world)).toBeNull();
    expect(quoteOn(snapshots, 10, world)!.mean).toBeCloseTo(5.1, 12);
    const line = lineOf(snapshots, 9, 12, world);
    expect(line.map(({ day }) => day)).toEqual([9, 10, 11, 12]);
    expect(line[0]).toEqual({ day: 9, usdCents: null, lowUsdCents: null, highUsdCents: null, nextSaleRange: null });
    expect(line[1]!.usdCents).toBe(Math.round(100 * Math.exp(5.1)));
    expect(line[1]!.lowUsdCents!).toBeLessThan(line[1]!.usdCents!);
    expect(line[1]!.highUsdCents!).toBeGreaterThan(line[1]!.usdCents!);
  });

  test('has no price where the range is too wide to say much', () => {
    const wide = { ...aSnapshot(10, 5), cardVariance: 9 };
    expect(lineOf([wide], 10, 10, world)).toEqual([
      { day: 10, usdCents: null, lowUsdCents: null, highUsdCents: null, nextSaleRange: null },
    ]);
  });
});
