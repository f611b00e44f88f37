import { gradePrior } from '../params.ts';

/**
 * The grade curve of a game: what grade k adds to a card's level a (section 1), with x = a - Abar.
 *   level of a series = a + alpha + beta x + square s(x) + delta of the set + b
 *   s(x) = x² up to |x| = SQUARE_REACH, its tangent beyond: slopes stay bounded
 * The filter needs a line: gamma + h a, the tangent at the card's level (`termsOf`).
 * `gradeKeys` is the model's list of grades; a grade is its place in it.
 */
export type Curve = {
  /** Mean level of the cards the curve was fitted on; 0 until then, when every slope is 0 too. */
  meanLevel: number;
  /** By grade: alpha (log over PSA 9 at the mean level), beta (slope on the level), tau² (spread of cards around it). */
  alpha: number[];
  beta: number[];
  tauSquared: number[];
  /** By grade: how the slope changes with the level. Absent from the curves of version 2 until they are extended. */
  square: number[];
};

/** What a grade adds to a card in one set: the tangent at the card's level, and the spread around it. */
export type GradeTerms = { gamma: number; h: number; tauSquared: number };

/** Log distance from the mean level up to which the slope changes: a factor of 2.7. */
export const SQUARE_REACH = 1;

const NEWTON_STEPS = 6;

export function newCurve(): Curve {
  return { meanLevel: 0, alpha: [], beta: [], tauSquared: [], square: [] };
}

/** Gives every grade of the model its prior where the curve has none yet. */
export function extendCurve(curve: Curve, gradeKeys: readonly string[]): void {
  curve.square ??= curve.alpha.map(() => 0);
  for (let grade = curve.alpha.length; grade < gradeKeys.length; grade++) {
    const prior = gradePrior(gradeKeys[grade]!);
    curve.alpha.push(prior.alpha);
    curve.beta.push(0);
    curve.tauSquared.push(prior.tau ** 2);
    curve.square.push(0);
  }
}

/** s(x). */
export function squareOf(x: number): number {
  const near = clampReach(x);
  return near * (2 * x - near);
}

/** alpha + beta x + square s(x), where x is the distance from the mean level. */
export function gradeEffect(curve: Curve, grade: number, x: number): number {
  return curve.alpha[grade]! + curve.beta[grade]! * x + curve.square[grade]! * squareOf(x);
}

function clampReach(x: number): number {
  return Math.max(-SQUARE_REACH, Math.min(SQUARE_REACH, x));
}

/** All three terms of a grade in a set, at a level. `deltas` = the set's own offsets by grade, absent where it has none. */
export function termsOf(
  curve: Curve,
  deltas: readonly (number | undefined)[],
  grade: number,
  level: number,
): GradeTerms {
  const beta = curve.beta[grade]!;
  const square = curve.square[grade]!;
  const near = clampReach(level - curve.meanLevel);
  // s(x) less its slope 2 near times x is -near².
  const slope = beta + 2 * square * near;
  return {
    gamma: curve.alpha[grade]! + (deltas[grade] ?? 0) - slope * curve.meanLevel - square * near * near,
    h: 1 + slope,
    tauSquared: curve.tauSquared[grade]!,
  };
}

/** Level of a card whose series in a grade is at `seriesLevel` with b = 0: the curve read backwards, by Newton's steps. */
export function levelBehind(
  curve: Curve,
  deltas: readonly (number | undefined)[],
  grade: number,
  seriesLevel: number,
): number {
  let level = curve.meanLevel;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { gamma, h } = termsOf(curve, deltas, grade, level);
    level = (seriesLevel - gamma) / h;
  }
  return level;
}
