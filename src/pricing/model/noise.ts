import type { CardState } from './card.ts';
import type { GameState } from './model.ts';
import { noisePrior, type Params } from './params.ts';

/**
 * How noisy sales are, as multiples of `saleVariance` (section 2 step 6). A game's noise is shrunk to 1, a grade's to its
 * game's times what is usual of the grade, a card's to that of the grade.
 */

/** Running mean of what sales say, of how many, and the noise that is assumed before any. */
export type Noise = { count: number; mean: number; prior: number };

export function newNoise(prior = 1): Noise {
  return { count: 0, mean: 0, prior };
}

/** Gives every grade of the model its noise where a game has none yet. */
export function extendNoise(gradeNoise: Noise[], gradeKeys: readonly string[]): void {
  for (let grade = gradeNoise.length; grade < gradeKeys.length; grade++)
    gradeNoise.push(newNoise(noisePrior(gradeKeys[grade]!)));
}

/**
 * `z`: what a sale says about noise that is taken to be `ratio` times `saleVariance`, as such a multiple, times `noiseMean`. It is
 * heard to the extent K that the forecast's variance is noise; for the rest it repeats what is taken.
 */
export function noiseHeard(residual: number, variance: number, ratio: number, params: Params): number {
  const noise = ratio * params.saleVariance;
  const total = variance + noise;
  const share = noise / total;
  const square = Math.min(params.noiseMax, (residual * residual) / total);
  return ratio * (share * square + (1 - share) * params.noiseMean);
}

/** Takes what a sale says into the noise of its game and of its grade. */
export function learnGameNoise(game: GameState, grade: number, heard: number, params: Params): void {
  const ofGrade = game.gradeNoise[grade]!;
  learn(game.noise, heard / ofGrade.prior, params.gameNoiseSales);
  learn(ofGrade, heard, params.gradeNoiseSales);
}

function learn(noise: Noise, heard: number, most: number): void {
  noise.count = Math.min(most, noise.count + 1);
  noise.mean += (heard - noise.mean) / noise.count;
}

/** rho_k: the noise of sales of a grade in a game, as a multiple of `saleVariance`. */
export function gradeNoiseRatio(game: Pick<GameState, 'noise' | 'gradeNoise'>, grade: number, params: Params): number {
  const ofGame = shrunk(game.noise, params.gameNoisePseudoSales, 1, params.noiseMean);
  return shrunk(game.gradeNoise[grade]!, params.gradeNoisePseudoSales, ofGame, params.noiseMean);
}

/** lambda: the same of this card, whose own noise is a multiple of that of its grades. */
export function noiseRatio(
  card: Pick<CardState, 'noiseSum' | 'noiseCount'>,
  game: Pick<GameState, 'noise' | 'gradeNoise'>,
  grade: number,
  params: Params,
): number {
  const { noiseCount: count, noiseSum: sum } = card;
  const { noisePseudoSales: pseudo, noiseMean } = params;
  return (gradeNoiseRatio(game, grade, params) * (pseudo + sum / noiseMean)) / (pseudo + count);
}

function shrunk({ count, mean, prior }: Noise, pseudo: number, parent: number, noiseMean: number): number {
  return (pseudo * prior * parent + (count * mean) / noiseMean) / (pseudo + count);
}
