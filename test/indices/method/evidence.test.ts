import { describe, expect, test } from 'vitest';
import { type CountedSale, evidenceFor, isWitnessed } from '../../../src/indices/method/evidence.ts';
import { closePrices } from '../../../src/indices/method/level.ts';
import { INDEX_RULES } from '../../../src/indices/method/rules.ts';

const DAY = 200;
const sale = (soldDay: number, usd: number, source = 'a'): CountedSale => ({
  soldDay,
  priceUsdCents: usd * 100,
  source,
});

test('evidence counts the sales of 90 and of 30 days near the price, and what they turned over in 90', () => {
  const sales = [sale(DAY - 89, 50), sale(DAY - 30, 100), sale(DAY - 29, 150), sale(DAY - 1, 50), sale(DAY, 400)];
  const passedOver = [sale(DAY + 1, 100), sale(DAY - 90, 100), sale(DAY, 401), sale(DAY, 24)];
  expect(evidenceFor([...sales, ...passedOver], 100, DAY)).toEqual({
    sales90: 5,
    sales30: 3,
    turnover90UsdCents: 750_00,
  });
});

describe.each([
  ['rise', 100, 300],
  ['fall', 300, 100],
])('a jump that is a %s', (_, from, to) => {
  const witnessed = (...sales: CountedSale[]) => isWitnessed(sales, from, to, DAY);
  /** So far beyond the new price (1) or back to the old one (-1), as a share of the way in logs. */
  const at = (share: number) => to * (to / from) ** share;

  test('is witnessed by sales near its new price, of two sources or three days', () => {
    expect(witnessed(sale(DAY, to), sale(DAY, to, 'b'))).toBe(true);
    expect(witnessed(sale(DAY, to), sale(DAY - 1, to), sale(DAY - 2, to))).toBe(true);
    expect(witnessed(sale(DAY, to), sale(DAY - 1, to), sale(DAY - 1, to))).toBe(false);
    expect(witnessed()).toBe(false);
  });

  test('not by sales nearer to the old price, far beyond the new one, of tomorrow or of the last season', () => {
    const one = sale(DAY, to);
    expect(witnessed(one, sale(DAY, at(-0.49), 'b'))).toBe(true);
    expect(witnessed(one, sale(DAY, at(-0.51), 'b'))).toBe(false);
    const beyond = Math.log(INDEX_RULES.nearFactor) / Math.log(3);
    expect(witnessed(one, sale(DAY, at(beyond - 0.01), 'b'))).toBe(true);
    expect(witnessed(one, sale(DAY, at(beyond + 0.01), 'b'))).toBe(false);
    expect(witnessed(one, sale(DAY + 1, to, 'b'))).toBe(false);
    expect(witnessed(one, sale(DAY - 89, to, 'b'))).toBe(true);
    expect(witnessed(one, sale(DAY - 90, to, 'b'))).toBe(false);
  });
});

describe('the market that unwitnessed members follow', () => {
  const members = [10, 20, 30, 40, 50].map((priceUsd) => ({ priceUsd, weight: 0.2 }));

  test('is the median of the members that have a price; where none has, nothing moves', () => {
    const values = [null, null, 33, 44, 500];
    const closed = closePrices(members, values, () => [], DAY);
    expect(closed.map(({ state }) => state)).toEqual(['carried', 'carried', 'moved', 'moved', 'held']);
    expect(closed[4]!.priceUsd).toBeCloseTo(55, 10);
    const two = closePrices(members, [null, null, null, 44, 55], () => [], DAY);
    expect(two.slice(3)).toEqual([
      { priceUsd: 44, state: 'moved' },
      { priceUsd: 55, state: 'moved' },
    ]);
    expect(closePrices(members, Array(5).fill(null), () => [], DAY)).toEqual(
      members.map(({ priceUsd }) => ({ priceUsd, state: 'carried' })),
    );
  });

  test('looks for witnesses of the member that jumps, at its place', () => {
    const asked: number[] = [];
    const salesOf = (place: number) => {
      asked.push(place);
      return [sale(DAY, 500), sale(DAY, 500, 'b')];
    };
    const closed = closePrices(members, [10, 20, 30, 40, 500], salesOf, DAY);
    expect(closed[4]).toEqual({ priceUsd: 500, state: 'moved' });
    expect(asked).toEqual([4]);
  });
});
