/**
 * A second implementation of the price model, written from the formulas of docs/methodology/pricing.md alone: plain, slow,
 * and sharing nothing with src/pricing/model, its parameters included. Variances are of logs of dollars.
 */
const NU = 5;
export const SIG2 = 0.145 ** 2;
export const Q_A = 0.014 ** 2;
export const Q_B = 0.018 ** 2;
const FIRST_VARIANCE = 25;

const PRIORS: Record<string, [alpha: number, tau: number]> = {
  'psa-10': [1.1, 0.4],
  'psa-9': [0, 0.25],
  'psa-8': [-0.4, 0.3],
  'psa-7': [-0.7, 0.3],
  'bgs-10': [1.5, 0.55],
  'bgs-9-5': [0.5, 0.4],
  'bgs-9': [-0.1, 0.25],
  'cgc-10-gem-mint': [0.7, 0.45],
  'cgc-9-5': [0.15, 0.35],
  'cgc-9': [-0.2, 0.25],
};
export const priorOf = (grade: string) => PRIORS[grade] ?? [-0.5, 0.4];
/** Ungraded cards are four times as noisy as graded ones. */
export const usualNoise = (grade: string) => (grade.startsWith('raw-') ? 4 : 1);
const VENUES = { auction: 0, fixed: 0.04, offer: -0.02, house_auction: 0.03, shop: 0.06 };

export type Mean = { n: number; mean: number };
export type GradeCurve = { alpha: number; beta: number; square: number; tau2: number };
export type OracleGame = {
  name: string;
  /** Level and drift with their covariance; by day since `start`, the levels at the close. */
  market: { m: number; d: number; p00: number; p01: number; p11: number; start: number; levels: number[] };
  curve: Map<string, GradeCurve>;
  meanA: number;
  firstLevel: number;
  firstLevels: number;
  noise: Mean;
  gradeNoise: Map<string, Mean>;
};
export type OracleSet = { game: string; year: number | null; n: number; sum: number; deltas: Map<string, number> };
type Pending = { day: number; sign: number; price: number; reports: { day: number; source: number }[] };
/** A series before a move that one source on one day made. */
type Before = { level: number; V: number; n: number; last: number };
export type OracleGrade = {
  key: string;
  n: number;
  last: number;
  weight: number;
  weighted: number;
  surprise: number | null;
  previous: { price: number; venues: Set<string>; outlier: boolean } | null;
  pending: Pending | null;
  before: Before | null;
};
/** x = [a, b_1, b_2 …], in the order of `grades`; P its covariance. More than twelve grades do not occur here. */
export type OracleCard = {
  id: string;
  game: OracleGame;
  set: OracleSet;
  day: number;
  n: number;
  x: number[];
  P: number[][];
  zCount: number;
  zSum: number;
  pairs: number;
  pairSum: number;
  grades: OracleGrade[];
};
export type OracleState = {
  games: Map<string, OracleGame>;
  sets: Map<string, OracleSet>;
  cards: Map<string, OracleCard>;
  venues: Map<string, { s: number; P: number }>;
  /** By stratum: the quantiles at 50, 80, 95% and how many forecasts; by price bucket: the factor, and how many. */
  strata: { q: number[]; n: number }[];
  buckets: { p: number; n: number }[];
};

export function newOracle(): OracleState {
  return {
    games: new Map(),
    sets: new Map(),
    cards: new Map(),
    venues: new Map(Object.entries(VENUES).map(([venue, s]) => [venue, { s, P: venue === 'auction' ? 0 : 0.06 ** 2 }])),
    strata: Array.from({ length: 12 }, () => ({ q: [0.756, 1.535, 2.674], n: 0 })),
    buckets: Array.from({ length: 5 }, () => ({ p: 1, n: 0 })),
  };
}

export function gameIn({ games }: OracleState, name: string): OracleGame {
  const market = { m: 0, d: 0, p00: 0, p01: 0, p11: 2.5e-7, start: -1, levels: [] };
  const first = { meanA: 0, firstLevel: Math.log(45), firstLevels: 0 };
  return found(games, name, () => ({
    name,
    market,
    curve: new Map(),
    ...first,
    noise: { n: 0, mean: 0 },
    gradeNoise: new Map(),
  }));
}

/** A card's level begins between the means of its set's and its game's first levels. */
export function cardIn(
  state: OracleState,
  sale: { card: string; game: string; set: string; setYear: number | null },
  day: number,
): OracleCard {
  const game = gameIn(state, sale.game);
  const set = found(state.sets, `${sale.game}/${sale.set}`, () => ({
    game: sale.game,
    year: sale.setYear,
    n: 0,
    sum: 0,
    deltas: new Map(),
  }));
  const level = (set.sum + 5 * game.firstLevel) / (set.n + 5);
  const counts = { n: 0, zCount: 0, zSum: 0, pairs: 0, pairSum: 0 };
  return found(state.cards, sale.card, () => ({
    id: sale.card,
    game,
    set,
    day,
    x: [level],
    P: [[FIRST_VARIANCE]],
    grades: [],
    ...counts,
  }));
}

/** alpha + beta x + square s(x): s is x² up to |x| = 1 and its tangent from there on. */
export const effectAt = ({ alpha, beta, square }: GradeCurve, x: number) =>
  alpha + beta * x + square * (Math.abs(x) <= 1 ? x * x : 2 * Math.abs(x) - 1);

/** gamma, h and tau² of a grade: the tangent of a card's curve at the level `at`. */
export function termsIn({ game, set }: { game: OracleGame; set: OracleSet }, grade: string, at: number) {
  const curve = curveOf(game, grade);
  const x = at - game.meanA;
  const h = 1 + curve.beta + 2 * curve.square * clamp(x, -1, 1);
  return { gamma: at + effectAt(curve, x) + (set.deltas.get(grade) ?? 0) - h * at, h, tau2: curve.tau2 };
}

/** The level at which a card's curve of a grade is `level`: by halving, since it rises everywhere. */
export function levelBehind(card: { game: OracleGame; set: OracleSet }, grade: string, level: number) {
  let [low, high] = [-200, 200];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    const { gamma, h } = termsIn(card, grade, middle);
    if (gamma + h * middle < level) low = middle;
    else high = middle;
  }
  return low;
}

export function curveOf(game: OracleGame, grade: string): GradeCurve {
  const [alpha, tau] = priorOf(grade);
  return found(game.curve, grade, () => ({
    alpha: grade === 'psa-9' ? 0 : alpha!,
    beta: 0,
    square: 0,
    tau2: tau! ** 2,
  }));
}

export function found<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  if (!map.has(key)) map.set(key, make());
  return map.get(key)!;
}

export const studentWeight = (squareOverVariance: number) => (NU + 1) / (NU + squareOverVariance);
export const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
