import { describe, expect, test } from 'vitest';
import { gradeOfCard } from '../../../../src/pricing/model/card.ts';
import { levelOn } from '../../../../src/pricing/model/market.ts';
import { gameOf, gradeIndexOf } from '../../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS } from '../../../../src/pricing/model/params.ts';
import { confidenceOf } from '../../../../src/pricing/model/quote.ts';
import { background, drive, levelOf, newWorld, type ReportedSale, type World } from '../../world.ts';

const centsOf = (world: World, card: string, grade = 'psa-10') => world.quote(card, grade)!.cents;
const confidence = (sd: number) => confidenceOf({ mean: 0, sd, kappa: 1, nextSale: sd, before: null }, DEFAULT_PARAMS);

describe('a card with one sale ever', () => {
  const world = drive([...background(300), { card: 'one', day: 100, usd: 250 }], 101);

  test('is priced near that sale, with a confidence of about six in ten', () => {
    const quote = world.quote('one', 'psa-10')!;
    expect(quote.cents).toBeGreaterThan(200_00);
    expect(quote.cents).toBeLessThan(300_00);
    expect(quote.sd).toBeGreaterThan(0.1);
    expect(quote.sd).toBeLessThan(0.25);
    expect(confidence(quote.sd)).toBeGreaterThan(0.4);
  });

  test('leaves its unsold grades far less certain, and those that vary most without a price', () => {
    const [own, nine, pristine] = ['psa-10', 'psa-9', 'bgs-10'].map((grade) => world.quote('one', grade)!);
    expect(nine!.sd).toBeGreaterThan(2 * own!.sd);
    expect(pristine!.sd).toBeGreaterThan(DEFAULT_PARAMS.pricedSdMax);
    expect(pristine!.cents).toBeNull();
  });
});

test('a card that never sold has no quote', () => {
  expect(drive(background(50), 49).quote('never', 'psa-10')).toBeNull();
});

test('two years without a sale take the price away', () => {
  const stale: ReportedSale[] = [
    { card: 'stale', day: 100, usd: 250 },
    { card: 'stale', day: 110, usd: 260 },
  ];
  const world = drive([...background(), ...stale], 840);
  expect(world.quote('stale', 'psa-10')!.cents).toBeNull();
  expect(drive([...background(), ...stale], 120).quote('stale', 'psa-10')!.cents).not.toBeNull();
});

describe('a sale reported late', () => {
  const reported: ReportedSale = { card: 'late', day: 140, usd: 240 };
  const first: ReportedSale = { card: 'late', day: 100, usd: 200 };

  test('changes nothing before it is known', () => {
    const without = drive([...background(300), first], 159).quote('late', 'psa-10');
    expect(drive([...background(300), first, { ...reported, known: 160 }], 159).quote('late', 'psa-10')).toEqual(
      without,
    );
  });

  test('ends within 2% of the same sale reported in time', () => {
    const late = drive([...background(300), first, { ...reported, known: 160 }], 170).quote('late', 'psa-10')!;
    const inTime = drive([...background(300), first, reported], 170).quote('late', 'psa-10')!;
    expect(Math.abs(late.mean - inTime.mean)).toBeLessThan(0.02);
  });

  test('does not set back when its series last sold', () => {
    const world = drive([...background(300), first, reported, { ...reported, day: 120, known: 160 }], 170);
    expect(world.cards.get('late')!.grades[0]!.lastSoldAtMs).toBe(140 * 86_400_000);
  });

  test('moves its card, and has no vote on the market of the day it became known', () => {
    const [without, late, inTime] = [[], [120], [160]].map((days) => {
      const more = days.map((day) => ({ card: 'background-1', grade: 'psa-9', day, known: 160, usd: 15 }));
      return drive([...background(300), ...more], 160);
    }) as [World, World, World];
    const [level, withLate, withFresh] = [without, late, inTime].map(
      ({ model }) => gameOf(model, 'pokemon').market.levels[160]!,
    );
    expect(levelOf(late, 'background-1', 'psa-9')).not.toBe(levelOf(without, 'background-1', 'psa-9'));
    expect(withLate).toBe(level);
    expect(withFresh).not.toBe(level);
  });

  test('leaves the published market levels as they were', () => {
    const world = newWorld();
    const sales = background(170);
    for (let day = 0; day < 160; day++)
      world.close(
        day,
        sales.filter((sale) => sale.day === day),
      );
    const published = [...gameOf(world.model, 'pokemon').market.levels];
    world.close(160, [{ card: 'background-1', grade: 'psa-9', day: 120, usd: 25 }]);
    expect(gameOf(world.model, 'pokemon').market.levels.slice(0, 160)).toEqual(published);
  });
});

describe('the market', () => {
  const sales: ReportedSale[] = [];
  for (let card = 0; card < 60; card++) {
    for (let day = card % 2; day < 400; day += 2) {
      const noise = Math.sin(card * 12.9898 + day * 78.233) * 0.12;
      const crash = day >= 300 ? 0.75 : 1;
      sales.push({ card: `dense-${card}`, grade: 'psa-9', day, usd: 100 * (1 + card / 20) * crash * Math.exp(noise) });
    }
  }
  sales.push(
    { card: 'quiet', grade: 'psa-9', day: 280, usd: 500 },
    { card: 'quiet', grade: 'psa-9', day: 285, usd: 500.5 },
  );

  test('a day on which everything falls by 25% takes a card without sales with it at the next close', () => {
    const before = centsOf(drive(sales, 299), 'quiet', 'psa-9')!;
    expect(centsOf(drive(sales, 301), 'quiet', 'psa-9')! / before).toBeLessThan(0.82);
    expect(centsOf(drive(sales, 340), 'quiet', 'psa-9')! / before).toBeLessThan(0.82);
  });

  test('a game without sales stays where it was', () => {
    const world = drive([...sales, { card: 'other', day: 10, usd: 40, game: 'mtg' }], 310);
    expect(Math.abs(gameOf(world.model, 'mtg').market.level)).toBeLessThan(1e-6);
  });

  test('a day before the first close reads as the first', () => {
    const { market } = gameOf(drive(sales, 20).model, 'pokemon');
    expect(levelOn(market, -5)).toBe(market.levels[0]);
    expect(levelOn(market, 99)).toBe(market.levels.at(-1));
  });
});

test('a venue that always costs a fifth more is learned from pairs, and prices stay on the auction scale', () => {
  const sales: ReportedSale[] = [];
  for (let i = 0; i < 40; i++) {
    sales.push({ card: 'split', day: 100 + i * 3, usd: 100 + (i % 3) });
    sales.push({ card: 'split', day: 101 + i * 3, usd: 120 + (i % 3), venue: 'shop' });
  }
  for (let card = 0; card < 30; card++) {
    for (let i = 0; i < 30; i++) {
      const day = 100 + i * 4 + (card % 3);
      sales.push({ card: `pair-${card}`, grade: 'psa-9', day, usd: 50 + card });
      sales.push({ card: `pair-${card}`, grade: 'psa-9', day: day + 1, usd: (50 + card) * 1.2, venue: 'shop' });
    }
  }
  const world = drive(sales, 230);
  expect(Math.abs(world.model.venues.shop.effect - Math.log(1.2))).toBeLessThan(0.04);
  expect(world.model.venues.auction).toEqual({ effect: 0, variance: 0 });
  expect(Math.abs(centsOf(world, 'split')! / 101_00 - 1)).toBeLessThan(0.05);
});

describe('the monthly refit', () => {
  test('moves the curve and leaves every level where it was', () => {
    const world = drive(background(300), 299);
    const series = [...world.cards.values()].flatMap((card) =>
      card.grades.map(({ grade }) => [card.id, world.model.gradeKeys[grade]!] as const),
    );
    const levels = series.map(([card, grade]) => levelOf(world, card, grade));
    const alpha = [...gameOf(world.model, 'pokemon').curve.alpha];
    world.refit();
    expect(gameOf(world.model, 'pokemon').curve.alpha).not.toEqual(alpha);
    expect(series.map(([card, grade]) => levelOf(world, card, grade))).toEqual(levels);
  });

  test('learns what a grade adds, and keeps PSA 9 at zero', () => {
    const world = drive(background(300), 299);
    world.refit();
    const { curve } = gameOf(world.model, 'pokemon');
    const [nine, ten] = ['psa-9', 'psa-10'].map((key) => gradeIndexOf(world.model, key));
    expect(curve.alpha[nine!]).toBe(0);
    expect(curve.beta[nine!]).toBe(0);
    expect(curve.alpha[ten!]).toBeCloseTo(Math.log(3), 1);
  });
});

test('a sale in one grade moves the other grades of its card too, and less than its own', () => {
  const base: ReportedSale[] = [];
  for (let i = 0; i < 4; i++) {
    base.push(
      { card: 'two', day: 100 + 10 * i, usd: 300 },
      { card: 'two', grade: 'psa-9', day: 105 + 10 * i, usd: 100 },
    );
  }
  const without = drive([...background(200), ...base], 180);
  const withSale = drive([...background(200), ...base, { card: 'two', day: 178, usd: 390 }], 180);
  const moved = (grade: string) => withSale.quote('two', grade)!.mean - without.quote('two', grade)!.mean;
  expect(moved('psa-10')).toBeGreaterThan(0.01);
  expect(moved('psa-9')).toBeGreaterThan(0.005);
  expect(moved('psa-9')).toBeLessThan(moved('psa-10'));
});

test('of more than twelve grades the longest untraded gives its place away and is quoted from the curve', () => {
  const world = newWorld();
  const keys = Array.from({ length: 14 }, (_, i) => `psa-${i + 1}`);
  for (const [day, grade] of keys.entries()) world.close(day, [{ card: 'many', grade, day, usd: 50 + 10 * day }]);
  const many = world.cards.get('many')!;
  expect(many.size).toBe(13);
  const dropped = keys.slice(0, 2).map((key) => gradeOfCard(many, gradeIndexOf(world.model, key))!);
  expect(dropped.map(({ slot, sales }) => [slot, sales])).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(new Set(many.grades.map(({ slot }) => slot)).size).toBe(13);
  world.close(14, [{ card: 'many', grade: 'psa-1', day: 14, usd: 50 }]);
  expect(many.size).toBe(13);
  expect(dropped[0]!.slot).toBeGreaterThan(0);
});

test('a day out of order is rejected', () => {
  const world = drive([], 3);
  expect(() => world.close(5, [])).toThrow(RangeError);
});
