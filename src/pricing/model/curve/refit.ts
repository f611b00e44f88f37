import type { GameState, PriceModel, SetState } from '../model.ts';
import { gradePrior, isRaw, type Params, REFERENCE_GRADE } from '../params.ts';
import { type Curve, gradeEffect, SQUARE_REACH, squareOf, termsOf } from './curve.ts';
import { fitSets } from './refit-sets.ts';

/**
 * The monthly refit of a game's grade curve (section 2 step 8), from past sales only: a card that sold in two grades or more
 * gives what the grades add. Six rounds of
 *   1. A_c                   level of each card given the curve, weighted by precision
 *   2. alpha, beta, square   ridge regression by grade
 *   3. tau²                  spread of cards around it
 *   4. delta                 what a set adds, shrunk to what sets of its age add (refit-sets.ts)
 * Cards hold levels (card.ts), so theirs stay where they are. O(series).
 */
const ROUNDS = 6;
const HUBER_SDS = 2;
/** Share of a mean's own variance taken off its squared residual; below 1 because the variance is itself an estimate. */
const NOISE_SHARE = 0.8;

/** A card as the refit sees it; `Card` is one. */
export type CurveEvidence = {
  game: GameState;
  set: SetState;
  grades: readonly { grade: number; weight: number; weightedPrice: number }[];
};

/**
 * One (card, grade): discounted mean log price without the market, and its variance. `rest` = price less A and delta, and
 * `huber` = the weight of the row, are of the last `fitGrade`.
 */
export type CurveRow = {
  card: number;
  set: SetState;
  grade: number;
  price: number;
  variance: number;
  huber: number;
  rest: number;
};

/** Refits every game. The order of `cards` must not depend on how they came into memory: sums are rounded in it. */
export function refitCurves(model: PriceModel, cards: Iterable<CurveEvidence>): void {
  const byGame = new Map<GameState, CurveRow[]>();
  let card = 0;
  for (const { game, set, grades } of cards) {
    if (grades.length < 2) continue;
    let rows = byGame.get(game);
    if (rows === undefined) {
      rows = [];
      byGame.set(game, rows);
      card = 0;
    } else card = rows.at(-1)!.card + 1;
    for (const { grade, weight, weightedPrice } of grades) {
      const variance = model.params.saleVariance / weight;
      rows.push({ card, set, grade, price: weightedPrice / weight, variance, huber: 1, rest: 0 });
    }
  }
  for (const [game, rows] of byGame) refitGame(model, game, rows);
}

function refitGame(model: PriceModel, { name, curve }: GameState, rows: readonly CurveRow[]): void {
  const byGrade: CurveRow[][] = model.gradeKeys.map(() => []);
  for (const row of rows) byGrade[row.grade]!.push(row);
  const sets = [...model.sets.values()].filter(({ game, cards }) => game === name && cards > 0);
  let levels = new Float64Array(rows.at(-1)!.card + 1).fill(curve.meanLevel);
  for (let round = 0; round < ROUNDS; round++) {
    levels = cardLevels(curve, rows, levels);
    byGrade.forEach((list, grade) => {
      if (list.length > 0) fitGrade(curve, grade, model.gradeKeys[grade]!, list, levels, model.params);
    });
    fitSets(model, sets, curve, rows, levels);
  }
}

/**
 * 1. `A_c` = mean of (price - gamma)/h, weighted by h²/(variance + tau²), with the curve's tangents at the levels of the
 * round before; their mean becomes the curve's.
 */
function cardLevels(curve: Curve, rows: readonly CurveRow[], before: Float64Array): Float64Array<ArrayBuffer> {
  const weights = new Float64Array(before.length);
  const sums = new Float64Array(before.length);
  for (const row of rows) {
    const { gamma, h, tauSquared } = termsOf(curve, row.set.deltas, row.grade, before[row.card]!);
    const weight = (h * h) / (row.variance + tauSquared);
    weights[row.card]! += weight;
    sums[row.card]! += (weight * (row.price - gamma)) / h;
  }
  const levels = sums.map((sum, i) => sum / weights[i]!);
  curve.meanLevel = levels.reduce((total, level) => total + level, 0) / before.length;
  return levels;
}

/**
 * Steps 2 and 3 of a refit for one grade: ridge regression of (price - A - delta) on (1, x, s(x)), x = A - Abar, with Huber
 * weights at 2 sd; then tau² by the method of moments with pseudo-cards of the prior. `levels` = A by card. Only the curves
 * of ungraded cards have s(x): it changes nothing in graded ones but their noise.
 */
function fitGrade(
  curve: Curve,
  grade: number,
  key: string,
  rows: readonly CurveRow[],
  levels: Float64Array,
  params: Params,
): void {
  const prior = gradePrior(key);
  const tauSquared = curve.tauSquared[grade]!;
  const pseudo = params.gradePseudoCards;
  const bends = isRaw(key);
  const slopePseudo = bends ? params.rawSlopePseudoCards : params.slopePseudoCards;
  // Weighted sums of the products of 1, x, s and y: the normal equations.
  let [ww, wx, ws, xx, xs, ss] = [pseudo, 0, 0, slopePseudo, 0, slopePseudo];
  let [wy, xy, sy] = [pseudo * prior.alpha, 0, 0];
  for (const row of rows) {
    const x = levels[row.card]! - curve.meanLevel;
    const y = row.price - levels[row.card]! - (row.set.deltas[grade] ?? 0);
    const off = Math.abs(y - gradeEffect(curve, grade, x)) || 1e-9;
    row.rest = y;
    row.huber = Math.min(1, (HUBER_SDS * Math.sqrt(row.variance + tauSquared)) / off);
    const weight = (row.huber * tauSquared) / (row.variance + tauSquared);
    const s = bends ? squareOf(x) : 0;
    ww += weight;
    wx += weight * x;
    ws += weight * s;
    xx += weight * x * x;
    xs += weight * x * s;
    ss += weight * s * s;
    wy += weight * y;
    xy += weight * x * y;
    sy += weight * s * y;
  }
  if (key !== REFERENCE_GRADE) {
    // alpha eliminated, Cramer's rule for the other two, then their limits: no slope below `slopeMin` anywhere.
    const [bb, bs, sq] = [xx - (wx * wx) / ww, xs - (wx * ws) / ww, ss - (ws * ws) / ww];
    const [by, qy] = [xy - (wx * wy) / ww, sy - (ws * wy) / ww];
    const determinant = bb * sq - bs * bs;
    const beta = within((by * sq - qy * bs) / determinant, params.slopeMin, params.slopeMax);
    const bend = (beta - params.slopeMin) / (2 * SQUARE_REACH);
    const square = within((qy * bb - by * bs) / determinant, -bend, bend);
    curve.beta[grade] = beta;
    curve.square[grade] = square;
    curve.alpha[grade] = (wy - beta * wx - square * ws) / ww;
  }
  let spread = 0;
  for (const row of rows) {
    const off = row.rest - gradeEffect(curve, grade, levels[row.card]! - curve.meanLevel);
    spread += row.huber * row.huber * off * off - NOISE_SHARE * row.variance;
  }
  const fitted = (prior.tau ** 2 * pseudo + Math.max(0, spread)) / (pseudo + rows.length);
  curve.tauSquared[grade] = Math.max(params.deviationSdMin ** 2, fitted);
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
