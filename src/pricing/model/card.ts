import { type GradeTerms, levelBehind, termsOf } from './curve/curve.ts';
import type { CardUpdate } from './influence.ts';
import type { GameState, SetState } from './model.ts';
import type { Params, VenueClass } from './params.ts';

/**
 * The belief about one card (section 1): its level a and one deviation b per grade that sold, with their covariance.
 *
 * `x[0]` is a; `x[i]` holds the level l = gamma + h a + b of the grade in slot i rather than b alone. A monthly refit
 * then moves the curve under the levels and leaves them where they are (section 2 step 8) without changing a card.
 * `P` is the covariance of (a, b_1 … b_K), row by row.
 */
export type CardState = {
  id: string;
  game: GameState;
  set: SetState;
  /** Day that the state is of. */
  day: number;
  /** 1 + number of grades with a slot. */
  size: number;
  x: Float64Array;
  P: Float64Array;
  /** Accepted sales in all grades. */
  sales: number;
  /** Section 2 step 6: how many squared innovations, and their sum. */
  noiseCount: number;
  noiseSum: number;
  /** Section 2 step 7: pairs of successive surprises of a grade, and the sum of their products: positive while it moves. */
  pairCount: number;
  pairSum: number;
  grades: CardGrade[];
  /** Its updates since the last snapshot, oldest first: what explains a price (influence.ts). */
  updates: CardUpdate[];
};

/** What a card remembers of one of its grades. Every day here is the day whose close took the sale in. */
export type CardGrade = {
  grade: number;
  /** Place in `x` and `P`; 0 for a grade that gave its place to a more recently traded one. */
  slot: number;
  sales: number;
  lastDay: number;
  /** Discounted weight of its sales, and weight times detrended log price: what the curve is fitted on. */
  weight: number;
  weightedPrice: number;
  /** Mean surprise of its last day with sales; null before the first. */
  surprise: number | null;
  /** That day's sales: detrended log price, venue (null when there were several), whether they were outliers. */
  lastPrice: number;
  lastVenue: VenueClass | null;
  lastOutlier: boolean;
  /** Outliers that wait to be confirmed. */
  pending: PendingMove | null;
  /** Not null while the last move rests on a single source and day that surprised: the series as it was before. */
  before: BeforeMove | null;
  /** Newest accepted sale, milliseconds since the epoch. */
  lastSoldAtMs: number;
  /** Sold day and source of recent sales, for the counts of a quote (recent.ts). */
  recent: number[];
};

/**
 * Outliers that agree with each other and lack witnesses (update.ts): day, side and detrended log price of the newest, and
 * their reports: sold day * 65536 + source, each once.
 */
export type PendingMove = { day: number; side: number; price: number; reports: number[] };

/**
 * A series as it would be without an unconfirmed move: its level without the market, the variance of that, which grows as that
 * of the series does; its sales then, and the day of the last.
 */
export type BeforeMove = { level: number; variance: number; ownSales: number; lastDay: number };

/** A card at its first sale: level between the mean of its set's cards and the game's, wide open. */
export function newCard(id: string, game: GameState, set: SetState, day: number, params: Params): CardState {
  const share = set.cards / (set.cards + params.setLevelPseudoCards);
  const level = set.cards > 0 ? (share * set.levelSum) / set.cards + (1 - share) * game.meanLevel : game.meanLevel;
  return {
    id,
    game,
    set,
    day,
    size: 1,
    x: Float64Array.of(level),
    P: Float64Array.of(params.firstLevelVariance),
    sales: 0,
    noiseCount: 0,
    noiseSum: 0,
    pairCount: 0,
    pairSum: 0,
    grades: [],
    updates: [],
  };
}

export function gradeOfCard(card: CardState, grade: number): CardGrade | undefined {
  for (const own of card.grades) if (own.grade === grade) return own;
  return undefined;
}

/** Section 1, time update: b returns to the curve by phi, both wander. Does nothing for a day already reached. */
export function bringToDay(card: CardState, day: number, params: Params): void {
  const days = day - card.day;
  if (days <= 0) return;
  const { x, P, size, game, set } = card;
  const phi = Math.exp(-days / params.deviationDays);
  const phiSquared = phi * phi;
  const walked = volatilityOf(card, params) * days;
  const levelGains = params.levelVariancePerDay * walked;
  for (const own of card.grades) {
    const i = own.slot;
    if (i === 0) continue;
    const { gamma, h, tauSquared } = termsOf(game.curve, set.deltas, own.grade, x[0]!);
    const onCurve = gamma + h * x[0]!;
    const { before } = own;
    if (before !== null) {
      before.level = onCurve + phi * (before.level - onCurve);
      before.variance += h * h * levelGains - (2 * h * P[i]! + P[i * size + i]!);
    }
    x[i] = onCurve + phi * (x[i]! - onCurve);
    P[i]! *= phi;
    P[i * size]! *= phi;
    for (let j = 1; j < size; j++) P[i * size + j]! *= phiSquared;
    P[i * size + i]! += tauSquared * (1 - phiSquared) + params.gradeVariancePerDay * walked;
    if (before !== null) before.variance += 2 * h * P[i]! + P[i * size + i]!;
  }
  P[0]! += levelGains;
  card.day = day;
}

/**
 * By how much faster than usual the card's levels wander: more while it has few sales, and while successive surprises have
 * one side (section 2 step 7).
 */
export function volatilityOf(card: Pick<CardState, 'sales' | 'pairCount' | 'pairSum'>, params: Params): number {
  const young = 1 + Math.exp(-card.sales / params.volatileSales);
  const moving = Math.exp((params.surpriseReach * card.pairSum) / (card.pairCount + params.surprisePseudoPairs));
  return Math.min(params.volatilityMax, Math.max(params.volatilityMin, young * moving));
}

/** Mean and variance of a series' log price without the market, on the day of the card's state. */
export type Belief = { level: number; variance: number };

/** Section 2 step 2: `l = gamma + h a + b`, `V = h² P_aa + 2 h P_ab + P_bb`; for a grade without a slot b = 0 ± tau. */
export function beliefOf(card: CardState, own: CardGrade | undefined, terms: GradeTerms): Belief {
  const { x, P, size } = card;
  const i = own?.slot ?? 0;
  const { gamma, h, tauSquared } = terms;
  if (i === 0) return { level: gamma + h * x[0]!, variance: h * h * P[0]! + tauSquared };
  return { level: x[i]!, variance: h * h * P[0]! + 2 * h * P[i]! + P[i * size + i]! };
}

/** The grade's terms on this card's curve, at the card's level or at another one. */
export function cardTerms(card: CardState, grade: number, level = card.x[0]!): GradeTerms {
  return termsOf(card.game.curve, card.set.deltas, grade, level);
}

/** The same for a card's first sale, which is its level: on the level that its price implies. */
export function firstTerms(card: CardState, grade: number, price: number): GradeTerms {
  return cardTerms(card, grade, levelBehind(card.game.curve, card.set.deltas, grade, price));
}

/** The slot of a grade, appended with b = 0 ± tau when it has none; beyond `gradesMax` the longest untraded gives way. */
export function slotOf(card: CardState, own: CardGrade, terms: GradeTerms, params: Params): number {
  if (own.slot > 0) return own.slot;
  if (card.size > params.gradesMax) dropSlot(card, longestUntraded(card));
  const slot = card.size;
  const size = slot + 1;
  resize(card, size, (i) => (i < slot ? i : -1));
  card.x[slot] = terms.gamma + terms.h * card.x[0]!;
  card.P[slot * size + slot] = terms.tauSquared;
  own.slot = slot;
  return slot;
}

function longestUntraded(card: CardState): CardGrade {
  const withSlot = card.grades.filter((own) => own.slot > 0);
  return withSlot.reduce((oldest, own) => (own.lastDay < oldest.lastDay ? own : oldest));
}

function dropSlot(card: CardState, dropped: CardGrade): void {
  const freed = dropped.slot;
  resize(card, card.size - 1, (i) => (i < freed ? i : i + 1));
  for (const own of card.grades) if (own.slot > freed) own.slot--;
  dropped.slot = 0;
}

/** Rebuilds x and P at another size; `from` has each place's old one, -1 for a new place (zeros). */
function resize(card: CardState, size: number, from: (i: number) => number): void {
  const x = new Float64Array(size);
  const P = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    const oldI = from(i);
    if (oldI < 0) continue;
    x[i] = card.x[oldI]!;
    for (let j = 0; j < size; j++) {
      const oldJ = from(j);
      if (oldJ >= 0) P[i * size + j] = card.P[oldI * card.size + oldJ]!;
    }
  }
  card.x = x;
  card.P = P;
  card.size = size;
}
