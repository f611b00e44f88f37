import { type Curve, gammaOf } from './curve.ts';
import type { GameState, PriceModel, SetState } from './model.ts';
import { gradePrior, type Params, REFERENCE_GRADE } from './params.ts';

/**
 * The monthly refit of a game's grade curve (section 2 step 8), from past sales only: a card that sold in two grades or more
 * gives what the grades add. Six rounds of
 *   1. A_c           level of each card given the curve, weighted by precision
 *   2. alpha, beta   ridge regression of (price - A - delta) on (1, A - Abar) by grade, Huber weights at 2 sd, prior alpha
 *   3. tau²          spread of cards around it, method of moments with pseudo-cards of the prior
 *   4. delta         what a set adds, shrunk to nothing
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

/** One (card, grade): discounted mean log price without the market, and its variance. */
type Row = { card: number; set: SetState; grade: number; price: number; variance: number; huber: number; rest: number };

/** Refits every game. The order of `cards` must not depend on how they came into memory: sums are rounded in it. */
export function refitCurves(model: PriceModel, cards: Iterable<CurveEvidence>): void {
  const byGame = new Map<GameState, Row[]>();
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
  for (const [game, rows] of byGame) refitGame(model, game.curve, rows);
}

function refitGame(model: PriceModel, curve: Curve, rows: readonly Row[]): void {
  const cardCount = rows.at(-1)!.card + 1;
  const byGrade: Row[][] = model.gradeKeys.map(() => []);
  for (const row of rows) byGrade[row.grade]!.push(row);
  for (let round = 0; round < ROUNDS; round++) {
    const levels = cardLevels(curve, rows, cardCount);
    const sets = new Map<SetState, { weight: Float64Array; sum: Float64Array }>();
    byGrade.forEach((list, grade) => {
      if (list.length === 0) return;
      const key = model.gradeKeys[grade]!;
      fitGrade(curve, grade, key, list, levels, model.params);
      if (key !== REFERENCE_GRADE) addSetOffsets(sets, curve, grade, list, levels, model.gradeKeys.length);
    });
    for (const [set, { weight, sum }] of sets) {
      weight.forEach((total, grade) => {
        if (total > 0) setDelta(set, grade, sum[grade]! / (total + model.params.setPseudoCards));
      });
    }
  }
}

/** 1. `A_c` = mean of (price - gamma)/h, weighted by h²/(variance + tau²); their mean becomes the curve's. */
function cardLevels(curve: Curve, rows: readonly Row[], cardCount: number): Float64Array {
  const weights = new Float64Array(cardCount);
  const sums = new Float64Array(cardCount);
  for (const row of rows) {
    const h = 1 + curve.beta[row.grade]!;
    const weight = (h * h) / (row.variance + curve.tauSquared[row.grade]!);
    weights[row.card]! += weight;
    sums[row.card]! += (weight * (row.price - gammaOf(curve, row.set.deltas, row.grade))) / h;
  }
  const levels = sums.map((sum, i) => sum / weights[i]!);
  curve.meanLevel = levels.reduce((total, level) => total + level, 0) / cardCount;
  return levels;
}

/** 2. and 3. for one grade. Leaves each row's Huber weight in it. */
function fitGrade(
  curve: Curve,
  grade: number,
  key: string,
  rows: readonly Row[],
  levels: Float64Array,
  params: Params,
): void {
  const prior = gradePrior(key);
  const alphaBefore = curve.alpha[grade]!;
  const betaBefore = curve.beta[grade]!;
  const tauSquared = curve.tauSquared[grade]!;
  let weights = params.gradePseudoCards;
  let xs = 0;
  let xxs = params.slopePseudoCards;
  let ys = params.gradePseudoCards * prior.alpha;
  let xys = 0;
  for (const row of rows) {
    const x = levels[row.card]! - curve.meanLevel;
    row.rest = row.price - levels[row.card]! - (row.set.deltas[grade] ?? 0);
    const off = Math.abs(row.rest - alphaBefore - betaBefore * x) || 1e-9;
    row.huber = Math.min(1, (HUBER_SDS * Math.sqrt(row.variance + tauSquared)) / off);
    const weight = (row.huber * tauSquared) / (row.variance + tauSquared);
    weights += weight;
    xs += weight * x;
    xxs += weight * x * x;
    ys += weight * row.rest;
    xys += weight * x * row.rest;
  }
  if (key !== REFERENCE_GRADE) {
    const determinant = weights * xxs - xs * xs;
    const slope = (weights * xys - xs * ys) / determinant;
    curve.alpha[grade] = (ys * xxs - xys * xs) / determinant;
    curve.beta[grade] = Math.max(-params.slopeMax, Math.min(params.slopeMax, slope));
  }
  let spread = 0;
  for (const row of rows) {
    const off = row.rest - curve.alpha[grade]! - curve.beta[grade]! * (levels[row.card]! - curve.meanLevel);
    spread += row.huber * row.huber * off * off - NOISE_SHARE * row.variance;
  }
  const pseudo = params.gradePseudoCards;
  const fitted = (prior.tau ** 2 * pseudo + Math.max(0, spread)) / (pseudo + rows.length);
  curve.tauSquared[grade] = Math.max(params.deviationSdMin ** 2, fitted);
}

/** 4. Adds a grade's residuals, each with its set's own offset put back. */
function addSetOffsets(
  sets: Map<SetState, { weight: Float64Array; sum: Float64Array }>,
  curve: Curve,
  grade: number,
  rows: readonly Row[],
  levels: Float64Array,
  gradeCount: number,
): void {
  const tauSquared = curve.tauSquared[grade]!;
  for (const row of rows) {
    let totals = sets.get(row.set);
    if (totals === undefined) {
      totals = { weight: new Float64Array(gradeCount), sum: new Float64Array(gradeCount) };
      sets.set(row.set, totals);
    }
    const x = levels[row.card]! - curve.meanLevel;
    const offset = row.rest + (row.set.deltas[grade] ?? 0) - curve.alpha[grade]! - curve.beta[grade]! * x;
    const weight = (row.huber * tauSquared) / (row.variance + tauSquared);
    totals.weight[grade]! += weight;
    totals.sum[grade]! += weight * offset;
  }
}

function setDelta(set: SetState, grade: number, delta: number): void {
  while (set.deltas.length <= grade) set.deltas.push(0);
  set.deltas[grade] = delta;
}
