/**
 * Every number of the index method (docs/methodology/index.md says the same in words). They change at a rotation only,
 * together with `METHODOLOGY_VERSION`.
 */

export const METHODOLOGY_VERSION = '1';

export const INDEX_RULES = {
  /** Level on the base date. */
  base: 10_000,
  /** Names of a basket: at most, and at least (with fewer eligible there is no rotation). */
  maxMembers: 100,
  minMembers: 20,
  /** Share of the eligible names that a basket takes between those two. */
  targetShare: 0.8,
  /** Days of sales that are considered, the rotation day the last of them; and the recent ones among them. */
  windowDays: 90,
  recentDays: 30,
  /** Counted sales a newcomer needs in the window, and in its recent part; what a member needs in the window. */
  minSales90: 3,
  minSales30: 1,
  keepSales90: 2,
  /** Probability that the true value is within 15% of the price. */
  minConfidence: 0.5,
  /** Dollars; newcomers only. */
  minPriceUsd: 5,
  /** Days since a newcomer's first sale. */
  seasonDays: 60,
  /** Newcomers enter up to this share of the target's rank, members stay up to this one. */
  enterRank: 0.8,
  keepRank: 1.5,
  /** A series' turnover counts up to this many times (number of sales × price). */
  turnoverCap: 1.5,
  /** Below this weight in the price model a sale is an outlier and does not count. */
  minSaleWeight: 0.25,
  /** A sale speaks for a price at most this factor away from it (evidence.ts). */
  nearFactor: 4,
  /** Most that a member may move the level by in a day (log, beyond the market) before its new price has witnesses. */
  maxUnwitnessedMove: 0.005,
  /** Witnesses: sales of so many sources, or on so many days. */
  witnessSources: 2,
  witnessDays: 3,
};

export type IndexRules = typeof INDEX_RULES;
