import { describe, expect, test } from 'vitest';
import { levelOn, varianceOn } from '../../../src/pricing/model/market.ts';
import { gameOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';
import { drive, newWorld, type ReportedSale, type World } from '../world.ts';

const marketOf = (world: World, game = 'pokemon') => gameOf(world.model, game).market;
/** Ten cards that sell each day at their price, but for what `over` says. */
function daily(days: number, over: (card: number, day: number) => Partial<ReportedSale> = () => ({})): ReportedSale[] {
  return Array.from({ length: days * 10 }, (_, i): ReportedSale => {
    const [day, card] = [Math.floor(i / 10), i % 10];
    return { card: `c${card}`, day, usd: 50 + card, ...over(card, day) };
  });
}

describe('the close of a day', () => {
  test('must follow the last one, and the first may be any', () => {
    const world = newWorld();
    world.close(5, []);
    for (const day of [4, 5, 7]) expect(() => world.close(day, []), `${day}`).toThrow(`day ${day} does not follow 5`);
    world.close(6, []);
    expect(world.model.day).toBe(6);
  });

  test('gives each of its sales a weight, under its id, and keeps no other', () => {
    const world = drive(daily(3), 2);
    expect([...world.uses.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    for (const use of world.uses.values()) expect(use.weight).toBeGreaterThan(0);
  });

  test('begins the market of a game with its first sale, level zero before, and goes on without sales', () => {
    const world = drive([{ card: 'late', day: 4, usd: 30, game: 'mtg' }, ...daily(2)], 8);
    expect([marketOf(world, 'mtg').firstDay, marketOf(world, 'mtg').levels.length]).toEqual([4, 5]);
    expect([marketOf(world).firstDay, marketOf(world).levels.length]).toEqual([0, 9]);
    expect(marketOf(world).variances.length).toBe(9);
    expect(marketOf(world).p00).toBeGreaterThan(marketOf(world).variances[1]!);
  });

  test('does not begin the market of a game that is known and has no sale', () => {
    const world = newWorld();
    gameOf(world.model, 'mtg');
    for (const day of [0, 1]) world.close(day, daily(1));
    expect(marketOf(world, 'mtg')).toMatchObject({ firstDay: -1, levels: [], variances: [] });
  });

  test('learns ranges from sales of cards that have sold before, and not from the first', () => {
    const world = newWorld();
    const learned = () => world.model.calibration.strata.reduce((sum, { forecasts }) => sum + forecasts, 0);
    world.close(0, daily(1));
    expect(learned()).toBe(0);
    world.close(1, [...daily(1), { card: 'new', day: 1, usd: 20 }]);
    expect(learned()).toBe(10);
  });

  test('gives the same state however its sales are given', () => {
    const [forward, backward] = [false, true].map((isTurned) => {
      const world = newWorld();
      for (let day = 0; day < 6; day++) {
        const sales = daily(6, (card) => ({ card: `c${card % 3}`, usd: 40 + card * 9 }))
          .map((sale, i) => ({ ...sale, id: i + 1 }))
          .filter((sale) => sale.day === day);
        world.close(day, isTurned ? sales.reverse() : sales);
      }
      return world;
    });
    const states = (world: World) => [...world.cards].sort().map(([id, { x, P }]) => [id, [...x], [...P]]);
    expect(states(backward!)).toEqual(states(forward!));
  });

  test('takes games in order of name: what venues add does not depend on which game was met first', () => {
    const pairs = (game: string, factor: number): ReportedSale[] =>
      Array.from({ length: 12 }, (_, i) => ({
        card: game,
        game,
        day: 2 + Math.floor(i / 2),
        usd: i % 2 === 0 ? 40 : 40 * factor,
        venue: i % 2 === 0 ? ('auction' as const) : ('shop' as const),
        id: game === 'mtg' ? i + 1 : i + 101,
      }));
    const [one, other] = [
      ['mtg', 'pokemon'],
      ['pokemon', 'mtg'],
    ].map((games) => {
      const first = games.map(
        (game, day): ReportedSale => ({ card: game, game, day, usd: 40, id: game === 'mtg' ? 901 : 902 }),
      );
      const world = newWorld();
      // Met in another order; from then on the same sales.
      for (const name of games) gameOf(world.model, name);
      const all = [...first.map((sale) => ({ ...sale, day: 0 })), ...pairs('mtg', 1.5), ...pairs('pokemon', 1.1)];
      for (let day = 0; day < 9; day++)
        world.close(
          day,
          all.filter((sale) => sale.day === day),
        );
      return world;
    });
    expect(other!.model.venues.shop).toEqual(one!.model.venues.shop);
  });
});

describe('the market of a day', () => {
  test('follows what most cards say', () => {
    const world = drive(
      daily(40, (card, day) => (day > 30 ? { usd: (50 + card) * 0.8 } : {})),
      39,
    );
    expect(levelOn(marketOf(world), 39)).toBeLessThan(-0.15);
    expect(Math.abs(levelOn(marketOf(world), 29))).toBeLessThan(0.01);
    expect(levelOn(marketOf(world), -3)).toBe(marketOf(world).levels[0]);
    expect(levelOn(marketOf(world), 99)).toBe(marketOf(world).levels.at(-1));
    expect(varianceOn(marketOf(world), 12)).toBe(marketOf(world).variances[12]);
    expect(varianceOn(marketOf(world), 99)).toBe(marketOf(world).p00);
  });

  test('of a game that never closed is not a number', () => {
    const market = marketOf(newWorld());
    expect([levelOn(market, 3), varianceOn(market, 3)]).toEqual([Number.NaN, Number.NaN]);
  });

  test('hears each card once, however many of it sold, and no late sale', () => {
    const base = daily(20);
    const level = (...more: ReportedSale[]) => marketOf(drive([...base, ...more], 20)).levels[20]!;
    const sold = (card: number): ReportedSale => ({ card: `c${card}`, day: 20, usd: (50 + card) * 1.1 });
    const silent = level();
    const moved = (...more: ReportedSale[]) => level(...more) - silent;
    const once = moved(sold(1));
    expect(once).toBeGreaterThan(0.0005);
    // Many sales are surer of their own card only: three cards say more.
    const many = moved(...Array.from({ length: 40 }, () => sold(1)));
    expect(many).toBeGreaterThan(once);
    expect(many).toBeLessThan(moved(sold(1), sold(2), sold(3)));
    expect(level({ card: 'c1', day: 12, known: 20, usd: 60 })).toBe(silent);
  });
});

describe('a series', () => {
  const steady = daily(20);

  test('keeps when it last sold, whatever is reported late', () => {
    const world = drive([...steady, { card: 'c1', day: 3, known: 20, usd: 51 }], 20);
    expect(world.cards.get('c1')!.grades[0]!).toMatchObject({ lastSoldAtMs: 19 * 86_400_000, lastDay: 20, sales: 21 });
  });

  test('distinguishes venues by near sales through two of them, neither an outlier', () => {
    const shop = (...more: ReportedSale[]) => drive([...steady, ...more], 70).model.venues.shop;
    const before = shop();
    expect(before).toEqual({ effect: PARAMS.venuePrior.shop, variance: PARAMS.venueSd ** 2 });
    expect(shop({ card: 'c1', day: 20, usd: 60, venue: 'shop' })).not.toEqual(before);
    const gap = PARAMS.venuePairDays;
    expect(shop({ card: 'c1', day: 19 + gap, usd: 60, venue: 'shop' })).not.toEqual(before);
    expect(shop({ card: 'c1', day: 20 + gap, usd: 60, venue: 'shop' })).toEqual(before);
    expect(shop({ card: 'c1', day: 20, usd: 900, venue: 'shop' })).toEqual(before);
    expect(shop({ card: 'c1', day: 20, usd: 900 }, { card: 'c1', day: 21, usd: 60, venue: 'shop' })).toEqual(before);
    expect(shop({ card: 'new', day: 20, usd: 60, venue: 'shop' })).toEqual(before);
  });

  test('does not learn how noisy it is from an outlier that repeats one', () => {
    const high = (day: number): ReportedSale => ({ card: 'c1', day, usd: 900 });
    const noise = (...more: ReportedSale[]) => drive([...steady, ...more], 22).cards.get('c1')!.noiseCount;
    expect(noise(high(20)) - noise()).toBe(1);
    expect(noise(high(20), high(21)) - noise()).toBe(1);
  });
});
