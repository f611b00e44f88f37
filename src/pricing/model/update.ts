import {
  type CardGrade,
  type CardState,
  cardTerms,
  firstTerms,
  gradeOfCard,
  type PendingMove,
  slotOf,
} from './card.ts';
import type { CardUpdate } from './influence.ts';
import { believed, jointOf, type SeenSale } from './joint.ts';
import type { Params } from './params.ts';
import { SOURCES } from './recent.ts';

/** A day's sales of a series, with the variance of the market's level. */
type Observation = { sales: readonly SeenSale[]; marketVariance: number; day: number };

/**
 * What the update made of the sales. `weights` in (0, 1], in their order; `repeats`: they agree with a waiting outlier, and
 * nothing was learned from them; `surprise`: mean of their residuals in standard deviations, each within ±2.5.
 */
export type UpdateOutcome = { weights: number[]; outlier: boolean; repeats: boolean; surprise: number };

type Gains = Pick<CardUpdate, 'gainOfCard' | 'grades' | 'gains'>;

// Reused by every update: allocating it costs more than the update of a small card.
let covariances = new Float64Array(16);

/**
 * Section 2 step 4: takes the sales of a grade on one day into a card, as one observation. Student-t weights, jump rule,
 * then the Kalman update with the market's variance as extra noise (Schmidt filter), so that a card does not swallow the
 * market's error.
 */
export function updateCard(card: CardState, grade: number, seen: Observation, params: Params): UpdateOutcome {
  const { sales, marketVariance, day } = seen;
  const terms = card.sales > 0 ? cardTerms(card, grade) : firstTerms(card, grade, believed(sales).price);
  const own = gradeOfCard(card, grade) ?? addGrade(card, grade, day);
  const i = slotOf(card, own, terms, params);
  const { size } = card;
  if (covariances.length < size) covariances = new Float64Array(size * 2);

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
  const earlier = outlier && agrees(own.pending, joint.price, level, seen, params) ? own.pending : null;
  if (outlier) own.pending = waiting(earlier, joint.price, level, seen);
  const isNear = earlier === null || Math.abs(joint.price - earlier.price) < toleranceOf(seen);
  const jumped = outlier && isWitnessed(own.pending!, isNear, params);
  if (jumped) {
    joint = believed(sales);
    joint.price = noFartherThan(earlier, joint.price, seen);
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

  // 4. A surprise that one source on one day reports: it narrows no range, and is an unconfirmed move unless it takes one back.
  const open95 = open + joint.noise * joint.weight;
  const surprising =
    joint.weight < 1 &&
    earlier === null &&
    isBeyond95(residual, open95, params) &&
    new Set(reportsNear(sales, joint.price)).size < 2;
  const takesBack =
    own.before !== null && !isBeyond95(joint.price - own.before.level, open95 + own.before.variance - observed, params);
  const unconfirmed = surprising && !takesBack;
  own.before = unconfirmed ? { level, variance: observed, ownSales: own.sales, lastDay: own.lastDay } : null;

  // 5. Kalman update.
  const repeats = earlier !== null && !jumped;
  if (!repeats) {
    const shared = sharedSurprise(joint.weight);
    const total = shared * observed + joint.noise + marketVariance;
    const isWild = outlier && Math.abs(residual) > params.wildDistance;
    const stepMax = isWild ? params.wildStep * Math.sqrt(observed) : Number.POSITIVE_INFINITY;
    const step = clamp((shared * residual * observed) / total, stepMax);
    const perGain = residual === 0 ? shared / total : step / residual / observed;
    const shareMax = unconfirmed ? params.unconfirmedShare : Number.POSITIVE_INFINITY;
    const cardLevel = card.x[0]!;
    const gains = gainsOf(card, i, perGain, observed, shareMax);
    moveLevels(card, gains, residual);
    const isFirst = card.sales === 0;
    card.updates.push({ day, curveDay: day - 1, cardLevel, grade, isFirst, ...gains, shares: joint.shares });
    if (!surprising) shrinkCovariance(card, (shared * shared) / total - (shared - 1) / observed);
  }
  return { weights: joint.weights, outlier, repeats, surprise };
}

function isBeyond95(residual: number, variance: number, { rangeSds95 }: Params): boolean {
  return Math.abs(residual) > rangeSds95 * Math.sqrt(variance);
}

function surpriseOf(sales: readonly SeenSale[], level: number, open: number, { surpriseMax }: Params): number {
  let sum = 0;
  for (const { price, noise } of sales) sum += clamp((price - level) / Math.sqrt(open + noise), surpriseMax);
  return sum / sales.length;
}

/** Fills `covariances` with PH and returns HPH for the level in slot i. */
function observe(card: CardState, i: number, h: number): number {
  const { P, size } = card;
  for (let j = 0; j < size; j++) covariances[j] = h * P[j * size]! + P[j * size + i]!;
  return h * covariances[0]! + covariances[i]!;
}

/**
 * `f PH / S`, `S = f HPH + R + P00`: how far each level moves for a residual of one; that in slot i by `perGain * observed`, and
 * what varies with it by its share of that, `shareMax` of it at most. A sale that surprises, f > 1, is ascribed to the level and
 * to noise alike, until it is so far off that it can only be noise.
 */
function gainsOf(card: CardState, i: number, perGain: number, observed: number, shareMax: number): Gains {
  const most = shareMax * perGain * observed;
  const [grades, gains]: [number[], number[]] = [[], []];
  for (const { grade, slot } of card.grades) {
    if (slot === 0) continue;
    grades.push(grade);
    if (slot === i) gains.push(perGain * observed);
    else gains.push(clamp((cardTerms(card, grade).h * covariances[0]! + covariances[slot]!) * perGain, most));
  }
  return { gainOfCard: clamp(covariances[0]! * perGain, most), grades, gains };
}

/** `x += gain * r` */
function moveLevels(card: CardState, { gainOfCard, gains }: Gains, residual: number): void {
  card.x[0]! += gainOfCard * residual;
  let at = 0;
  for (const { slot } of card.grades) if (slot > 0) card.x[slot]! += gains[at++]! * residual;
}

/** `P -= PH PH' (f²/S - (f - 1)/HPH)` */
function shrinkCovariance({ P, size }: CardState, shrink: number): void {
  for (let i = 0; i < size; i++) {
    const gain = covariances[i]! * shrink;
    for (let j = i; j < size; j++) {
      const value = P[i * size + j]! - gain * covariances[j]!;
      P[i * size + j] = value;
      P[j * size + i] = value;
    }
  }
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** `f = 1 + (w^-.6 - 1) min(1, (w/.25)²)` */
function sharedSurprise(weight: number): number {
  const near = Math.min(1, (weight / 0.25) ** 2);
  return 1 + (weight ** -0.6 - 1) * near;
}

/** True for an outlier on the side of a waiting one: as far off, or farther. */
function agrees(
  pending: PendingMove | null,
  price: number,
  level: number,
  seen: Observation,
  params: Params,
): pending is PendingMove {
  if (pending === null || pending.day < seen.day - params.jumpDays) return false;
  const { side } = pending;
  return side === Math.sign(price - level) && side * (price - pending.price) > -toleranceOf(seen);
}

/** An outlier farther off than the one it agrees with says no more than that it is at least as far. */
function noFartherThan(earlier: PendingMove | null, price: number, seen: Observation): number {
  return earlier === null ? price : earlier.price + clamp(price - earlier.price, toleranceOf(seen));
}

/** How far apart two sales may be that agree: 2.5 standard deviations of their difference. */
function toleranceOf({ sales }: Observation): number {
  return 2.5 * Math.sqrt(2 * sales[0]!.noise);
}

/** A waiting outlier with the earlier reports that it agrees with; of its own sales those that agree with their mean. */
function waiting(earlier: PendingMove | null, price: number, level: number, seen: Observation): PendingMove {
  const reports = new Set([...(earlier?.reports ?? []), ...reportsNear(seen.sales, price)]);
  return {
    day: seen.day,
    side: Math.sign(price - level),
    price: noFartherThan(earlier, price, seen),
    reports: [...reports],
  };
}

/** Reports of the sales of a day that agree with their mean. */
function reportsNear(sales: readonly SeenSale[], price: number): number[] {
  const near = sales.filter((sale) => Math.abs(sale.price - price) <= 1.25 * Math.sqrt(2 * sale.noise));
  return near.map(({ soldDay, source }) => soldDay * SOURCES + source);
}

/** True for near sales of two sources, and for sales of three days: a single seller rarely arranges either. */
function isWitnessed({ reports }: PendingMove, isNear: boolean, params: Params): boolean {
  const days = new Set(reports.map((one) => Math.floor(one / SOURCES)));
  const sources = new Set(reports.map((one) => one % SOURCES));
  return (isNear && sources.size >= params.witnessSources) || days.size >= params.witnessDays;
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
    before: null,
    lastSoldAtMs: 0,
    recent: [],
  };
  card.grades.push(own);
  return own;
}
