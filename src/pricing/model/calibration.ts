/**
 * Section 4: ranges that hold what they promise. For each stratum and level the quantile of u = |r| / sd of past
 * forecasts is followed online (adaptive conformal inference, Gibbs & Candès 2021), so that the long-run coverage is
 * right whatever the model's errors. A factor for each price bucket is followed in the same way.
 */

const LEVELS = [0.5, 0.8, 0.95] as const;
/** Quantiles of |t| with five degrees of freedom, scaled to the filter's sd: where every stratum starts. */
const START = [0.756, 1.535, 2.674] as const;
const STEP = [1.2, 1.2, 2.5] as const;
const QUANTILE_MIN = 0.05;
const RATE_MIN = 0.004;
/** Index of the 80% quantile, the one quotes use. */
const EIGHTY = 1;

/** Dollars that the forecasts of the price buckets are below; the last has no upper end. */
const BUCKET_ENDS = [30, 100, 300, 1000].map(Math.log);
const BUCKET_STEP = 0.5;
const FACTOR_MIN = 0.6;
const FACTOR_MAX = 1.8;

type Stratum = { quantiles: number[]; forecasts: number };
type PriceBucket = { factor: number; forecasts: number };
export type Calibration = { strata: Stratum[]; buckets: PriceBucket[] };

export const STRATA = 12;

export function newCalibration(): Calibration {
  return {
    strata: Array.from({ length: STRATA }, () => ({ quantiles: [...START], forecasts: 0 })),
    buckets: Array.from({ length: BUCKET_ENDS.length + 1 }, () => ({ factor: 1, forecasts: 0 })),
  };
}

/** Stratum of a series: own sales {0, 1-3, 4-12, 13+} by age of the last own sale {<= 30, <= 180, > 180 days}. */
export function stratumOf(ownSales: number, lastSaleAgeDays: number): number {
  if (ownSales === 0) return 0;
  return (ownSales < 4 ? 3 : ownSales < 13 ? 6 : 9) + ageOf(lastSaleAgeDays);
}

function ageOf(lastSaleAgeDays: number): number {
  return lastSaleAgeDays <= 30 ? 0 : lastSaleAgeDays <= 180 ? 1 : 2;
}

/** Number of the price bucket of a log price in dollars; a boundary belongs to the bucket above it. */
export function bucketOf(logPrice: number): number {
  let bucket = 0;
  while (bucket < BUCKET_ENDS.length && logPrice >= BUCKET_ENDS[bucket]!) bucket++;
  return bucket;
}

/** What a forecast is calibrated by: its stratum, its log price in dollars. */
export type Calibrated = { stratum: number; logPrice: number };

/** The quantiles of u for 50, 80 and 95% that a forecast is published with. */
export function quantilesFor({ strata, buckets }: Calibration, { stratum, logPrice }: Calibrated): number[] {
  const { factor } = buckets[bucketOf(logPrice)]!;
  return strata[stratum]!.quantiles.map((quantile) => quantile * factor);
}

/** Learns from one forecast, before the sale it forecast is taken in: `u` = |residual| / forecast sd. */
export function learnCoverage(calibration: Calibration, { stratum: place, logPrice }: Calibrated, u: number): void {
  const stratum = calibration.strata[place]!;
  const bucket = calibration.buckets[bucketOf(logPrice)]!;
  const beyond = u > stratum.quantiles[EIGHTY]! * bucket.factor ? 1 : 0;
  const ratio = u / bucket.factor;
  bucket.forecasts++;
  const change = BUCKET_STEP * rateAfter(bucket.forecasts) * (beyond - (1 - LEVELS[EIGHTY]));
  bucket.factor = Math.min(FACTOR_MAX, Math.max(FACTOR_MIN, bucket.factor * Math.exp(change)));
  stratum.forecasts++;
  const rate = rateAfter(stratum.forecasts);
  for (let i = 0; i < LEVELS.length; i++) {
    const quantile = stratum.quantiles[i]!;
    const missed = ratio > quantile ? 1 : 0;
    stratum.quantiles[i] = Math.max(QUANTILE_MIN, quantile + rate * STEP[i]! * (missed - (1 - LEVELS[i]!)));
  }
}

function rateAfter(forecasts: number): number {
  return Math.max(RATE_MIN, 1 / Math.sqrt(20 + forecasts));
}

/** What a close publishes of the calibration: 80% quantiles by stratum, factors by price bucket (null before version 3). */
export type RangeWidths = { quantiles80: readonly number[]; factors: readonly number[] | null };

export function widthsOf({ strata, buckets }: Calibration): RangeWidths {
  return {
    quantiles80: strata.map(({ quantiles }) => quantiles[EIGHTY]!),
    factors: buckets.map(({ factor }) => factor),
  };
}

/** What the 80% quantile in force is, for a series at a log price, and the one that every stratum starts at. */
function quantile80Of({ quantiles80, factors }: RangeWidths, ownSales: number, ageDays: number, logPrice: number) {
  return factors === null
    ? { now: quantiles80[stratumOfVersion2(ownSales, ageDays)]!, start: START80_OF_VERSION_2 }
    : { now: quantiles80[stratumOf(ownSales, ageDays)]! * factors[bucketOf(logPrice)]!, start: START[EIGHTY] };
}

/**
 * Section 3: kappa, by how much a quote's sd is widened or narrowed, and the sds of the forecast of a sale to either side
 * that hold 80% of them.
 */
export function widening(widths: RangeWidths, ownSales: number, ageDays: number, logPrice: number) {
  const { now, start } = quantile80Of(widths, ownSales, ageDays, logPrice);
  return { kappa: Math.max(0.8, Math.min(1.6, now / start)), sds80: now };
}

const START80_OF_VERSION_2 = 1.476;

/** Own sales {0, 1-2, 3-9, 10+}: for the days that version 2 published. */
function stratumOfVersion2(ownSales: number, lastSaleAgeDays: number): number {
  if (ownSales === 0) return 0;
  return (ownSales < 3 ? 3 : ownSales < 10 ? 6 : 9) + ageOf(lastSaleAgeDays);
}
