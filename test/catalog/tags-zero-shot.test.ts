import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUnitVector, VECTOR_LENGTH, zeroShotTags } from '../../src/catalog/tags/zero-shot.ts';

/** A unit vector in the plane of the first two axes, at an angle in radians. */
const at = (angle: number) => [Math.cos(angle), Math.sin(angle), ...Array(VECTOR_LENGTH - 2).fill(0)] as number[];

describe('zero-shot tags', () => {
  test('are the text whose share of exp(100 cos) is a half or more', () => {
    const texts = [
      { slug: 'near', vector: at(0.1) },
      { slug: 'far', vector: at(1) },
    ];
    expect(zeroShotTags(at(0), texts)).toEqual(['near']);
    expect(zeroShotTags(at(1), texts)).toEqual(['far']);
  });

  test('are empty where no text has half', () => {
    const texts = ['a', 'b', 'c'].map((slug) => ({ slug, vector: at(0.5) }));
    expect(zeroShotTags(at(0), texts)).toEqual([]);
  });

  test('are at most two, as the plain formula says', () => {
    const angles = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(angles, (all) => {
        const texts = all.map((angle, k) => ({ slug: String(k), vector: at(angle) }));
        const weights = all.map((angle) => Math.exp(100 * Math.cos(angle)));
        const sum = weights.reduce((a, b) => a + b, 0);
        const slugs = zeroShotTags(at(0), texts);
        expect(slugs.length).toBeLessThanOrEqual(2);
        for (const [k, weight] of weights.entries()) {
          const share = weight / sum;
          if (Math.abs(share - 0.5) > 1e-9) expect(slugs.includes(String(k))).toBe(share > 0.5);
        }
      }),
    );
  });

  test('take only 512 finite numbers of length 1', () => {
    expect(isUnitVector(at(1))).toBe(true);
    expect(isUnitVector(at(1).map((x) => x * 1.0009))).toBe(true);
    for (const bad of [at(1).map((x) => x * 1.002), at(1).slice(1), [...at(1), 0], null, 'x', at(1).map(String)])
      expect(isUnitVector(bad)).toBe(false);
    expect(isUnitVector(at(1).with(5, Number.NaN))).toBe(false);
  });
});
