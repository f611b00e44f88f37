import { describe, expect, test } from 'vitest';
import { gameOf, gradeIndexOf } from '../../../src/pricing/model/model.ts';
import { newWorld } from '../world.ts';
import oracleText from './oracle/market.json' with { type: 'json' };
import type { Oracle } from './oracle/oracle.ts';

/**
 * The model against a prototype of the method that was written independently (oracle/make.ts). The prototype knows no
 * sources and believes any two outliers that agree: so does the model where every sale has a source of its own, as here.
 */
const oracle = oracleText as unknown as Oracle;
const NEAR = 1e-9;
/** The prototype has rounded the quantiles of Student's t and those of its range otherwise. */
const NEAR_SD = 1e-6;

/** Drives the model through the sales; gives it with how far its quotes are from the prototype's. */
function driven() {
  const world = newWorld();
  const quotes: number[][] = [];
  let next = 0;
  for (let day = 0; day < oracle.days; day++) {
    const from = next;
    while (oracle.sales[next]?.[0] === day) next++;
    world.close(
      day,
      oracle.sales.slice(from, next).map(([known, sold, id, card, set, game, grade, venue, cents]) => {
        const source = id % 65_536;
        return {
          id,
          card: String(card),
          set: String(set),
          game,
          grade,
          day: sold,
          known,
          usd: cents / 100,
          venue,
          source,
        };
      }),
    );
    if (day % oracle.refitEvery === oracle.refitEvery - 1) world.refit();
    for (const [on, card, grade, log, sd, sales] of oracle.quotes) {
      if (on !== day) continue;
      const quote = world.quote(String(card), grade)!;
      quotes.push([quote.mean - log, quote.sd / sd - 1, quote.sales - sales]);
    }
  }
  return { model: world.model, quotes };
}

let once: ReturnType<typeof driven> | undefined;
/** In the tests, not while they are collected: a model that throws fails them. */
const outcome = () => {
  once ??= driven();
  return once;
};

describe('fed the same sales, the model and the independent prototype agree', () => {
  const furthest = (offs: readonly number[]) => Math.max(...offs.map(Math.abs));

  test('on what every series is worth, how sure that is and how often it sold, on five days', () => {
    const { quotes } = outcome();
    expect(quotes).toHaveLength(oracle.quotes.length);
    expect(quotes.length).toBeGreaterThan(500);
    expect(furthest(quotes.map(([mean]) => mean!))).toBeLessThan(NEAR);
    expect(furthest(quotes.map(([, sd]) => sd!))).toBeLessThan(NEAR_SD);
    expect(furthest(quotes.map(([, , sales]) => sales!))).toBe(0);
  });

  test.each(Object.entries(oracle.markets))('on the level of the market of %s at each close', (game, levels) => {
    const ours = gameOf(outcome().model, game).market.levels;
    expect(ours).toHaveLength(levels.length);
    expect(furthest(levels.map((level, i) => ours[i]! - level))).toBeLessThan(NEAR);
  });

  test('on what venues add to a price, and how sure that is', () => {
    for (const [venue, [effect, variance]] of Object.entries(oracle.venues)) {
      const ours = outcome().model.venues[venue as 'auction'];
      expect(furthest([ours.effect - effect, ours.variance - variance]), venue).toBeLessThan(NEAR);
    }
  });

  test.each(Object.entries(oracle.curves))('on what grades of %s add, how that rises and spreads', (game, curve) => {
    const { model } = outcome();
    const ours = gameOf(model, game).curve;
    expect(Object.keys(curve).length).toBeGreaterThan(5);
    for (const [key, terms] of Object.entries(curve)) {
      const grade = gradeIndexOf(model, key);
      const offs = [ours.alpha[grade]!, ours.beta[grade]!, ours.tauSquared[grade]!].map((one, i) => one - terms[i]!);
      expect(furthest(offs), key).toBeLessThan(NEAR);
    }
  });

  test('on how wide ranges have to be, stratum by stratum', () => {
    const { model } = outcome();
    for (const [stratum, [half, eighty, most, forecasts]] of Object.entries(oracle.quantiles)) {
      const ours = model.calibration[Number(stratum)]!;
      expect(ours.forecasts).toBe(forecasts);
      expect(furthest(ours.quantiles.map((one, i) => one - [half!, eighty!, most!][i]!))).toBeLessThan(NEAR);
    }
    const seen = Object.values(oracle.quantiles).map((one) => one[3]);
    expect(
      model.calibration
        .map(({ forecasts }) => forecasts)
        .filter((count) => count > 0)
        .sort(),
    ).toEqual(seen.sort());
  });
});
