import { type CardGrade, type CardState, cardTerms, gradeOfCard, type PendingMove, saleTerms, slotOf } from './card.ts';
import { believed, type Joint, jointOf, type SeenSale } from './joint.ts';
import type { Params } from './params.ts';
import { SOURCES } from './recent.ts';

/** A day's sales of a series, with the variance of the market's level. */
type Observation = { sales: readonly SeenSale[]; marketVariance: number; day: number };

/**
 * What the update made of the sales. `weights` in (0, 1], in their order; `repeats`: they agree with a waiting outlier, and
 * nothing was learned from them; `surprise`: mean of their residuals in standard deviations, each within ±2.5.
 */
export type UpdateOutcome = { weights: number[]; outlier: boolean; repeats: boolean; surprise: number };

// Reused by every update: allocating it costs more than the update of a small card.
let gains = new Float64Array(16);

/**
 * Section 2 step 4: takes the sales of a grade on one day into a card, as one observation. Student-t weights, jump rule,
 * then the Kalman update with the market's variance as extra noise (Schmidt filter), so that a card does not swallow the
 * market's error.
 */
export function updateCard(card: CardState, grade: number, seen: Observation, params: Params): UpdateOutcome {
  const { sales, marketVariance, day } = seen;
  const terms = saleTerms(card, grade, believed(sales).price);
  const own = gradeOfCard(card, grade) ?? addGrade(card, grade, day);
  const i = slotOf(card, own, terms, params);
  const { size } = card;
  if (gains.length < size) gains = new Float64Array(size * 2);

  // 1. Covariance of the state with the observed level, the sales as one observation, its residual.
  let observed = observe(card, i, terms.h);
  const level = card.x[i]!;
  const open = observed + marketVariance;
  let joint = card.sales === 0 ? believed(sales) : jointOf(sales, level, open, params);
  let residual = joint.price - level;
  const surprise = surpriseOf(sales, level, open, params);

  // 2. An outlier: each of them is one, and so is their mean.
  const scaled = (residual * residual) / (open + joint.noise * joint.weight);
  const ownWeight = (params.nu + 1) / (params.nu + scaled);
  let outlier = joint.weight < params.outlierWeight && ownWeight < params.outlierWeight;

  // 3. Outliers that agree and have witnesses are a jump: the state is opened to it. Until then they wait.
  const agreed = outlier && own.pending !== null && agrees(own.pending, residual, joint.price, seen, params);
  if (outlier) own.pending = waiting(agreed ? own.pending!.reports : [], residual, joint.price, seen);
  const jumped = outlier && isWitnessed(own.pending!, params);
  if (jumped) {
    joint = believed(sales);
    residual = joint.price - level;
    const share = card.sales > own.sales ? 0.5 : 0.8;
    card.P[0]! += share * residual * residual;
    card.P[i * size + i]! += (1 - share) * residual * residual;
    observed = observe(card, i, terms.h);
    outlier = false;
    own.pending = null;
  } else if (joint.weight > params.settledWeight) {
    own.pending = null;
  }

  // 4. Kalman update.
  const repeats = agreed && !jumped;
  if (!repeats) correct(card, { i, h: terms.h, residual, observed }, joint, marketVariance, outlier, params);
  return { weights: joint.weights, outlier, repeats, surprise };
}

function surpriseOf(sales: readonly SeenSale[], level: number, open: number, { surpriseMax }: Params): number {
  let sum = 0;
  for (const { price, noise } of sales)
    sum += Math.max(-surpriseMax, Math.min(surpriseMax, (price - level) / Math.sqrt(open + noise)));
  return sum / sales.length;
}

/** Fills `gains` with PH and returns HPH for the level in slot i. */
function observe(card: CardState, i: number, h: number): number {
  const { P, size } = card;
  for (let j = 0; j < size; j++) gains[j] = h * P[j * size]! + P[j * size + i]!;
  return h * gains[0]! + gains[i]!;
}

/**
 * `x += f PH r / S`, `P -= PH PH' (f²/S - (f - 1)/HPH)`, `S = f HPH + R + P00`: a sale that surprises, f > 1, is ascribed to
 * the level and to noise alike, until it is so far off that it can only be noise. An outlier far off moves the level by a
 * bounded step, and what lies outside the 95 % range leaves it as wide as it was.
 */
function correct(
  card: CardState,
  { i, h, residual, observed }: { i: number; h: number; residual: number; observed: number },
  joint: Joint,
  marketVariance: number,
  outlier: boolean,
  params: Params,
): void {
  const { x, P, size } = card;
  const shared = sharedSurprise(joint.weight);
  const total = shared * observed + joint.noise + marketVariance;
  const isWild = outlier && Math.abs(residual) > params.wildDistance;
  const stepMax = isWild ? params.wildStep / Math.sqrt(observed) : Number.POSITIVE_INFINITY;
  const step = Math.max(-stepMax, Math.min(stepMax, (shared * residual) / total));
  const levelStep = gains[0]! * step;
  for (const own of card.grades) {
    if (own.slot === 0) continue;
    const slope = own.slot === i ? h : cardTerms(card, own.grade).h;
    x[own.slot]! += slope * levelStep + gains[own.slot]! * step;
  }
  x[0]! += levelStep;
  if (
    joint.weight < 1 &&
    Math.abs(residual) > params.rangeSds95 * Math.sqrt(observed + marketVariance + joint.noise * joint.weight)
  )
    return;
  const shrink = (shared * shared) / total - (shared - 1) / observed;
  for (let j = 0; j < size; j++) {
    const gain = gains[j]! * shrink;
    for (let k = j; k < size; k++) {
      const value = P[j * size + k]! - gain * gains[k]!;
      P[j * size + k] = value;
      P[k * size + j] = value;
    }
  }
}

/** `f = 1 + (w^-.6 - 1) min(1, (w/.25)²)` */
function sharedSurprise(weight: number): number {
  const near = Math.min(1, (weight / 0.25) ** 2);
  return 1 + (weight ** -0.6 - 1) * near;
}

function agrees(
  pending: PendingMove,
  residual: number,
  price: number,
  { sales, day }: Observation,
  params: Params,
): boolean {
  return (
    pending.day >= day - params.jumpDays &&
    pending.side === Math.sign(residual) &&
    Math.abs(price - pending.price) < 2.5 * Math.sqrt(2 * sales[0]!.noise)
  );
}

/** A waiting outlier with the earlier reports that it agrees with; of its own sales those that agree with their mean. */
function waiting(
  reports: readonly number[],
  residual: number,
  price: number,
  { sales, day }: Observation,
): PendingMove {
  const near = sales.filter((sale) => Math.abs(sale.price - price) <= 1.25 * Math.sqrt(2 * sale.noise));
  const own = near.map(({ soldDay, source }) => soldDay * SOURCES + source);
  return { day, side: Math.sign(residual), price, reports: [...new Set([...reports, ...own])] };
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
    surprise: null,
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
