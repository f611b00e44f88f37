import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticksOf } from '../../src/web/scale.ts';

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
