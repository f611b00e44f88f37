import { groupBy } from '../../lib/group-by.ts';
import type { GradeTerms } from './curve/curve.ts';
import type { Market } from './market.ts';
import type { Params } from './params.ts';
import { type DayContext, type LogQuote, logRangeOf, type Snapshot, Z80 } from './quote.ts';

/**
 * The 80% range of the total of a list (docs/methodology/pricing.md, "The total of a list"), from a covariance C of the errors of
 * the logarithms of its values:
 *
 *   C(i,i) = sd(i)²                                          a series: its own range
 *   C(i,j) = κ(i)κ(j) (A(i)A(j)/P(a,a) + G(age))             two grades of a card: given its level, they are independent
 *   C(i,j) = κ(i)κ(j) G(the lesser age)                      two cards of a game
 *   C(i,j) = 0                                               two games
 *
 *   A(i)   = h(i) P(a,a) + φ P(a,b(i))                       covariance of a series with its card's level
 *   G(age) = .01² + (1+ρ)/2 · (M + 2q·age)                   error of the market since both cards sold, `age` days ago
 *
 * M is the filter's variance of the market's level on a day. A card carries the market's error of the day that it sold on, so
 * what two cards share is the error of the market's move since then: of a settled filter that expects a variance q a day, it gains q
 * for what the market did unseen and as much for noise taken for a move. Where the market in fact gains ρq a day, both M and
 * that rate are (1+ρ)/2 times as large (`marketFactor`).
 *
 * Values are lognormal: with w(i) = quantity · exp(center + sd²/2), the total has the mean Σ w(i) and the variance
 * Σ w(i) w(j) (exp C(i,j) − 1), and the range is that of the lognormal of this mean and variance (Fenton 1960). The mean is
 * above the sum of the prices, which are medians; the range accounts for that.
 */

/** How uncertain the value of a series is, and with what it shares that. */
export type SharedError = {
  game: string;
  item: string;
  gradeKey: string;
  /** Center and sd of its 80% range, in logs of dollars. */
  centre: number;
  sd: number;
  /** By how much the ranges of its stratum are widened. */
  kappa: number;
  marketVariance: number;
  /** Variance that the market's error gains for each day since the card last sold. */
  marketPerDay: number;
  /** Variance of the card's level a, and covariance of a with the series, h P(a,a) + φ P(a,b), on the day. */
  cardVariance: number;
  withCard: number;
  /** Days since the card last sold in any grade. */
  age: number;
};

/** A priced line of a list. */
export type TotalLine = { quantity: number; error: SharedError };

/** A price's own range is calibrated on sales and holds 75 to 79% of the true values of simulated markets: by so much it is narrow. */
const VALUE_WIDENING = 1.07;

/** What errors of curves and venues add for all cards of a game: an sd of 1%, measured on simulated markets. */
const OTHER_SHARED_VARIANCE = 1e-4;

/** Days of the moves that say how fast a market moves: over fewer, the filter has not caught up with it. */
const MOVE_DAYS = 90;
/** From one move to the next, which overlap. */
const STEP_DAYS = 30;
/** Moves as the parameters expect them that are added to those of a game. */
const PSEUDO_MOVES = 2;

/**
 * (1 + ρ)/2, ρ being the variance that the market's published level gained in a day over the one that its filter expects. Of a
 * filter that is used to ρ = 1 that is the factor of its error, as long as it has settled.
 */
export function marketFactor(market: Market | null, day: number, { marketVariance }: Params): number {
  let [sum, moves] = [PSEUDO_MOVES * marketVariance, PSEUDO_MOVES];
  const { firstDay, levels } = market ?? { firstDay: 0, levels: [] };
  for (let at = Math.min(day - firstDay, levels.length - 1); at >= MOVE_DAYS; at -= STEP_DAYS) {
    sum += (levels[at]! - levels[at - MOVE_DAYS]!) ** 2 / MOVE_DAYS;
    moves++;
  }
  return (1 + sum / moves / marketVariance) / 2;
}

/** The error of a series that has a quote. `factor` is that of its market. */
export function sharedErrorOf(
  { game, item, gradeKey }: Pick<SharedError, 'game' | 'item' | 'gradeKey'>,
  {
    snapshot,
    quote,
    on,
    terms,
    params,
    factor,
  }: {
    snapshot: Snapshot;
    quote: LogQuote;
    on: DayContext;
    terms: GradeTerms;
    params: Params;
    factor: number;
  },
): SharedError {
  const { low, high } = logRangeOf(quote, ({ sd }) => Z80 * sd);
  const age = on.day - snapshot.day;
  const cardVariance = snapshot.cardVariance + snapshot.levelPerDay * age;
  const returned = snapshot.level === null ? 0 : Math.exp(-age / params.deviationDays);
  return {
    game,
    item,
    gradeKey,
    centre: (low + high) / 2,
    sd: (VALUE_WIDENING * (high - low)) / 2 / Z80,
    kappa: VALUE_WIDENING * quote.kappa,
    marketVariance: OTHER_SHARED_VARIANCE + factor * on.marketVariance,
    marketPerDay: 2 * factor * params.marketVariance,
    age,
    cardVariance,
    withCard: terms.h * cardVariance + returned * snapshot.covariance,
  };
}

/** The 80% range of the total, in dollars; null without a line. O(lines · log lines), but for lines of one card. */
export function totalRange(lines: readonly TotalLine[]): { low: number; high: number } | null {
  if (lines.length === 0) return null;
  let mean = 0;
  let variance = 0;
  for (const ofGame of groupBy(lines, ({ error }) => error.game).values()) {
    const cards: WeightedCard[] = [];
    for (const ofCard of groupBy(ofGame, ({ error }) => error.item).values()) {
      let weight = 0;
      for (const one of ofCard) {
        mean += weightOf(one);
        weight += weightOf(one) * one.error.kappa;
        for (const other of ofCard)
          variance += weightOf(one) * weightOf(other) * Math.expm1(covarianceOf(one.error, other.error));
      }
      cards.push({ weight, error: ofCard[0]!.error });
    }
    variance += sharedByCards(cards);
  }
  const square = Math.log1p(variance / (mean * mean));
  const centre = Math.log(mean) - square / 2;
  const reach = Z80 * Math.sqrt(square);
  return { low: Math.exp(centre - reach), high: Math.exp(centre + reach) };
}

/** A card of the list: Σ w κ over its lines, and the error of one of them. */
type WeightedCard = { weight: number; error: SharedError };

/**
 * Σ W(c) W(d) G(c,d) over pairs of different cards of a game. That of the shorter age of two is, rising by age, each step of the age
 * times the square of the weight that is at least so old.
 */
function sharedByCards(cards: WeightedCard[]): number {
  cards.sort((a, b) => a.error.age - b.error.age);
  let left = 0;
  for (const { weight } of cards) left += weight;
  let [sum, age] = [left * left * (cards[0]?.error.marketVariance ?? 0), 0];
  for (const { weight, error } of cards) {
    sum += left * left * error.marketPerDay * (error.age - age) - weight * weight * marketOf(error);
    left -= weight;
    age = error.age;
  }
  return sum;
}

function weightOf({ quantity, error: { centre, sd } }: TotalLine): number {
  return quantity * Math.exp(centre + (sd * sd) / 2);
}

/** G of two series that are equally old. */
function marketOf({ marketVariance, marketPerDay, age }: SharedError): number {
  return marketVariance + marketPerDay * age;
}

/** Of two series of one card. */
function covarianceOf(one: SharedError, other: SharedError): number {
  if (one.gradeKey === other.gradeKey) return one.sd * one.sd;
  const card = (one.withCard * other.withCard) / one.cardVariance;
  return one.kappa * other.kappa * (card + marketOf(one));
}
