import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountedSale, evidenceFor, isWitnessed } from '../../../src/indices/method/evidence.ts';
import { closePrices, divisorFor, levelOf, type Weighted } from '../../../src/indices/method/level.ts';
import { INDEX_RULES } from '../../../src/indices/method/rules.ts';

const DAY = 20_000;
const NO_SALES = (): CountedSale[] => [];

function sale(priceUsd: number, daysAgo: number, source = 'one'): CountedSale {
  return { soldDay: DAY - daysAgo, priceUsdCents: Math.round(priceUsd * 100), source };
}

/** Twenty names at $100. */
const twenty: Weighted[] = Array.from({ length: 20 }, () => ({ weight: 1 / 20, priceUsd: 100 }));
/** The model's values: the first name's own, the others' alike. */
const values = (first: number | null, others = 100) => twenty.map((_, i) => (i === 0 ? first : others));

describe('evidence for a price', () => {
  test('is of 90 days and of 30, the day itself the last', () => {
    const sales = [0, 29, 30, 89, 90, -1].map((daysAgo) => sale(100, daysAgo));
    expect(evidenceFor(sales, 100, DAY)).toEqual({ sales90: 4, sales30: 2, turnover90UsdCents: 40_000 });
  });

  test('does not come from sales further off than a factor of four', () => {
    const sales = [25, 400, 24.9, 401].map((price) => sale(price, 1));
    expect(evidenceFor(sales, 100, DAY)).toMatchObject({ sales90: 2, turnover90UsdCents: 42_500 });
  });

  test('after two agreeing wash sales is the wash sale alone that counts: too little to be eligible', () => {
    const sales = [...[5, 20, 40, 60].map((daysAgo) => sale(100, daysAgo)), sale(10_000, 0)];
    expect(evidenceFor(sales, 9_800, DAY).sales90).toBeLessThan(INDEX_RULES.minSales90);
  });
});

describe('the price the index takes', () => {
  const first = (value: number | null, sales: CountedSale[] = [], others = 100) =>
    closePrices(twenty, values(value, others), () => sales, DAY)[0];

  test("is the model's, down to the last bit", () => {
    expect(first(103.123456789)).toEqual({ priceUsd: 103.123456789, state: 'moved' });
  });

  test('is carried where the model has none', () => {
    expect(first(null)).toEqual({ priceUsd: 100, state: 'carried' });
  });

  test('is carried everywhere when the model has none at all', () => {
    const closed = closePrices(
      twenty,
      twenty.map(() => null),
      NO_SALES,
      DAY,
    );
    expect(closed).toEqual(twenty.map(() => ({ priceUsd: 100, state: 'carried' })));
  });

  test('is held through a jump without witnesses, and moves with the market meanwhile', () => {
    const closed = first(10_000, [sale(10_000, 0)], 90)!;
    expect(closed.state).toBe('held');
    expect(closed.priceUsd).toBeCloseTo(90, 10);
  });

  test('follows a market that falls by a quarter in a day: that is not a jump', () => {
    expect(first(74, [], 75)).toEqual({ priceUsd: 74, state: 'moved' });
  });

  test("is let go when the model's value is near again", () => {
    expect(first(104)).toMatchObject({ state: 'moved' });
  });

  test.each<[witnesses: string, sales: CountedSale[], state: string]>([
    ['sales of two sources', [sale(295, 0, 'one'), sale(310, 3, 'two')], 'moved'],
    ['sales on three days', [sale(295, 0), sale(310, 3), sale(300, 9)], 'moved'],
    ['no: two days of one source', [sale(295, 0), sale(310, 3)], 'held'],
    ['no: three sales of one day', [sale(295, 0), sale(310, 0), sale(300, 0)], 'held'],
    ['no: sales nearer to the old price', [sale(295, 0, 'one'), sale(110, 3, 'two')], 'held'],
    ['no: sales far beyond the new one', [sale(295, 0, 'one'), sale(1300, 3, 'two')], 'held'],
    ['no: sales of over 90 days ago', [sale(295, 0, 'one'), sale(310, 90, 'two')], 'held'],
  ])('a jump to three times has witnesses: %s', (_, sales, state) => {
    expect(first(300, sales)).toMatchObject({ state });
  });

  test('witnesses speak for a fall as for a rise', () => {
    const sales = [sale(33, 1, 'one'), sale(31, 2, 'two')];
    expect(isWitnessed(sales, 100, 32, DAY)).toBe(true);
    expect(isWitnessed(sales, 100, 300, DAY)).toBe(false);
  });

  test('reads only the sales of members that jump', () => {
    const asked: number[] = [];
    const salesOf = (place: number) => {
      asked.push(place);
      return [];
    };
    closePrices(twenty, values(900), salesOf, DAY);
    expect(asked).toEqual([0]);
  });

  test('lets no member move the level by more than .5% in a day, beyond the market, without witnesses', () => {
    const moves = fc.array(fc.double({ min: -6, max: 6, noNaN: true }), { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(fc.constantFrom(20, 60, 100), moves, (size, own) => {
        const members = Array.from({ length: size }, () => ({ weight: 1 / size, priceUsd: 50 }));
        // Fewer than half jump, so the others are the market.
        const jumped = members.map((_, i) => (i % 3 === 0 ? 50 * Math.exp(own[i]!) : 50));
        closePrices(members, jumped, NO_SALES, DAY).forEach(({ priceUsd }) => {
          expect(Math.abs(Math.log(priceUsd / 50)) / size).toBeLessThanOrEqual(0.005 + 1e-12);
        });
      }),
    );
  });

  test('prices and sales times a hundred give the same states and, to 1e-12, the same level', () => {
    const sales = [sale(295, 0), sale(310, 3), sale(300, 9)];
    const expensive = sales.map((one) => ({ ...one, priceUsdCents: one.priceUsdCents * 100 }));
    const scaled = twenty.map((member) => ({ ...member, priceUsd: member.priceUsd * 100 }));
    for (const value of [101, 300, 3000, null]) {
      const one = closePrices(twenty, values(value, 97), () => sales, DAY);
      const other = closePrices(scaled, values(value === null ? null : value * 100, 9700), () => expensive, DAY);
      const level = (from: Weighted[], to: { priceUsd: number }[]) =>
        levelOf(
          to.map(({ priceUsd }) => ({ weight: 1 / 20, priceUsd })),
          divisorFor(from, INDEX_RULES.base),
        );
      expect(other.map(({ state }) => state)).toEqual(one.map(({ state }) => state));
      expect(Math.abs(level(scaled, other) / level(twenty, one) - 1)).toBeLessThanOrEqual(1e-12);
    }
  });
});
