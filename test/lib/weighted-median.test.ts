import fc from 'fast-check';
import { expect, test } from 'vitest';
import { median } from '../../src/lib/stats.ts';
import { ownedValues, weightedMedian } from '../../src/lib/weighted-median.ts';

test('is the median of the values written out as often as their owners count', () => {
  const value = fc.record({ value: fc.integer({ min: 0, max: 20 }), owner: fc.integer({ min: 0, max: 3 }) });
  const weights = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), weights, (values, times) => {
      const written = values.flatMap((one) => Array.from({ length: times[one.owner]! }, () => one.value));
      fc.pre(written.length > 0);
      const owned = ownedValues(
        Float64Array.from(values, (one) => one.value),
        Uint32Array.from(values, (one) => one.owner),
      );
      expect(weightedMedian(owned, Uint32Array.from(times), written.length)).toBe(median(written));
    }),
  );
});
