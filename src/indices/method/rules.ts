/**
 * Every number of the index method (docs/methodology/index.md says the same in words). They change at a rotation only,
 * together with `METHODOLOGY_VERSION`.
 */

export const METHODOLOGY_VERSION = '1';

export type IndexRules = {
  /** Level on the base date. */
  base: number;
  /** Names of a basket: at most, and at least (with fewer eligible there is no rotation). */
  maxMembers: number;
  minMembers: number;
  /** Share of the eligible names that a basket takes between those two. */
  targetShare: number;
  /** Days of sales that are considered, the rotation day the last of them; and the recent ones among them. */
  windowDays: number;
  recentDays: number;
  /** Counted sales a newcomer needs in the window, and in its recent part; what a member needs in the window. */
  minSales90: number;
  minSales30: number;
  keepSales90: number;
  /** Probability that the true value lies within 15 % of the price. */
  minConfidence: number;
  /** Dollars; newcomers only. */
  minPriceUsd: number;
  /** Days since a newcomer's first sale. */
  seasonDays: number;
  /** Newcomers enter up to this share of the target's rank, members stay up to this one. */
  enterRank: number;
  keepRank: number;
  /** A series' turnover counts up to this many times (number of sales × price). */
  turnoverCap: number;
  /** Below this weight in the price model a sale is an outlier and does not count. */
  minSaleWeight: number;
  /** A sale speaks for a price at most this factor away from it (evidence.ts). */
  nearFactor: number;
  /** Most that a member may move the level by in a day (log, beyond the market) before its new price has witnesses. */
  maxUnwitnessedMove: number;
  /** Witnesses: sales of so many sources, or on so many days. */
  witnessSources: number;
  witnessDays: number;
};

export const INDEX_RULES: IndexRules = {
  base: 10_000,
  maxMembers: 100,
  minMembers: 20,
  targetShare: 0.8,
  windowDays: 90,
  recentDays: 30,
  minSales90: 3,
  minSales30: 1,
  keepSales90: 2,
  minConfidence: 0.5,
  minPriceUsd: 5,
  seasonDays: 60,
  enterRank: 0.8,
  keepRank: 1.5,
  turnoverCap: 1.5,
  minSaleWeight: 0.25,
  nearFactor: 4,
  maxUnwitnessedMove: 0.005,
  witnessSources: 2,
  witnessDays: 3,
};
