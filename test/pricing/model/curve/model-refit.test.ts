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
import { eraOf } from '../../../../src/pricing/model/curve/refit-sets.ts';
import { gameOf, setOf } from '../../../../src/pricing/model/model.ts';
import { newWorld, type ReportedSale } from '../../world.ts';

/** Grade 0 bends: cheap cards rise by 2.6 of it to 1 of the card, expensive ones by .8. */
const BENT: Curve = { meanLevel: 3, alpha: [-0.7], beta: [0.7], tauSquared: [0.05], square: [-0.45] };
const LEVELS = [-3, 0.5, 2, 2.9, 3, 3.5, 4, 5.5, 12];

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

test('what a set adds is a number for each grade up to the last that its cards sold in', () => {
  const world = newWorld();
  for (let day = 0; day < 10; day++) {
    const sales = ['a', 'b', 'c'].flatMap((card, at) => [
      { card, day, usd: 40 + 20 * at },
      { card, day, usd: 15 + 5 * at, grade: 'psa-9' },
      { card, day, usd: 9 + 5 * at, grade: 'raw-A' },
    ]);
    world.close(day, sales);
  }
  world.refit();
  const { deltas } = setOf(world.model, 'pokemon', 'pokemon/s1');
  // The second, PSA 9, is the grade that all others are measured from.
  expect(deltas).toEqual([expect.any(Number), 0, expect.any(Number)]);
});

test.each([
  ['falls', (at: number) => 4000 * 0.6 ** at, -0.6],
  ['rises far faster', (at: number) => 2 * 6 ** at, 1.6],
])('where an ungraded price %s as cards get more expensive, its slope stops at a limit', (_, ungradedUsd, limit) => {
  const world = newWorld();
  for (let day = 0; day < 10; day++) {
    const sales = Array.from({ length: 12 }, (_, at) => [
      { card: `${at}`, day, usd: 10 * 1.6 ** at, grade: 'psa-9' },
      { card: `${at}`, day, usd: 11 * 1.6 ** at, grade: 'psa-8' },
      { card: `${at}`, day, usd: ungradedUsd(at), grade: 'raw-A' },
    ]);
    world.close(day, sales.flat());
    // Later refits follow the levels that the earlier ones gave.
    if (day % 2 === 1) world.refit();
  }
  const { curve } = gameOf(world.model, 'pokemon');
  const raw = world.model.gradeIndex.get('raw-A')!;
  expect(curve.beta[raw]).toBe(limit);
  for (let level = -10; level < 20; level++) expect(termsOf(curve, [], raw, level).h).toBeGreaterThan(0.4 - 1e-9);
});

const PREMIUM: Record<string, number> = { new1: 5, new2: 5, new3: 5, old1: 2, old2: 2, old3: 2 };
/** Day 0 is 1970-01-01. */
const yearOf = (set: string) => (set.startsWith('new') ? 1969 : set.startsWith('old') ? 1955 : null);
const sale = (set: string, at: number, grade: string, usd: number, day: number): ReportedSale => {
  return { card: `${set} ${at}`, set, setYear: yearOf(set), grade, usd, day };
};

test('a set that sold in one grade has what sets of its age add to another; one of unknown age has nothing', () => {
  const world = newWorld();
  for (let day = 0; day < 10; day++) {
    const sales = Object.entries(PREMIUM).flatMap(([set, premium]) =>
      [0, 1, 2, 3, 4].flatMap((at) => [
        sale(set, at, 'psa-9', 20 + at, day),
        sale(set, at, 'psa-10', premium * (20 + at), day),
      ]),
    );
    world.close(day, [...sales, ...['new4', 'old4', 'undated'].map((set) => sale(set, 0, 'psa-9', 22, day))]);
  }
  // Loaded ahead of its first sale, as a batch of days loads it.
  const later = setOf(world.model, 'pokemon', 'pokemon/later', 1969);
  world.refit();
  expect(later.deltas).toEqual([]);
  const ten = world.model.gradeIndex.get('psa-10')!;
  const deltaOf = (set: string) => setOf(world.model, 'pokemon', `pokemon/${set}`).deltas[ten];
  expect(deltaOf('new4')).toBeGreaterThan(0.05);
  expect(deltaOf('old4')).toBeLessThan(-0.05);
  expect(deltaOf('undated')).toBeUndefined();
  // Own sales count for more than those of other sets.
  expect(deltaOf('new1')).toBeGreaterThan(deltaOf('new4')!);
  const price = (set: string) => world.quote(`${set} 0`, 'psa-10')!.mean;
  expect(price('new4')).toBeGreaterThan(price('undated') + 0.05);
  expect(price('old4')).toBeLessThan(price('undated') - 0.05);
});
