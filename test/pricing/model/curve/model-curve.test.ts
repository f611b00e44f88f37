import { describe, expect, test } from 'vitest';
import { parseDay } from '../../../../src/lib/day.ts';
import {
  type Curve,
  extendCurve,
  gradeEffect,
  levelBehind,
  newCurve,
  termsOf,
} from '../../../../src/pricing/model/curve/curve.ts';
import { eraOf } from '../../../../src/pricing/model/curve/era.ts';

/** Grade 0 bends: cheap cards rise by 2.6 of it to 1 of the card, expensive ones by .8. */
const BENT: Curve = { meanLevel: 3, alpha: [-0.7], beta: [0.7], tauSquared: [0.05], square: [-0.225] };
const LEVELS = [-3, 0.5, 1, 2.9, 3, 4, 5, 5.5, 12];

describe('a curve that bends', () => {
  test.each(LEVELS)('is met by its tangent at the level %d of a card, and nowhere falls', (level) => {
    const { gamma, h } = termsOf(BENT, [0.1], 0, level);
    const on = (at: number) => at + gradeEffect(BENT, 0, at - BENT.meanLevel) + 0.1;
    expect(gamma + h * level).toBeCloseTo(on(level), 12);
    expect(h).toBeCloseTo((on(level + 1e-5) - on(level - 1e-5)) / 2e-5, 4);
    expect(h).toBeGreaterThan(0.79);
    expect(h).toBeLessThan(2.61);
  });

  test.each(LEVELS)('is read backwards to the level %d', (level) => {
    const { gamma, h } = termsOf(BENT, [], 0, level);
    expect(levelBehind(BENT, [], 0, gamma + h * level)).toBeCloseTo(level, 9);
  });

  test('of version 2 is a line', () => {
    const { square: _, ...stored } = { ...newCurve(), alpha: [1.1], beta: [0.2], tauSquared: [0.16] };
    const curve = stored as Curve;
    extendCurve(curve, ['psa-10', 'psa-9']);
    expect(curve).toEqual({
      meanLevel: 0,
      alpha: [1.1, 0],
      beta: [0.2, 0],
      tauSquared: [0.16, 0.0625],
      square: [0, 0],
    });
    expect(termsOf(curve, [], 0, 4)).toEqual({ gamma: 1.1, h: 1.2, tauSquared: 0.16 });
  });
});

test.each([
  ['2025-06-30', 0],
  ['2026-07-02', 1],
  ['2028-07-02', 2],
  ['2033-07-02', 3],
  ['2045-07-02', 4],
])('a set of 2025 is on %s in era %i', (date, era) => {
  expect(eraOf(2025, parseDay(date))).toBe(era);
  expect(eraOf(null, parseDay(date))).toBeNull();
});
