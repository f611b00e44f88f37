import type { Params } from './params.ts';

/**
 * The market factor of a game: level m and damped drift d, a two-state Kalman filter over days (section 1).
 *   m += d + N(0, qm);  d = rho d + N(0, qd)
 */
export type Market = {
  level: number;
  drift: number;
  /** Covariance of (level, drift). */
  p00: number;
  p01: number;
  p11: number;
  /** First closed day; -1 before it. `levels[i]` and `variances[i]` are of day `firstDay + i` at its close, for good. */
  firstDay: number;
  levels: number[];
  variances: number[];
};

/** The market before its first sale: level zero by definition. */
export function newMarket(params: Params): Market {
  return {
    level: 0,
    drift: 0,
    p00: 0,
    p01: 0,
    p11: params.firstDriftVariance,
    firstDay: -1,
    levels: [],
    variances: [],
  };
}

/** Section 2 step 1: one day passes. */
export function predictMarket(market: Market, params: Params): void {
  const rho = params.driftDamping;
  market.level += market.drift;
  market.p00 += 2 * market.p01 + market.p11 + params.marketVariance;
  market.p01 = rho * (market.p01 + market.p11);
  market.p11 = rho * rho * market.p11 + params.driftVariance;
  market.drift *= rho;
}

/** What a day's cards state together: the sum of their precisions, and of precision times residual. */
export type CrossSection = { precision: number; weighted: number };

/** A sale that a card's vote is made of: residual, variance of the series' level, noise of the sale. */
type Heard = { residual: number; variance: number; noise: number };

/**
 * Section 2 step 3: the vote of one card, however many sales it had that day and in whatever order they are listed: their
 * robust mean, as uncertain as the card's level is and as noisy as so many sales.
 */
export function addCard(into: CrossSection, sales: readonly Heard[], market: Market, nu: number): void {
  let [weights, residuals, variances, noises] = [0, 0, 0, 0];
  for (const { residual, variance, noise } of sales) {
    const weight = (nu + 1) / (nu + (residual * residual) / (variance + noise + market.p00));
    weights += weight;
    residuals += weight * residual;
    variances += variance;
    noises += noise;
  }
  const { length } = sales;
  if (length > 0) addResidual(into, residuals / weights, variances / length + noises / length / weights, market, nu);
}

/** Section 2 step 3: Student-t weight of one residual, added to the cross-section. */
function addResidual(into: CrossSection, residual: number, variance: number, market: Market, nu: number): void {
  const weight = (nu + 1) / (nu + (residual * residual) / (variance + market.p00));
  into.precision += weight / variance;
  into.weighted += (weight * residual) / variance;
}

/**
 * Section 2 step 3: the level moves by the day's mean residual. A well measured mean (noise up to `shockNoiseMax`) that the
 * filter finds impossible (chi-square beyond `shockChiSquare`) is believed: the level's variance is opened to it first.
 */
export function updateMarket(market: Market, seen: CrossSection, params: Params): void {
  if (seen.precision <= 0) return;
  const residual = seen.weighted / seen.precision;
  const noise = 1 / seen.precision;
  let total = market.p00 + noise;
  const square = residual * residual;
  if (noise <= params.shockNoiseMax && square / total > params.shockChiSquare) {
    market.p00 += square - total;
    total = square;
  }
  const gainLevel = market.p00 / total;
  const gainDrift = market.p01 / total;
  market.level += gainLevel * residual;
  market.drift += gainDrift * residual;
  market.p11 -= gainDrift * market.p01;
  market.p01 -= gainLevel * market.p01;
  market.p00 -= gainLevel * market.p00;
}

/** Appends the day's level to the history, which never changes afterwards. */
export function closeMarket(market: Market, day: number): void {
  if (market.firstDay < 0) market.firstDay = day;
  market.levels.push(market.level);
  market.variances.push(market.p00);
}

/** The level at the close of a past day; before the first, the first one. NaN for a market that never closed. */
export function levelOn(market: Market, day: number): number {
  return market.levels[placeOf(market, day)] ?? Number.NaN;
}

/** The variance of `levelOn`. */
export function varianceOn(market: Market, day: number): number {
  return market.variances[placeOf(market, day)] ?? Number.NaN;
}

function placeOf(market: Market, day: number): number {
  return Math.min(Math.max(day - market.firstDay, 0), market.levels.length - 1);
}
