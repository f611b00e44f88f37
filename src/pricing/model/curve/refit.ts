import { groupBy } from '../../../lib/group-by.ts';
import type { GameState, PriceModel, SetState } from '../model.ts';
import { gradePrior, isRaw, type Params, REFERENCE_GRADE } from '../params.ts';
import { type Curve, gradeEffect, levelBehind, SQUARE_REACH, squareOf, termsOf } from './curve.ts';
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
 * Every (card, grade) of a game, in columns: a refit of a large ledger has millions of them. `price` = discounted mean log price
 * without the market, `variance` = its variance. `share` = its part in the card's level A, and `implied` = the level that it
 * implies, are of the last `cardLevels`; `x` = the level that it is compared with less Abar, `rest` = price less that level and
 * delta, and `huber` = its weight, of the last `fitGrade`.
 */
export type CurveRows = {
  count: number;
  /** Sets of the cards, by their numbers. */
  sets: readonly SetState[];
  card: Int32Array;
  grade: Int32Array;
} & Record<'price' | 'variance' | 'share' | 'implied' | 'x' | 'huber' | 'rest', Float64Array>;

/** Refits every game. Sums are rounded in the order of the evidence: neither ids of cards nor how they came into memory matter. */
export function refitCurves(model: PriceModel, cards: Iterable<CurveEvidence>): void {
  const byGame = groupBy(cards, ({ game }) => game);
  for (const [game, ofGame] of byGame) {
    const graded = ofGame.filter(({ grades }) => grades.length > 1);
    if (graded.length > 0) refitGame(model, game, rowsOf(inOrder(graded), model.params));
  }
}

/** In an order that depends on the evidence alone. The first difference of nearly all is compared without the cards. */
function inOrder(cards: readonly CurveEvidence[]): CurveEvidence[] {
  const first = Float64Array.from(cards, ({ grades }) => grades[0]!.weightedPrice);
  const places = Uint32Array.from(cards.keys());
  places.sort((a, b) => first[a]! - first[b]! || byEvidence(cards[a]!, cards[b]!));
  return Array.from(places, (place) => cards[place]!);
}

/** A refit learns the same from cards that are equal in this order. */
function byEvidence(a: CurveEvidence, b: CurveEvidence): number {
  for (let i = 0; i < a.grades.length && i < b.grades.length; i++) {
    const [one, other] = [a.grades[i]!, b.grades[i]!];
    const order = one.weightedPrice - other.weightedPrice || one.weight - other.weight || one.grade - other.grade;
    if (order !== 0) return order;
  }
  return a.grades.length - b.grades.length || bySet(a.set, b.set);
}

function bySet(a: SetState, b: SetState): number {
  if (a === b) return 0;
  const [one, other] = [a, b].map(({ levelSum, cards, year, deltas }) => [levelSum, cards, year ?? 0, ...deltas]);
  return one!.map((value, i) => value - (other![i] ?? 0)).find((order) => order !== 0) ?? 0;
}

function rowsOf(cards: readonly CurveEvidence[], { saleVariance }: Params): CurveRows {
  const count = cards.reduce((sum, { grades }) => sum + grades.length, 0);
  const numbers = () => new Float64Array(count);
  const rows: CurveRows = {
    count,
    sets: cards.map(({ set }) => set),
    card: new Int32Array(count),
    grade: new Int32Array(count),
    price: numbers(),
    variance: numbers(),
    share: numbers(),
    implied: numbers(),
    x: numbers(),
    huber: numbers(),
    rest: numbers(),
  };
  let row = 0;
  for (const [card, { grades }] of cards.entries())
    for (const { grade, weight, weightedPrice } of grades) {
      rows.card[row] = card;
      rows.grade[row] = grade;
      rows.price[row] = weightedPrice / weight;
      rows.variance[row] = saleVariance / weight;
      row++;
    }
  return rows;
}

function refitGame(model: PriceModel, { name, curve }: GameState, rows: CurveRows): void {
  const ofGrades = model.gradeKeys.map((_, grade) => rowsOfGrade(rows, grade));
  const sets = [...model.sets.values()].filter(({ game, cards }) => game === name && cards > 0);
  let levels = new Float64Array(rows.sets.length).fill(curve.meanLevel);
  for (let round = 0; round < ROUNDS; round++) {
    levels = cardLevels(curve, rows, levels);
    ofGrades.forEach((ofGrade, grade) => {
      if (ofGrade.length > 0) fitGrade(curve, grade, model.gradeKeys[grade]!, rows, ofGrade, levels, model.params);
    });
    fitSets(model, sets, curve, rows);
  }
}

function rowsOfGrade({ count, grade: grades }: CurveRows, grade: number): Int32Array {
  const ofGrade = new Int32Array(count);
  let length = 0;
  for (let row = 0; row < count; row++) if (grades[row] === grade) ofGrade[length++] = row;
  return ofGrade.subarray(0, length);
}

/**
 * 1. `A_c` = mean of (price - gamma)/h, weighted by h²/(variance + tau²), with the curve's tangents at the levels of the
 * round before; their mean becomes the curve's.
 */
function cardLevels(curve: Curve, rows: CurveRows, before: Float64Array): Float64Array<ArrayBuffer> {
  const { count, sets, card, grade, price, variance, share, implied } = rows;
  const weights = new Float64Array(before.length);
  const sums = new Float64Array(before.length);
  for (let row = 0; row < count; row++) {
    const place = card[row]!;
    const { gamma, h, tauSquared } = termsOf(curve, sets[place]!.deltas, grade[row]!, before[place]!);
    const weight = (h * h) / (variance[row]! + tauSquared);
    share[row] = weight;
    implied[row] = (price[row]! - gamma) / h;
    weights[place]! += weight;
    sums[place]! += weight * implied[row]!;
  }
  for (let row = 0; row < count; row++) share[row]! /= weights[card[row]!]!;
  const levels = sums.map((sum, i) => sum / weights[i]!);
  curve.meanLevel = levels.reduce((total, level) => total + level, 0) / before.length;
  return levels;
}

/**
 * Steps 2 and 3 of a refit for one grade: ridge regression of (price - A - delta) on (1, x, s(x)), x = A - Abar, with Huber
 * weights at 2 sd; then tau² by the method of moments with pseudo-cards of the prior. `ofGrade` = the numbers of its rows, `levels`
 * = A by card.
 *
 * Only the curves of ungraded cards have s(x): it changes nothing in graded ones but their noise. They are read backwards, from
 * the price to the level: A is that of the card's other grades, and what the line leaves is to be unrelated to the price (z, the
 * level behind it, is the instrument), not to A, whose own error would flatten the slope.
 */
function fitGrade(
  curve: Curve,
  grade: number,
  key: string,
  rows: CurveRows,
  ofGrade: Int32Array,
  levels: Float64Array,
  params: Params,
): void {
  const prior = gradePrior(key);
  const tauSquared = curve.tauSquared[grade]!;
  const pseudo = params.gradePseudoCards;
  const bends = isRaw(key);
  const slopePseudo = bends ? params.rawSlopePseudoCards : params.slopePseudoCards;
  // The normal equations: weighted sums of the products of 1, z, s(z) with 1, x, s(x), y.
  let [n, sumX, sumS, sumY] = [pseudo, 0, 0, pseudo * prior.alpha];
  let [sumZ, sumZX, sumZS, sumZY] = [0, slopePseudo, 0, 0];
  let [sumQ, sumQX, sumQS, sumQY] = [0, 0, slopePseudo, 0];
  const { sets, card, price, variance, share, implied } = rows;
  for (const row of ofGrade) {
    const ofCard = levels[card[row]!]!;
    const level = bends ? (ofCard - share[row]! * implied[row]!) / (1 - share[row]!) : ofCard;
    const { deltas } = sets[card[row]!]!;
    const x = level - curve.meanLevel;
    const y = price[row]! - level - (deltas[grade] ?? 0);
    const off = Math.abs(y - gradeEffect(curve, grade, x)) || 1e-9;
    const huber = Math.min(1, (HUBER_SDS * Math.sqrt(variance[row]! + tauSquared)) / off);
    rows.x[row] = x;
    rows.rest[row] = y;
    rows.huber[row] = huber;
    const heard = (huber * tauSquared) / (variance[row]! + tauSquared);
    // What the line leaves is in prices: as levels it is so much less.
    const weight = bends ? heard / termsOf(curve, deltas, grade, level).h : heard;
    const z = bends ? levelBehind(curve, deltas, grade, price[row]!) - curve.meanLevel : x;
    const [weightX, weightS, weightY] = [weight * x, bends ? weight * squareOf(x) : 0, weight * y];
    const square = bends ? squareOf(z) : 0;
    n += weight;
    sumX += weightX;
    sumS += weightS;
    sumY += weightY;
    sumZ += z * weight;
    sumZX += z * weightX;
    sumZS += z * weightS;
    sumZY += z * weightY;
    sumQ += square * weight;
    sumQX += square * weightX;
    sumQS += square * weightS;
    sumQY += square * weightY;
  }
  if (key !== REFERENCE_GRADE) {
    // alpha eliminated, Cramer's rule for the other two, then their limits: no slope below `slopeMin` anywhere.
    const less = (sum: number, ofOne: number, ofTerm: number) => sum - (ofOne * ofTerm) / n;
    const [a, b, c] = [less(sumZX, sumZ, sumX), less(sumZS, sumZ, sumS), less(sumZY, sumZ, sumY)];
    const [d, e, f] = [less(sumQX, sumQ, sumX), less(sumQS, sumQ, sumS), less(sumQY, sumQ, sumY)];
    const determinant = a * e - b * d;
    const beta = within((c * e - b * f) / determinant, params.slopeMin, params.slopeMax);
    const bend = (beta - params.slopeMin) / (2 * SQUARE_REACH);
    const square = within((a * f - c * d) / determinant, -bend, bend);
    curve.beta[grade] = beta;
    curve.square[grade] = square;
    curve.alpha[grade] = (sumY - beta * sumX - square * sumS) / n;
  }
  let spread = 0;
  for (const row of ofGrade) {
    const off = rows.rest[row]! - gradeEffect(curve, grade, rows.x[row]!);
    const huber = rows.huber[row]!;
    spread += huber * huber * off * off - NOISE_SHARE * variance[row]!;
  }
  const fitted = (prior.tau ** 2 * pseudo + Math.max(0, spread)) / (pseudo + ofGrade.length);
  curve.tauSquared[grade] = Math.max(params.deviationSdMin ** 2, fitted);
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
