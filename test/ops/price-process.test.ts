import { describe, expect, test } from 'vitest';
import { mean, median } from '../../src/lib/stats.ts';
import { deviationPath, levelPath, marketPath, releasePremium, saleError } from '../../src/ops/demo/price-process.ts';
import { PROCESS } from '../../src/ops/demo/process-params.ts';
import { chanceOf } from '../../src/ops/demo/random.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';

/** What the simulated price process gives, measured against its parameters. All values are logarithms. */
const DAYS = 1096;
const sd = (values: readonly number[]) => Math.sqrt(covariance(values, values));
/** Median distance from the median, as a standard deviation of normal values: jumps do not reach it. */
const robustSd = (values: readonly number[]) => {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle))) / 0.6745;
};
const steps = (path: Float32Array) => Array.from(path.subarray(1), (value, day) => value - path[day]!);
const cards = Array.from({ length: 300 }, (_, card) => levelPath(DAYS, chanceOf(`card ${card}`)));

function covariance(x: readonly number[], y: readonly number[]): number {
  const [ofX, ofY] = [mean(x), mean(y)];
  return mean(x.map((value, i) => (value - ofX) * (y[i]! - ofY)));
}

test('the same name gives the same path, another name another one', () => {
  const path = (name: string) => marketPath('pokemon', DAYS, chanceOf(name));
  expect(path('one')).toEqual(path('one'));
  expect(path('one')).not.toEqual(path('other'));
});

describe('the noise of sales', () => {
  const games = Object.keys(PROCESS.games) as (keyof typeof PROCESS.games)[];

  test.each(games)('of %s has the standard deviation of its game, graded and ungraded', (game) => {
    const { gradedNoiseSd, ungradedNoiseSd } = PROCESS.games[game];
    for (const [isGraded, noiseSd] of [
      [true, gradedNoiseSd],
      [false, ungradedNoiseSd],
    ] as const) {
      const chance = chanceOf(`noise ${game} ${isGraded}`);
      const errors = Array.from({ length: 40_000 }, () => saleError(game, isGraded, chance));
      // Mistakes are beyond it: at most one in fifty.
      const noise = errors.filter((error) => Math.abs(error) < 5 * noiseSd);
      expect(Math.abs(sd(noise) / noiseSd - 1), `${isGraded}`).toBeLessThan(0.06);
      // Student t with five degrees of freedom: half of it is within .7267 times its scale.
      const half = median(errors.map(Math.abs)) / (noiseSd * Math.sqrt(3 / 5));
      expect(Math.abs(half / 0.7267 - 1)).toBeLessThan(0.04);
    }
  });
});

test('one record in fifty is mistaken', () => {
  const chance = chanceOf('mistakes');
  const errors = Array.from({ length: 100_000 }, () => saleError('pokemon', true, chance));
  const far = errors.filter((error) => Math.abs(error) > 1.5 * PROCESS.mistakeSd).length / errors.length;
  // Of normal values, .134 are beyond 1.5 standard deviations.
  expect(Math.abs(far / PROCESS.mistakeShare - 0.134)).toBeLessThan(0.04);
});

describe('walks', () => {
  test('the level of a card moves as stated, of a tenth of the cards twice as much', () => {
    const perDay = cards.map(({ level }) => robustSd(steps(level)) / PROCESS.levelSdPerDay);
    const volatile = perDay.filter((times) => times > 1.5);
    expect(volatile.length / cards.length).toBeGreaterThan(0.06);
    expect(volatile.length / cards.length).toBeLessThan(0.14);
    expect(Math.abs(mean(volatile) / PROCESS.volatileTimes - 1)).toBeLessThan(0.02);
    expect(Math.abs(mean(perDay.filter((times) => times <= 1.5)) - 1)).toBeLessThan(0.02);
  });

  test('the deviation of a grade moves as stated a day, and returns: it does not grow with time', () => {
    const deviations = cards.map((card, i) => deviationPath(card, chanceOf(`grade ${i}`)));
    expect(Math.abs(mean(deviations.map((path) => robustSd(steps(path)))) / PROCESS.gradeSdPerDay - 1)).toBeLessThan(
      0.02,
    );
    const longRun = PROCESS.gradeSdPerDay * Math.sqrt(PROCESS.gradeReturnDays / 2);
    for (const day of [0, 300, 1000])
      expect(Math.abs(robustSd(deviations.map((path) => path[day]!)) / longRun - 1), `${day}`).toBeLessThan(0.2);
  });

  test('a market moves as stated a day, with shocks now and then', () => {
    const walks = Array.from({ length: 100 }, (_, i) => steps(marketPath('pokemon', DAYS, chanceOf(`market ${i}`))));
    const { marketSdPerDay, driftPerYear } = PROCESS.games.pokemon;
    expect(Math.abs(mean(walks.map(robustSd)) / marketSdPerDay - 1)).toBeLessThan(0.03);
    expect(Math.abs(365 * mean(walks.map(mean)) - driftPerYear)).toBeLessThan(0.06);
    const shocks = walks.flat().filter((step) => Math.abs(step) > 6 * marketSdPerDay).length / walks.flat().length;
    expect(shocks).toBeGreaterThan(0.3 * PROCESS.shockChance);
    expect(shocks).toBeLessThan(PROCESS.shockChance);
  });
});

describe('news', () => {
  /** Steps of two grades of each card, on the days of news and on all others. */
  const pairs = cards.flatMap((card, i) => {
    const [ten, nine] = ['ten', 'nine'].map((grade) => {
      const deviation = deviationPath(card, chanceOf(`${grade} ${i}`));
      return steps(card.level.map((level, day) => level + deviation[day]!));
    });
    return ten!.map((step, at) => ({ ten: step, nine: nine![at]!, isNews: card.newsDays.has(at + 1) }));
  });
  const news = pairs.filter(({ isNews }) => isNews);

  test('comes as often and is as large as stated', () => {
    expect(Math.abs(news.length / pairs.length / PROCESS.newsChance - 1)).toBeLessThan(0.15);
    const { newsSd, newsGradeSd, gradeSdPerDay, levelSdPerDay } = PROCESS;
    const expected = Math.hypot(newsSd, newsGradeSd, gradeSdPerDay, levelSdPerDay);
    expect(Math.abs(sd(news.map(({ ten }) => ten)) / expected - 1)).toBeLessThan(0.1);
  });

  test('moves the grades of a card together, more than other days do', () => {
    const together = (days: typeof pairs) => {
      const [tens, nines] = [days.map(({ ten }) => ten), days.map(({ nine }) => nine)];
      return covariance(tens, nines) / (sd(tens) * sd(nines));
    };
    const { newsSd, newsGradeSd, gradeSdPerDay, levelSdPerDay } = PROCESS;
    const shared = newsSd ** 2 + levelSdPerDay ** 2;
    expect(Math.abs(together(news) - shared / (shared + newsGradeSd ** 2 + gradeSdPerDay ** 2))).toBeLessThan(0.04);
    expect(together(pairs.filter(({ isNews }) => !isNews))).toBeLessThan(0.55);
  });
});

describe('a new set', () => {
  test('falls by 1 to 2% a day in its first 60 days, then levels off', () => {
    for (let age = 0; age < 60; age++) {
      const fall = releasePremium(age) - releasePremium(age + 1);
      expect(fall, `${age}`).toBeGreaterThanOrEqual(0.01);
      expect(fall, `${age}`).toBeLessThanOrEqual(0.02);
    }
    expect(releasePremium(110) - releasePremium(111)).toBeLessThan(0.002);
    expect([120, 1000].map(releasePremium)).toEqual([0, 0]);
  });

  test('is in a synthetic market: sales of the released set fall, those of the others do not', () => {
    const days = 360;
    const market = syntheticMarket({ seed: 9, days, cards: 640, sales: 100_000 });
    /** Mean change a day of the log values from days 120 to 140 to days 180 to 200. */
    const slope = (isNew: boolean) => {
      const values = (from: number) =>
        mean(
          market
            .filter(({ set, day }) => set >= 28 === isNew && day >= from && day < from + 20)
            .filter(({ gradeKey }) => gradeKey === 'psa-10')
            .map(({ trueUsd }) => Math.log(trueUsd)),
        );
      return (values(180) - values(120)) / 60;
    };
    expect(Math.min(...market.filter(({ set }) => set >= 28).map(({ day }) => day))).toBe(120);
    expect(slope(true)).toBeLessThan(-0.009);
    expect(Math.abs(slope(false))).toBeLessThan(0.003);
  });
});
