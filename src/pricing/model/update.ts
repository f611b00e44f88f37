import { type CardGrade, type CardState, cardTerms, gradeOfCard, type PendingMove, slotOf } from './card.ts';
import type { Params } from './params.ts';
import { SOURCES } from './recent.ts';

/** One sale as the filter sees it: its detrended log price y - s_v - m, and the variance of its noise. */
type Observation = {
  price: number;
  noise: number;
  marketVariance: number;
  day: number;
  soldDay: number;
  source: number;
};

/** What the update made of it. `weight` in (0, 1]; `repeats`: it agrees with a waiting outlier, and nothing was learned from it. */
export type UpdateOutcome = { weight: number; outlier: boolean; repeats: boolean };

// Reused by every update: allocating it costs more than the update of a small card.
let gains = new Float64Array(16);

/**
 * Section 2 step 4: takes one sale into a card. Student-t weight, jump rule, then the Kalman update with the market's
 * variance as extra noise (Schmidt filter), so that a card does not swallow the market's error.
 */
export function updateCard(card: CardState, grade: number, seen: Observation, params: Params): UpdateOutcome {
  const terms = cardTerms(card, grade);
  const own = gradeOfCard(card, grade) ?? addGrade(card, grade, seen.day);
  const i = slotOf(card, own, terms, params);
  const { size } = card;
  if (gains.length < size) gains = new Float64Array(size * 2);

  // 1. Covariance of the state with the observed level, the residual, its variance.
  let observed = observe(card, i, terms.h);
  const residual = seen.price - card.x[i]!;
  const noise = seen.noise + seen.marketVariance;
  const scaled = (residual * residual) / (observed + noise);

  // 2. Student-t weight.
  let weight = Math.min(1, (params.nu + 1) / (params.nu + scaled));
  let outlier = weight < params.outlierWeight;

  // 3. Outliers that agree and have witnesses are a jump: the state is opened to it. Until then they wait.
  const agreed = outlier && own.pending !== null && agrees(own.pending, residual, seen, params);
  if (outlier) own.pending = waiting(agreed ? own.pending!.reports : [], residual, seen);
  const jumped = agreed && isWitnessed(own.pending!, params);
  if (jumped) {
    const share = card.sales > own.sales ? 0.5 : 0.8;
    card.P[0]! += share * residual * residual;
    card.P[i * size + i]! += (1 - share) * residual * residual;
    observed = observe(card, i, terms.h);
    weight = 1;
    outlier = false;
    own.pending = null;
  } else if (weight > params.settledWeight) {
    own.pending = null;
  }

  // 4. Kalman update; a weight below one is noise divided by it.
  const repeats = agreed && !jumped;
  if (!repeats) correct(card, residual, observed + noise / weight);
  return { weight, outlier, repeats };
}

/** Fills `gains` with PH and returns HPH for the level in slot i. */
function observe(card: CardState, i: number, h: number): number {
  const { P, size } = card;
  for (let j = 0; j < size; j++) gains[j] = h * P[j * size]! + P[j * size + i]!;
  return h * gains[0]! + gains[i]!;
}

function correct(card: CardState, residual: number, total: number): void {
  const { x, P, size, game } = card;
  const step = residual / total;
  const levelStep = gains[0]! * step;
  x[0]! += levelStep;
  for (const own of card.grades) {
    if (own.slot > 0) x[own.slot]! += (1 + game.curve.beta[own.grade]!) * levelStep + gains[own.slot]! * step;
  }
  for (let i = 0; i < size; i++) {
    const gain = gains[i]! / total;
    for (let j = i; j < size; j++) {
      const value = P[i * size + j]! - gain * gains[j]!;
      P[i * size + j] = value;
      P[j * size + i] = value;
    }
  }
}

function agrees(pending: PendingMove, residual: number, seen: Observation, params: Params): boolean {
  return (
    pending.day >= seen.day - params.jumpDays &&
    pending.side === Math.sign(residual) &&
    Math.abs(seen.price - pending.price) < 2.5 * Math.sqrt(2 * seen.noise)
  );
}

/** A waiting outlier with the earlier reports that it agrees with. */
function waiting(
  reports: readonly number[],
  residual: number,
  { day, price, soldDay, source }: Observation,
): PendingMove {
  const report = soldDay * SOURCES + source;
  return { day, side: Math.sign(residual), price, reports: [...new Set([...reports, report])] };
}

/** True for sales of two sources or of three days, which a single seller rarely arranges. */
function isWitnessed({ reports }: PendingMove, params: Params): boolean {
  const days = new Set(reports.map((one) => Math.floor(one / SOURCES)));
  const sources = new Set(reports.map((one) => one % SOURCES));
  return sources.size >= params.witnessSources || days.size >= params.witnessDays;
}

function addGrade(card: CardState, grade: number, day: number): CardGrade {
  const own: CardGrade = {
    grade,
    slot: 0,
    sales: 0,
    lastDay: day,
    weight: 0,
    weightedPrice: 0,
    lastPrice: 0,
    lastVenue: null,
    lastOutlier: false,
    pending: null,
    lastSoldAtMs: 0,
    recent: [],
  };
  card.grades.push(own);
  return own;
}
