import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gradeByKey } from '../../../src/catalog/grades.ts';
import { populationOf, wilson } from '../../../src/items/population/population.ts';

const psa = (key: string) => gradeByKey(key)!;
const rows = (day: number, counts: Record<string, number>) =>
  Object.entries(counts).map(([grade, count]) => ({ day, grade, count, source: 'psa' }));

test('Wilson’s interval is that of published tables', () => {
  // Brown, Cai, DasGupta 2001, and R's binom.confint(method = "wilson").
  for (const [k, n, low, high] of [
    [10, 100, 0.0552, 0.1744],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [81, 263, 0.2553, 0.3662],
  ] as const) {
    const found = wilson(k, n)!;
    expect([found.value, found.low, found.high].map((one) => one.toFixed(4))).toEqual(
      [k / n, low, high].map((one) => one.toFixed(4)),
    );
  }
  expect(wilson(0, 0)).toBeNull();
});

test('its ends are within 0 and 1 and around the share, whatever the counts', () => {
  fc.assert(
    fc.property(fc.nat(100_000_000), fc.nat(100_000_000), (a, b) => {
      const { value, low, high } = wilson(a, a + b + 1)!;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
      expect(high).toBeLessThanOrEqual(1);
    }),
  );
});

test('counts what is at the grade, above it and in all; what is outside the scale counts in all', () => {
  const report = rows(100, { 'psa-8': 50, 'psa-9': 100, 'psa-10': 40, authentic: 10 });
  expect(populationOf(report, psa('psa-9'))).toMatchObject({ total: 200, atGrade: 100, higher: 40, growth: null });
  expect(populationOf(report, psa('psa-10'))).toMatchObject({ atGrade: 40, higher: 0, gemRate: { value: 0.2 } });
  expect(populationOf(report, psa('psa-1'))).toMatchObject({ atGrade: 0, higher: 190 });
  expect(populationOf([], psa('psa-1'))).toBeNull();
});

test('graded 10 are all grades of that number: Gem Mint and Pristine', () => {
  const report = rows(100, { 'cgc-9-5': 5, 'cgc-10-gem-mint': 3, 'cgc-10': 2 });
  expect(populationOf(report, psa('cgc-10-gem-mint'))).toMatchObject({
    atGrade: 3,
    higher: 2,
    gemRate: { value: 0.5 },
  });
});

test('growth is what came since the earlier report, of all grades', () => {
  const report = [...rows(100, { 'psa-9': 100, 'psa-10': 40 }), ...rows(60, { 'psa-9': 90, 'psa-10': 35 })];
  expect(populationOf(report, psa('psa-9'))).toMatchObject({
    day: 100,
    total: 140,
    growth: { sinceDay: 60, added: 15 },
  });
});
