import { describe, expect, test } from 'vitest';
import { type Basket, type WalkInputs, walk } from '../../../src/indices/method/walk.ts';

const ROTATION = 100;

/** A basket of as many cards as prices, at level 10000. */
function basketOf(...pricesUsd: number[]): Basket {
  const weight = 1 / pricesUsd.length;
  const members = pricesUsd.map((priceUsd, i) => ({
    itemId: `card-${i}`,
    gradeKey: 'psa-10',
    rank: i + 1,
    weight,
    priceUsd,
    turnover90UsdCents: 0,
  }));
  const value = Math.exp(pricesUsd.reduce((sum, price) => sum + weight * Math.log(price), 0));
  return { rotationDay: ROTATION, level: 10_000, divisor: value / 10_000, methodologyVersion: '1', members };
}

/** Each card keeps its price except for the values given by day; every jump has witnesses. */
function inputsOf(
  basket: Basket,
  values: Record<number, Record<number, number | null>>,
  leaving: Record<number, number> = {},
): WalkInputs {
  const witnesses = ['a', 'b'].map((source) => ({ soldDay: ROTATION, priceUsdCents: 100_00, source }));
  return {
    valueUsd: (place, day) => {
      const of = values[place]?.[day];
      return of === undefined ? basket.members[place]!.priceUsd : of;
    },
    leavingDay: (place) => leaving[place] ?? null,
    salesOf: () => witnesses,
  };
}

const near = (one: number, other: number) => expect(Math.abs(one / other - 1)).toBeLessThan(1e-12);

describe('from one rotation to the next', () => {
  const basket = basketOf(100, 50, 20, 10);

  test('a day without any move keeps the level', () => {
    const days = walk(basket, inputsOf(basket, {}), ROTATION + 3);
    expect(days).toHaveLength(3);
    for (const { level } of days) near(level, 10_000);
  });

  test('a member without a price is carried at its last one, and takes part again when it has one', () => {
    const values = { 0: { 101: 101, 102: null, 103: null, 104: 101.5 } };
    const days = walk(basket, inputsOf(basket, values), ROTATION + 4);
    expect(days.map(({ members }) => [members[0]!.priceUsd, members[0]!.state])).toEqual([
      [101, 'moved'],
      [101, 'carried'],
      [101, 'carried'],
      [101.5, 'moved'],
    ]);
    near(days[2]!.level, 10_000 * 1.01 ** 0.25);
  });

  test('a jump reads the sales of its own member as they were known on its day', () => {
    const values = { 2: { 102: 60 } };
    const asked: number[][] = [];
    const world = inputsOf(basket, values);
    const salesOf = (place: number, day: number) => {
      asked.push([place, day]);
      return place === 2 ? ['a', 'b'].map((source) => ({ soldDay: day, priceUsdCents: 60_00, source })) : [];
    };
    const days = walk(basket, { ...world, salesOf }, ROTATION + 2);
    expect(days[1]!.members[2]).toMatchObject({ priceUsd: 60, state: 'moved' });
    expect(asked).toEqual([[2, 102]]);
  });

  test('a member leaves at its last value: the others’ weights add up to 1 and the level does not move', () => {
    const values = { 1: { 101: 50.5, 102: 999 } };
    const [first, second] = walk(basket, inputsOf(basket, values, { 1: 102 }), ROTATION + 2);
    near(first!.level, 10_000 * 1.01 ** 0.25);
    near(second!.level, first!.level);
    expect(second!.members.map(({ itemId }) => itemId)).toEqual(['card-0', 'card-2', 'card-3']);
    near(
      second!.members.reduce((sum, { weight }) => sum + weight, 0),
      1,
    );
    const { divisor: divisorAfter } = second!;
    expect(second!.removals).toEqual([
      {
        itemId: 'card-1',
        rotationDay: ROTATION,
        day: 102,
        priceUsd: 50.5,
        divisorBefore: basket.divisor,
        divisorAfter,
      },
    ]);
  });

  test('members that leave on one day leave together', () => {
    const [day] = walk(basket, inputsOf(basket, {}, { 0: 101, 3: 101 }), ROTATION + 1);
    expect(day!.removals.map(({ itemId }) => itemId)).toEqual(['card-0', 'card-3']);
    expect(new Set(day!.removals.map(({ divisorAfter }) => divisorAfter)).size).toBe(1);
    near(day!.level, 10_000);
  });

  test('a basket left with one member follows that member alone, from the level it had', () => {
    const values = { 3: { 102: 11 } };
    const [first, second] = walk(basket, inputsOf(basket, values, { 0: 101, 1: 101, 2: 101 }), ROTATION + 2);
    expect(first!.removals.map(({ itemId }) => itemId)).toEqual(['card-0', 'card-1', 'card-2']);
    expect(first!.members.map(({ itemId, weight }) => [itemId, weight])).toEqual([['card-3', 1]]);
    near(first!.level, 10_000);
    near(second!.level, 11_000);
  });

  test('a basket that loses all its members at once does not move', () => {
    const days = walk(basket, inputsOf(basket, { 0: { 102: 200 } }, { 0: 101, 1: 101, 2: 101, 3: 101 }), ROTATION + 3);
    expect(days.map(({ members, removals }) => [members.length, removals.length])).toEqual([
      [0, 4],
      [0, 0],
      [0, 0],
    ]);
    for (const { level } of days) near(level, 10_000);
  });
});
