import { describe, expect, test } from 'vitest';
import { gameOf, gradeIndexOf } from '../../../src/pricing/model/model.ts';
import { VENUE_CLASSES } from '../../../src/pricing/model/params.ts';
import { newWorld } from '../world.ts';
import { closeDay, quoteIn } from './oracle/oracle-close.ts';
import { comparedSales, DAYS } from './oracle/oracle-market.ts';
import { refit } from './oracle/oracle-refit.ts';
import { newOracle } from './oracle/oracle-state.ts';

/** The model against a second implementation of the method, written independently (oracle/). */
const NEAR = 1e-9;
/** Snapshots keep the variances per day in single precision too. */
const NEAR_SD = 1e-6;
const REFIT_EVERY = 28;
const QUOTES_ON = [30, 75, 120, 170, DAYS - 1];

/** Drives both through the sales; gives them with how far their quotes are apart. */
function driven() {
  const world = newWorld();
  const oracle = newOracle();
  const quotes: (readonly [NonNullable<ReturnType<typeof world.quote>>, ReturnType<typeof quoteIn>])[] = [];
  const met = { sales: 0, days: 0, jumps: 0, repeats: 0, wild: 0, unconfirmed: 0 };
  const sales = comparedSales();
  for (let day = 0; day < DAYS; day++) {
    const ofDay = sales.filter(({ known }) => known === day);
    world.close(day, ofDay);
    const updates = closeDay(
      oracle,
      day,
      ofDay.map(({ day: soldDay, ...sale }) => ({ ...sale, soldDay })),
    );
    met.sales += ofDay.length;
    met.days += updates.length;
    met.jumps += updates.filter(({ jump }) => jump).length;
    met.repeats += updates.filter(({ repeats }) => repeats).length;
    met.wild += updates.filter(({ wild }) => wild).length;
    met.unconfirmed += updates.filter(({ unconfirmed }) => unconfirmed).length;
    if (day % REFIT_EVERY === REFIT_EVERY - 1) {
      world.refit();
      refit(oracle, day);
    }
    if (!QUOTES_ON.includes(day)) continue;
    for (const { id, grades } of oracle.cards.values()) {
      for (const { key } of grades) {
        const [ours, theirs] = [world.quote(id, key)!, quoteIn(oracle, id, key, day)];
        quotes.push([ours, theirs]);
      }
    }
  }
  return { model: world.model, oracle, quotes, met };
}

let once: ReturnType<typeof driven> | undefined;
/** In the tests, not while they are collected: a model that throws fails them. */
const outcome = () => {
  once ??= driven();
  return once;
};

describe('fed the same sales, the model and the independent implementation agree', () => {
  const furthest = (offs: readonly number[]) => Math.max(...offs.map(Math.abs));

  test('on sales that contain every case: several sales a day, jumps, repeats, wild sales, unconfirmed moves', () => {
    const { met } = outcome();
    expect(met.sales).toBeGreaterThan(met.days + 100);
    expect(met.jumps).toBeGreaterThan(10);
    expect(met.repeats).toBeGreaterThan(5);
    expect(met.wild).toBeGreaterThan(10);
    expect(met.unconfirmed).toBeGreaterThan(10);
  });

  test('on what every series is worth, how sure that is and how often it sold, on five days', () => {
    const { quotes } = outcome();
    expect(quotes.length).toBeGreaterThan(500);
    const off = (of: (quote: (typeof quotes)[number][number]) => number) =>
      furthest(quotes.map(([ours, theirs]) => of(ours) - of(theirs)));
    expect(off(({ mean }) => mean)).toBeLessThan(NEAR);
    expect(off(({ sd }) => Math.log(sd))).toBeLessThan(NEAR_SD);
    expect(off(({ nextSale }) => Math.log(nextSale!))).toBeLessThan(NEAR_SD);
    expect(off(({ sales }) => sales)).toBe(0);
  });

  test('on what those would be without their unconfirmed moves', () => {
    const { quotes } = outcome();
    expect(quotes.map(([{ before }]) => before !== null)).toEqual(quotes.map(([, { before }]) => before !== null));
    const moves = quotes.flatMap(([ours, theirs]) =>
      ours.before === null ? [] : [[ours.before, theirs.before!] as const],
    );
    expect(moves.length).toBeGreaterThan(10);
    expect(furthest(moves.map(([ours, theirs]) => ours.mean - theirs.mean))).toBeLessThan(NEAR);
    expect(furthest(moves.map(([ours, theirs]) => Math.log(ours.sd / theirs.sd)))).toBeLessThan(NEAR_SD);
  });

  test('on the level of every market at each close', () => {
    const { model, oracle } = outcome();
    expect(oracle.games.size).toBe(4);
    for (const [name, { market }] of oracle.games) {
      const ours = gameOf(model, name).market.levels;
      expect(ours).toHaveLength(market.levels.length);
      expect(furthest(market.levels.map((level, i) => ours[i]! - level)), name).toBeLessThan(NEAR);
    }
  });

  test('on what venues add to a price, and how sure that is', () => {
    const { model, oracle } = outcome();
    for (const venue of VENUE_CLASSES) {
      const [ours, { s, P }] = [model.venues[venue], oracle.venues.get(venue)!];
      expect(furthest([ours.effect - s, ours.variance - P]), venue).toBeLessThan(NEAR);
    }
  });

  test('on what grades add, how that rises and spreads, game by game', () => {
    const { model, oracle } = outcome();
    for (const [name, { curve: theirs }] of oracle.games) {
      const ours = gameOf(model, name).curve;
      expect(theirs.size).toBeGreaterThan(5);
      for (const [key, { alpha, beta, square, tau2 }] of theirs) {
        const grade = gradeIndexOf(model, key);
        const offs = [ours.alpha[grade]! - alpha, ours.beta[grade]! - beta, ours.tauSquared[grade]! - tau2].concat(
          ours.square[grade]! - square,
        );
        expect(furthest(offs), `${name} ${key}`).toBeLessThan(NEAR);
      }
    }
  });

  test('on what sets add, by their own sales and by those of sets of their age', () => {
    const { model, oracle } = outcome();
    let compared = 0;
    for (const [key, { deltas }] of oracle.sets) {
      const ours = model.sets.get(key)!.deltas;
      for (const [grade, delta] of deltas) {
        expect(ours[gradeIndexOf(model, grade)]! - delta, `${key} ${grade}`).toBeCloseTo(0, 9);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(40);
  });

  test('on how noisy sales are, game by game and grade by grade', () => {
    const { model, oracle } = outcome();
    for (const [name, theirs] of oracle.games) {
      const ours = gameOf(model, name);
      expect(ours.noise.count).toBe(theirs.noise.n);
      expect(ours.noise.mean).toBeCloseTo(theirs.noise.mean, 9);
      for (const [key, { n, mean }] of theirs.gradeNoise) {
        const grade = ours.gradeNoise[gradeIndexOf(model, key)]!;
        expect(grade.count, key).toBe(n);
        expect(grade.mean, key).toBeCloseTo(mean, 9);
      }
    }
  });

  test('on how wide ranges have to be, by stratum and by price bucket', () => {
    const { model, oracle } = outcome();
    const { strata, buckets } = model.calibration;
    expect(strata.map(({ forecasts }) => forecasts)).toEqual(oracle.strata.map(({ n }) => n));
    expect(buckets.map(({ forecasts }) => forecasts)).toEqual(oracle.buckets.map(({ n }) => n));
    expect(buckets.every(({ forecasts }) => forecasts > 0)).toBe(true);
    expect(furthest(buckets.map(({ factor }, i) => factor - oracle.buckets[i]!.p))).toBeLessThan(NEAR);
    const offs = strata.flatMap(({ quantiles }, i) => quantiles.map((one, j) => one - oracle.strata[i]!.q[j]!));
    expect(furthest(offs)).toBeLessThan(NEAR);
  });
});
