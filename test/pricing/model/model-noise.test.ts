import { describe, expect, test } from 'vitest';
import { quantilesFor } from '../../../src/pricing/model/calibration.ts';
import { newCard } from '../../../src/pricing/model/card.ts';
import { saleNoise } from '../../../src/pricing/model/forecast.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../../src/pricing/model/model.ts';
import { learnGameNoise, newNoise, noiseHeard, noiseRatio } from '../../../src/pricing/model/noise.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';
import { randomFrom } from '../random-from.ts';
import { newWorld, type ReportedSale, type World } from '../world.ts';

const quiet = { noiseSum: 0, noiseCount: 0 };
const usual = { noise: newNoise(), gradeNoise: [newNoise(), newNoise()] };
/** A noise of sales whose squared innovations are so many times the usual. */
const times = (ratio: number, count: number) => ({ count, mean: ratio * PARAMS.noiseMean, prior: 1 });

describe('what a sale says about noise', () => {
  const ORDINARY = 0.145 ** 2;

  test('is its square over the noise that is taken, where the level is known; 16 times that at most', () => {
    expect(noiseHeard(0.3, 0, 1, PARAMS)).toBeCloseTo(0.09 / ORDINARY, 12);
    expect(noiseHeard(-0.3, 0, 1, PARAMS)).toBe(noiseHeard(0.3, 0, 1, PARAMS));
    expect(noiseHeard(0.3, 0, 4, PARAMS)).toBeCloseTo(0.09 / ORDINARY, 12);
    expect(noiseHeard(9, 0, 1, PARAMS)).toBeCloseTo(16, 12);
    expect(noiseHeard(9, 0, 4, PARAMS)).toBeCloseTo(64, 12);
  });

  test('is heard as far as the variance of the forecast is noise', () => {
    expect(noiseHeard(0.5, ORDINARY, 1, PARAMS)).toBeCloseTo(0.25 / (2 * ORDINARY) / 2 + PARAMS.noiseMean / 2, 12);
    expect(noiseHeard(0.5, 3 * ORDINARY, 1, PARAMS)).toBeCloseTo(
      0.25 / (4 * ORDINARY) / 4 + 0.75 * PARAMS.noiseMean,
      12,
    );
    expect(noiseHeard(0.5, 1e9, 2, PARAMS)).toBeCloseTo(2 * PARAMS.noiseMean, 9);
  });

  test('is what is taken, where its square is usual', () => {
    for (const [variance, ratio] of [
      [0.001, 0.5],
      [0.02, 1],
      [0.2, 6],
    ] as const) {
      const usual = Math.sqrt(PARAMS.noiseMean * (variance + ratio * ORDINARY));
      expect(noiseHeard(usual, variance, ratio, PARAMS)).toBeCloseTo(ratio * PARAMS.noiseMean, 12);
    }
  });
});

describe('the noise of sales', () => {
  const ratio = (card: typeof quiet, game: Parameters<typeof noiseRatio>[1]) => noiseRatio(card, game, 1, PARAMS);

  test('is the usual before anything is learned, and where all of it is usual', () => {
    expect(ratio(quiet, usual)).toBe(1);
    const learned = { noise: times(1, 900), gradeNoise: [newNoise(), times(1, 900)] };
    expect(ratio({ noiseSum: 50 * PARAMS.noiseMean, noiseCount: 50 }, learned)).toBeCloseTo(1, 12);
  });

  test('of a game is shrunk to the usual by 200 sales, of a grade to its game’s by 100, of a card, a multiple of that, by 40', () => {
    expect(ratio(quiet, { ...usual, noise: times(3, 200) })).toBeCloseTo(2, 12);
    expect(ratio(quiet, { noise: times(3, 200), gradeNoise: [times(9, 999), times(5, 100)] })).toBeCloseTo(3.5, 12);
    const card = { noiseSum: 40 * 3 * PARAMS.noiseMean, noiseCount: 40 };
    expect(ratio(card, usual)).toBeCloseTo(2, 12);
    expect(ratio(card, { ...usual, noise: times(3, 200) })).toBeCloseTo(4, 12);
  });

  test('of an ungraded card is assumed four times that of a graded one, in a game of any noise', () => {
    const game = { noise: times(3, 200), gradeNoise: [newNoise(), newNoise(4)] };
    expect(ratio(quiet, { ...usual, gradeNoise: [newNoise(), newNoise(4)] })).toBeCloseTo(4, 12);
    expect(ratio(quiet, game)).toBeCloseTo(8, 12);
    expect(ratio(quiet, { ...game, gradeNoise: [newNoise(), { ...times(2, 300), prior: 4 }] })).toBeCloseTo(3.5, 12);
  });

  test('is that of the sale’s own grade', () => {
    const { game, card } = aGame();
    for (let i = 0; i < 100; i++) learnGameNoise(game, 1, 8 * PARAMS.noiseMean, PARAMS);
    // Ungraded cards twice as noisy as they are assumed to be: so is the game.
    const ofGame = (200 + 200) / 300;
    expect(saleNoise(card, 0, 0, 0, 0, PARAMS)).toBeCloseTo(ofGame * PARAMS.saleVariance, 12);
    expect(saleNoise(card, 1, 0, 0, 0, PARAMS)).toBeCloseTo(((4 * ofGame + 8) / 2) * PARAMS.saleVariance, 12);
  });

  test('is the mean of all squares until a game has 5,000 and a grade 2,000; then old ones fade', () => {
    const { game } = aGame();
    const [graded, ungraded] = game.gradeNoise;
    for (let i = 0; i < 2000; i++) learnGameNoise(game, 0, i % 2, PARAMS);
    expect(game.noise).toMatchObject({ count: 2000, mean: expect.closeTo(0.5, 10) });
    expect([graded!.count, ungraded!.count]).toEqual([2000, 0]);
    expect(graded!.mean).toBeCloseTo(0.5, 10);
    for (let i = 0; i < 3000; i++) learnGameNoise(game, 1, 2, PARAMS);
    expect(game.noise).toMatchObject({ count: 5000, mean: expect.closeTo(0.5, 10) });
    learnGameNoise(game, 0, 10.5, PARAMS);
    expect(game.noise).toMatchObject({ count: 5000, mean: expect.closeTo(0.5 + 10 / 5000, 10) });
    expect(graded).toMatchObject({ count: 2000, mean: expect.closeTo(0.5 + 10 / 2000, 10) });
  });
});

/** A game with a card, PSA 10 (0) and ungraded (1). */
function aGame() {
  const model = newModel(PARAMS);
  for (const key of ['psa-10', 'raw-A']) gradeIndexOf(model, key);
  const game = gameOf(model, 'pokemon');
  return { game, card: newCard('card', game, setOf(model, 'pokemon', 's1'), 0, PARAMS) };
}

describe('a game whose sales vary by 35%', () => {
  const SD = 0.35;
  /** Ten cards whose worth never changes, ten sales a day; `scale` multiplies every price. */
  function game(days: number, scale: number): ReportedSale[] {
    const random = randomFrom(7);
    // Sum of twelve uniform numbers: near enough to a normal one.
    const normal = () => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6);
    return Array.from({ length: days * 10 }, (_, i): ReportedSale => {
      const card = Math.floor(random() * 10);
      const usd = Math.round((20 + 10 * card) * 100 * Math.exp(SD * normal())) / 100;
      return { card: `card-${card}`, grade: 'raw-A', day: Math.floor(i / 10), usd: usd * scale };
    });
  }
  /** Its noise after 1,000 sales, and of the next 4,000 the share within their 80% range. */
  function measured(scale: number) {
    const sales = game(500, scale);
    const world = newWorld();
    const shares = { count: 0, held: 0 };
    let lambda = 0;
    for (let day = 0; day < 500; day++) {
      if (day === 100) lambda = ratioOf(world);
      const ofDay = sales.filter((sale) => sale.day === day);
      world.close(day, ofDay, (forecast) => {
        if (day < 100) return;
        const u = Math.abs(forecast.residual) / Math.sqrt(forecast.total);
        shares.count++;
        if (u <= quantilesFor(world.model.calibration, forecast)[1]!) shares.held++;
      });
    }
    return { world, lambda, coverage: shares.held / shares.count };
  }
  const ratioOf = (world: World) => {
    const grade = gradeIndexOf(world.model, 'raw-A');
    return noiseRatio({ noiseSum: 0, noiseCount: 0 }, gameOf(world.model, 'pokemon'), grade, PARAMS);
  };

  // Its variance is 5.8 times the usual; the noise that is assumed of ungraded cards, 4, is still in it.
  test('is known as so noisy after 1,000 sales, and its ranges hold what they promise', () => {
    const { lambda, coverage } = measured(1);
    expect(lambda).toBeGreaterThan(4.5);
    expect(lambda).toBeLessThan(6.5);
    expect(coverage).toBeGreaterThan(0.78);
    expect(coverage).toBeLessThan(0.82);
  });

  test('has the same noise and the same prices where all of it costs ten times as much', () => {
    const [one, ten] = [measured(1), measured(10)];
    expect(ten.lambda / one.lambda).toBeCloseTo(1, 2);
    for (let card = 0; card < 10; card++) {
      const [cheap, high] = [one, ten].map(({ world }) => world.quote(`card-${card}`, 'raw-A')!.mean);
      expect(high! - cheap!).toBeCloseTo(Math.log(10), 2);
    }
  });
});
