/**
 * Section 4: ranges that hold what they promise. For each stratum and level the quantile of u = |r| / sd of past
 * forecasts is followed online (adaptive conformal inference, Gibbs & Candès 2021), so that the long-run coverage is
 * right whatever the model's errors.
 */

const LEVELS = [0.5, 0.8, 0.95] as const;
/** Quantiles of |t| with five degrees of freedom, scaled to the filter's sd: where every stratum starts. */
const START = [0.727, 1.476, 2.571] as const;
const STEP = [1.2, 1.2, 2.5] as const;
const QUANTILE_MIN = 0.05;
const RATE_MIN = 0.004;

export type Stratum = { quantiles: number[]; forecasts: number };
export const STRATA = 12;

export function newCalibration(): Stratum[] {
  return Array.from({ length: STRATA }, () => ({ quantiles: [...START], forecasts: 0 }));
}

/** Stratum of a series: own sales {0, 1-2, 3-9, 10+} by age of the last own sale {<= 30, <= 180, > 180 days}. */
export function stratumOf(ownSales: number, lastSaleAgeDays: number): number {
  if (ownSales === 0) return 0;
  const count = ownSales < 3 ? 1 : ownSales < 10 ? 2 : 3;
  const age = lastSaleAgeDays <= 30 ? 0 : lastSaleAgeDays <= 180 ? 1 : 2;
  return count * 3 + age;
}

/** Learns from one forecast, before the sale it forecast is taken in: `u` = |residual| / forecast sd. */
export function learnCoverage(stratum: Stratum, u: number): void {
  stratum.forecasts++;
  const rate = Math.max(RATE_MIN, 1 / (20 + stratum.forecasts) ** 0.7);
  for (let i = 0; i < LEVELS.length; i++) {
    const quantile = stratum.quantiles[i]!;
    const missed = u > quantile ? 1 : 0;
    stratum.quantiles[i] = Math.max(QUANTILE_MIN, quantile + rate * STEP[i]! * (missed - (1 - LEVELS[i]!)));
  }
}

/** Index of the 80 % quantile, the one quotes use. */
export const EIGHTY = 1;

/** Section 3 kappa: by how much a quote's sd is widened or narrowed, given its stratum's 80 % quantile. */
export function widening(quantile80: number): number {
  return Math.max(0.8, Math.min(1.6, quantile80 / START[EIGHTY]));
}
