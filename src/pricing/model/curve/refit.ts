import type { GameState, PriceModel, SetState } from '../model.ts';
import { type Curve, termsOf } from './curve.ts';
import { fitGrade } from './refit-grade.ts';
import { fitSets } from './refit-sets.ts';

/**
 * The monthly refit of a game's grade curve (section 2 step 8), from past sales only: a card that sold in two grades or more
 * gives what the grades add. Six rounds of
 *   1. A_c                   level of each card given the curve, weighted by precision
 *   2. alpha, beta, square   ridge regression by grade (refit-grade.ts)
 *   3. tau²                  spread of cards around it
 *   4. delta                 what a set adds, shrunk to what sets of its age add (refit-sets.ts)
 * Cards hold levels (card.ts), so theirs stay where they are. O(series).
 */
const ROUNDS = 6;

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
export type RefitRow = {
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
  const byGame = new Map<GameState, RefitRow[]>();
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

function refitGame(model: PriceModel, { name, curve }: GameState, rows: readonly RefitRow[]): void {
  const byGrade: RefitRow[][] = model.gradeKeys.map(() => []);
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
function cardLevels(curve: Curve, rows: readonly RefitRow[], before: Float64Array): Float64Array<ArrayBuffer> {
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
