import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  basketValue,
  contributionOf,
  divisorFor,
  levelOf,
  type Weighted,
  withoutMembers,
} from '../../../src/indices/method/level.ts';
import { INDEX_RULES } from '../../../src/indices/method/rules.ts';

const BASE = INDEX_RULES.base;

function equal(...pricesUsd: number[]): Weighted[] {
  return pricesUsd.map((priceUsd) => ({ weight: 1 / pricesUsd.length, priceUsd }));
}

/** Prices in dollars of a basket of 20 to 100. */
const prices = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 20, maxLength: 100 });

describe('a level', () => {
  test('is the geometric mean of prices over the divisor', () => {
    expect(basketValue(equal(10, 20, 40))).toBeCloseTo(20, 12);
    expect(levelOf(equal(10, 20, 40), 0.002)).toBeCloseTo(10_000, 8);
  });

  test('moves by the mean log move: one of two names up by 10% is the root of 1.1', () => {
    const divisor = divisorFor(equal(10, 10), BASE);
    expect(levelOf(equal(11, 10), divisor)).toBeCloseTo(BASE * Math.sqrt(1.1), 8);
  });

  test('sums in the order given, so that everyone has the same bits', () => {
    const members = equal(0.1, 1e6, 3, 17, 0.3);
    let sum = 0;
    for (const { weight, priceUsd } of members) sum += weight * Math.log(priceUsd);
    expect(basketValue(members)).toBe(Math.exp(sum));
  });

  test('does not change at a rotation, to 1e-12', () => {
    fc.assert(
      fc.property(prices, prices, fc.double({ min: 100, max: 1e6, noNaN: true }), (before, after, level) => {
        const divisor = divisorFor(equal(...before), level);
        const levelBefore = levelOf(equal(...before), divisor);
        const next = divisorFor(equal(...after), levelBefore);
        expect(Math.abs(levelOf(equal(...after), next) / levelBefore - 1)).toBeLessThanOrEqual(1e-12);
      }),
    );
  });

  test('does not care for the unit of prices: times a hundred it is the same, to 1e-12', () => {
    fc.assert(
      fc.property(prices, fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 100 }), (base, moves) => {
        const then = equal(...base);
        const now = then.map((member, i) => ({ ...member, priceUsd: member.priceUsd * Math.exp(moves[i]!) }));
        const expensive = (members: Weighted[]) => members.map((one) => ({ ...one, priceUsd: one.priceUsd * 100 }));
        const level = levelOf(now, divisorFor(then, BASE));
        expect(Math.abs(levelOf(expensive(now), divisorFor(expensive(then), BASE)) / level - 1)).toBeLessThanOrEqual(
          1e-12,
        );
      }),
    );
  });

  test('is what its members contribute', () => {
    fc.assert(
      fc.property(prices, fc.double({ min: 0.2, max: 5, noNaN: true }), (base, factor) => {
        const now = equal(...base.map((price, i) => (i % 3 === 0 ? price * factor : price)));
        const contributed = now.reduce((sum, member, i) => sum + contributionOf(member, base[i]!), 0);
        const level = levelOf(now, divisorFor(equal(...base), BASE));
        expect(contributed).toBeCloseTo(Math.log(level / BASE), 10);
      }),
    );
  });
});

describe('members that leave', () => {
  test('leave at their last price: the level stays, the weights of the others add up to 1', () => {
    fc.assert(
      fc.property(prices, fc.integer({ min: 2, max: 7 }), (base, every) => {
        const members = equal(...base).map((member, place) => ({ ...member, place }));
        const level = levelOf(members, divisorFor(members, BASE));
        const left = withoutMembers(members, ({ place }) => place % every === 1, level);
        expect(left.members.map(({ place }) => place)).toEqual(
          members.map(({ place }) => place).filter((place) => place % every !== 1),
        );
        expect(left.members.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
        expect(Math.abs(levelOf(left.members, left.divisor) / level - 1)).toBeLessThanOrEqual(1e-12);
      }),
    );
  });

  test('are all there are: the level stays', () => {
    const { members, divisor } = withoutMembers(equal(1, 2), () => true, BASE);
    expect(members).toEqual([]);
    expect(Math.abs(levelOf(members, divisor) / BASE - 1)).toBeLessThanOrEqual(1e-12);
  });
});
