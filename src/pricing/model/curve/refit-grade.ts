import { gradePrior, isRaw, type Params, REFERENCE_GRADE } from '../params.ts';
import { type Curve, gradeEffect, SQUARE_REACH, squareOf } from './curve.ts';
import type { RefitRow } from './refit.ts';

const HUBER_SDS = 2;
/** Share of a mean's own variance taken off its squared residual; below 1 because the variance is itself an estimate. */
const NOISE_SHARE = 0.8;

/**
 * Steps 2 and 3 of a refit for one grade: ridge regression of (price - A - delta) on (1, x, s(x)), x = A - Abar, with Huber
 * weights at 2 sd; then tau² by the method of moments with pseudo-cards of the prior. `levels` = A by card. Only the curves
 * of ungraded cards have s(x): it changes nothing in graded ones but their noise.
 */
export function fitGrade(
  curve: Curve,
  grade: number,
  key: string,
  rows: readonly RefitRow[],
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
