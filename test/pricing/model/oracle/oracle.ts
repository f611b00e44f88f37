import type { VenueClass } from '../../../../src/pricing/model/params.ts';

/** Sales of a synthetic market, and what the prototype of the method made of them. Numbers of days, logs of dollars. */
export type Oracle = {
  days: number;
  /** The curves are refitted at the end of every so many days. */
  refitEvery: number;
  sales: OracleSale[];
  quotes: OracleQuote[];
  /** By game: the level at the close of each day since its first sale. */
  markets: Record<string, number[]>;
  /** At the end: effect and variance. */
  venues: Record<string, [number, number]>;
  /** At the end, by game and grade: alpha, beta, tau². */
  curves: Record<string, Record<string, [number, number, number]>>;
  /** At the end, by stratum: the quantiles at 50, 80 and 95 %, and how many forecasts they learned from. */
  quantiles: Record<string, number[]>;
};

export type OracleSale = [
  knownDay: number,
  soldDay: number,
  id: number,
  card: number,
  set: number,
  game: string,
  gradeKey: string,
  venue: VenueClass,
  cents: number,
];

export type OracleQuote = [day: number, card: number, gradeKey: string, logUsd: number, sd: number, ownSales: number];
