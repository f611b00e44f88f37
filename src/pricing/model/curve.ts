import { gradePrior } from './params.ts';

/**
 * The grade curve of a game: what grade k adds to a card's level a (section 1).
 *   level of a series = gamma + h a + b,   h = 1 + beta,   gamma = alpha - beta Abar + delta of the set
 * `gradeKeys` is the model's list of grades; a grade is its place in it.
 */
export type Curve = {
  /** Mean level of the cards the curve was fitted on; 0 until then, when every slope is 0 too. */
  meanLevel: number;
  /** By grade: alpha (log over PSA 9 at the mean level), beta (slope on the level), tau² (spread of cards around it). */
  alpha: number[];
  beta: number[];
  tauSquared: number[];
};

/** What a grade adds in one set, with the slope on the card's level and the spread around it. */
export type GradeTerms = { gamma: number; h: number; tauSquared: number };

export function newCurve(): Curve {
  return { meanLevel: 0, alpha: [], beta: [], tauSquared: [] };
}

/** Gives every grade of the model its prior where the curve has none yet. */
export function extendCurve(curve: Curve, gradeKeys: readonly string[]): void {
  for (let grade = curve.alpha.length; grade < gradeKeys.length; grade++) {
    const prior = gradePrior(gradeKeys[grade]!);
    curve.alpha.push(prior.alpha);
    curve.beta.push(0);
    curve.tauSquared.push(prior.tau ** 2);
  }
}

/** gamma of a grade in a set. `deltas` = the set's own offsets by grade, absent where it has none. */
export function gammaOf(curve: Curve, deltas: readonly (number | undefined)[], grade: number): number {
  return curve.alpha[grade]! - curve.beta[grade]! * curve.meanLevel + (deltas[grade] ?? 0);
}

/** All three terms of a grade in a set. */
export function termsOf(curve: Curve, deltas: readonly (number | undefined)[], grade: number): GradeTerms {
  return { gamma: gammaOf(curve, deltas, grade), h: 1 + curve.beta[grade]!, tauSquared: curve.tauSquared[grade]! };
}
