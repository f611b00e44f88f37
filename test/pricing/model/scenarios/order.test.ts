import { describe, expect, test } from 'vitest';
import { levelOn } from '../../../../src/pricing/model/market.ts';
import { gameOf } from '../../../../src/pricing/model/model.ts';
import { background, drive, type ReportedSale } from '../../world.ts';

/** Sections C1 and C2: what the order of a day's sales, or one low sale, may not do. */

/** Sales of a market that never moves, with noise of about 15%; the file lists each day's by price. */
function flatMarket(days: number, isRising: boolean): ReportedSale[] {
  return Array.from({ length: days }, (_, day) => {
    const sales = Array.from({ length: 24 }, (_, i): ReportedSale => {
      const card = (day * 8 + Math.floor(i / 3)) % 40;
      const noise = 0.21 * Math.sin(day * 12.9898 + i * 78.233);
      return { card: `card-${card}`, grade: 'psa-9', day, usd: (40 + card) * Math.exp(noise) };
    });
    const side = isRising ? 1 : -1;
    return sales.sort((a, b) => side * (a.usd - b.usd));
  }).flat();
}

describe('a day’s sales', () => {
  test('of a flat market listed by price leave it flat', () => {
    for (const isRising of [true, false]) {
      const { market } = gameOf(drive(flatMarket(200, isRising), 199).model, 'pokemon');
      expect(Math.abs(levelOn(market, 199)), `rising: ${isRising}`).toBeLessThan(0.01);
    }
  });

  test('at $100 and $200 give the same cents in either order, whatever their ids, each counting alike', () => {
    const cents = (prices: readonly number[], ids = [9001, 9002]) => {
      const first: ReportedSale = { card: 'card', day: 50, usd: 140 };
      const sales = prices.map((usd, i): ReportedSale => ({ card: 'card', day: 60, usd, id: ids[i]! }));
      return drive([...background(70), first, ...sales], 65).quote('card', 'psa-10')!.cents!;
    };
    const both = cents([100, 200]);
    expect(cents([200, 100])).toBe(both);
    expect(cents([200, 100], [9002, 9001])).toBe(both);
    expect(both).toBeGreaterThan(130_00);
    expect(both).toBeLessThan(150_00);
  });

  test('of a card that never sold count whole, however far apart', () => {
    const sales = [100, 100, 1600].map((usd, i): ReportedSale => ({ card: 'new', day: 0, usd, id: i + 1 }));
    const world = drive(sales, 0);
    expect(sales.map(({ id }) => world.uses.get(id!)!.weight)).toEqual([1, 1, 1]);
    expect(world.quote('new', 'psa-10')!.mean).toBeCloseTo(Math.log(100) + Math.log(16) / 3, 2);
  });
});

test('one low sale on a day with a single card moves no other card by more than 2%', () => {
  const base = Array.from({ length: 120 }, (_, i): ReportedSale => {
    return { card: `card-${i % 10}`, grade: 'psa-9', day: Math.floor(i / 10), usd: 50 + (i % 10) };
  });
  const silent = drive(base, 12);
  for (const usd of [40, 30, 20, 5]) {
    const world = drive([...base, { card: 'card-0', grade: 'psa-9', day: 12, usd }], 12);
    for (let card = 1; card < 10; card++) {
      const [moved, still] = [world, silent].map((one) => one.quote(`card-${card}`, 'psa-9')!.mean);
      expect(Math.abs(moved! - still!), `$${usd}`).toBeLessThan(0.02);
    }
  }
});

/** Cards that all sold at one price first, on one day, and at prices of their own later. */
function firstAlike(): ReportedSale[] {
  const sale = (i: number, grade: string, day: number, usd: number) => ({ card: `background-${i}`, grade, day, usd });
  const cards = Array.from({ length: 60 }, (_, i) => i);
  return [
    ...cards.map((i) => sale(i, 'psa-9', 0, 50)),
    ...cards.map((i) => sale(i, 'psa-10', 1 + (i % 40), 70 + 3.7 * i)),
  ];
}

test.each([
  ['', background(60)],
  [', of cards that are alike by their first sale', firstAlike()],
])('a refit is the same to the last bit, whatever the ids of cards and however they came into memory%s', (_, sales) => {
  const curvesOf = (listed: readonly ReportedSale[]) => {
    const world = drive(listed, 59);
    world.refit();
    return [gameOf(world.model, 'pokemon').curve, [...world.model.sets.values()].map(({ deltas }) => deltas)];
  };
  const curves = curvesOf(sales);
  const renamed = sales.map((sale) => ({ ...sale, card: `card-${(Number(sale.card.slice(11)) * 7 + 3) % 101}` }));
  expect(curvesOf(renamed)).toEqual(curves);
  expect(curvesOf([...sales].reverse())).toEqual(curves);
});
