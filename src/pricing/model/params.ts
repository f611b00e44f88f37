/**
 * Parameters of the price model; sections cited here are of docs/methodology/pricing.md. Logarithms are natural, of US
 * dollars; variances are per day where they say so. "log score" = chosen by maximizing the mean prequential Student-t
 * log score of real or simulated sales.
 */

export const VENUE_CLASSES = ['auction', 'fixed', 'offer', 'house_auction', 'shop'] as const;
/** How a sale was made; `auction` (public, buyer's premium included) is the reference that prices are quoted on. */
export type VenueClass = (typeof VENUE_CLASSES)[number];
export const REFERENCE_VENUE: VenueClass = 'auction';

/** The grade every other one is measured against: its curve is zero. */
export const REFERENCE_GRADE = 'psa-9';

/** Changes with the method or its parameters; effective from the next close only. */
export const MODEL_VERSION = '3';

export const DEFAULT_PARAMS = {
  /** Degrees of freedom of a sale's noise; the optimum is flat in [3, 8]. */
  nu: 5,
  /** Squared scale of a sale's noise; log score, real PSA 9/10 sales .13² to .17². */
  saleVariance: 0.145 ** 2,
  /** Variance that a card's level gains in a day, and that each of its grades gains in addition; log score. */
  levelVariancePerDay: 0.014 ** 2,
  gradeVariancePerDay: 0.018 ** 2,
  /** Prior variance of a card's first level: its first sale decides it. */
  firstLevelVariance: 25,
  /** Volatility: what it is raised by before sales are many (e-fold), the reach and pseudo-count of surprises, its limits. */
  volatileSales: 4,
  surpriseReach: 3,
  surprisePseudoPairs: 15,
  surpriseMax: 2.5,
  volatilityMin: 0.3,
  volatilityMax: 6,
  /** Mean of first levels before a game has any. */
  firstLevel: Math.log(45),
  /** Pseudo-cards behind the game's mean when a set's mean is taken. */
  setLevelPseudoCards: 5,
  /** Share and variance of mistaken records, added to a sale's noise while the series is uncertain. */
  junkShare: 0.03,
  junkVariance: 0.5,
  junkAboveVariance: 0.25,
  /** Days in which a grade's deviation returns to the curve (e-fold). */
  deviationDays: 1000,
  /** Most grades with a deviation of their own in a card's state. */
  gradesMax: 12,
  /** Market factor, per day: variance of the level, of the drift, damping of the drift. */
  marketVariance: 0.004 ** 2,
  driftVariance: 0.00006 ** 2,
  driftDamping: 0.99,
  firstDriftVariance: 2.5e-7,
  /** Only series at most this uncertain speak about the market. */
  marketBelowVariance: 0.12,
  /** 99% point of chi-square with one degree of freedom: beyond it a day is a shock. */
  shockChiSquare: 6.63,
  /** Variance of a day's mean up to which it can be one: a few outliers on a thin day do not move the market. */
  shockNoiseMax: 0.08 ** 2,
  venueSd: 0.06,
  venueVariancePerUpdate: 1e-7,
  venuePairDays: 45,
  venuePrior: { auction: 0, fixed: 0.04, offer: -0.02, house_auction: 0.03, shop: 0.06 } as Record<VenueClass, number>,
  /** Below this weight a sale is an outlier; above `settledWeight` it clears a waiting one. */
  outlierWeight: 0.25,
  settledWeight: 0.6,
  /** An outlier farther than this moves a level by at most `wildStep` of its sd. */
  wildDistance: Math.log(6),
  wildStep: 0.35,
  /** A sale this many standard deviations from its forecast is outside the 95% range, and a move that it alone makes unconfirmed. */
  rangeSds95: 2.674,
  /** Most that an unconfirmed move of a grade moves the others by, as a share of its own step (in logs). */
  unconfirmedShare: 0.5,
  /** Outliers that agree, each within so many days of the one before, are a jump once they are of so many sources or days. */
  jumpDays: 180,
  witnessSources: 2,
  witnessDays: 3,
  /** Mean squared innovation, in their own variance, of sales whose noise is known, and the most that one may count. */
  noiseMean: 1.05,
  noiseMax: 16,
  /** Pseudo-counts of the shrinkage: sales (noise of a game, a grade, a card), cards (grade), cards (set), cards (slope), sets (era). */
  gameNoisePseudoSales: 200,
  gradeNoisePseudoSales: 100,
  noisePseudoSales: 40,
  /** Sales after which older ones count less in the noise of a game, of a grade. */
  gameNoiseSales: 5000,
  gradeNoiseSales: 2000,
  gradePseudoCards: 20,
  setPseudoCards: 15,
  slopePseudoCards: 60,
  /** Of ungraded cards, slope and bend; chosen on guide prices. */
  rawSlopePseudoCards: 10,
  eraPseudoSets: 3,
  /** Limits of the slope on the level at the mean level; the lower one holds at every level. */
  slopeMin: -0.6,
  slopeMax: 1.6,
  deviationSdMin: 0.15,
  /** Days in which a sale's say about the grade curve fades (e-fold). */
  curveDays: 365,
  /** Priced only where the quote's sd is at most this (80% range narrower than 3.2 times). */
  pricedSdMax: 0.45,
  /** The confidence is the probability that the true value is within this log distance. */
  confidenceDistance: Math.log(1.15),
};

export type Params = typeof DEFAULT_PARAMS;

/** What a grade usually adds to a card's level, and how far cards deviate from that, before anything was learned. */
type GradePrior = { alpha: number; tau: number };

// "BGS 10" of the method is Pristine (`bgs-10`); "CGC 10" is Gem Mint 10 (`cgc-10-gem-mint`), by far the commoner slab.
export const GRADE_PRIORS: Record<string, GradePrior> = {
  'psa-10': { alpha: 1.1, tau: 0.4 },
  'psa-9': { alpha: 0, tau: 0.25 },
  'psa-8': { alpha: -0.4, tau: 0.3 },
  'psa-7': { alpha: -0.7, tau: 0.3 },
  'bgs-10': { alpha: 1.5, tau: 0.55 },
  'bgs-9-5': { alpha: 0.5, tau: 0.4 },
  'bgs-9': { alpha: -0.1, tau: 0.25 },
  'cgc-10-gem-mint': { alpha: 0.7, tau: 0.45 },
  'cgc-9-5': { alpha: 0.15, tau: 0.35 },
  'cgc-9': { alpha: -0.2, tau: 0.25 },
};
export const OTHER_GRADE: GradePrior = { alpha: -0.5, tau: 0.4 };

/** Noise of ungraded cards, whose condition no one has checked, as a multiple of that of graded ones; measured, hockey. */
export const RAW_NOISE = 4;

/** The noise of a grade before any was learned, as a multiple of its game's. */
export function noisePrior(gradeKey: string): number {
  return isRaw(gradeKey) ? RAW_NOISE : 1;
}

/** True for the slug token of an ungraded card's condition. */
export function isRaw(gradeKey: string): boolean {
  return gradeKey.startsWith('raw-');
}

/** The prior of a grade's slug token. */
export function gradePrior(gradeKey: string): GradePrior {
  return GRADE_PRIORS[gradeKey] ?? OTHER_GRADE;
}
