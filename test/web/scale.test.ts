import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { namedDays, namesMonths, ticksOf } from '../../src/web/chart/scale.ts';

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });

test('ticks enclose the range, evenly spaced and few', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      fc.pre(high === low || high - low > 1e-6);
      const ticks = ticksOf(low, high);
      const step = ticks[1]! - ticks[0]!;
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks[0]!).toBeLessThanOrEqual(low + step * 1e-6);
      expect(ticks.at(-1)!).toBeGreaterThanOrEqual(high - step * 1e-6);
    }),
  );
});

test('ticks are round', () => {
  expect(ticksOf(18_612, 24_671)).toEqual([18_000, 20_000, 22_000, 24_000, 26_000]);
  expect(ticksOf(10_000, 10_000)).toEqual([10_000, 12_000]);
});

const named = (from: string, to: string) => namedDays(parseDay(from)!, parseDay(to)!).map(formatDay);

test('a long axis names the first days of evenly spaced months', () => {
  expect(named('2026-05-01', '2026-10-14')).toEqual(['2026-06-01', '2026-07-01', '2026-08-01', '2026-09-01']);
  expect(named('2025-05-02', '2025-12-14')).toEqual(['2025-07-01', '2025-09-01', '2025-11-01']);
  expect(named('2025-11-24', '2026-11-23')).toEqual([
    '2026-01-01',
    '2026-03-01',
    '2026-05-01',
    '2026-07-01',
    '2026-09-01',
  ]);
  expect(named('2020-03-10', '2026-11-23')).toEqual(['2022-01-01', '2024-01-01', '2026-01-01']);
});

test('a short axis names days, and one day is named alone', () => {
  expect(named('2026-05-01', '2026-05-31')).toEqual(['2026-05-05', '2026-05-12', '2026-05-20', '2026-05-27']);
  expect(named('2026-05-01', '2026-05-01')).toEqual(['2026-05-01']);
});

test('an axis of any length names two to five days, with room on both sides of each', () => {
  const day = fc.integer({ min: 10_000, max: 25_000 });
  fc.assert(
    fc.property(day, fc.integer({ min: 4, max: 15_000 }), (fromDay, span) => {
      const days = namedDays(fromDay, fromDay + span);
      expect(days.length).toBeGreaterThanOrEqual(2);
      expect(days.length).toBeLessThanOrEqual(5);
      expect(days[0]! - fromDay).toBeGreaterThanOrEqual(0.08 * span - 1);
      expect(fromDay + span - days.at(-1)!).toBeGreaterThanOrEqual(0.08 * span - 1);
      if (!namesMonths(fromDay, fromDay + span)) return;
      for (const one of days) expect(formatDay(one)).toMatch(/-01$/);
    }),
  );
});
