import { stratumOf } from './calibration.ts';
import { beliefOf, bringToDay, type CardState, cardTerms, gradeOfCard } from './card.ts';
import { levelOn, type Market } from './market.ts';
import type { PriceModel } from './model.ts';
import { noiseRatio } from './noise.ts';
import type { Params, VenueClass } from './params.ts';

/** Section 2 step 2: each sale of a day against the state at day open. */

/** An accepted sale that became known on the day being closed. */
export type DaySale = {
  id: number;
  card: CardState;
  grade: number;
  soldDay: number;
  soldAtMs: number;
  priceUsdCents: number;
  venue: VenueClass;
  /** Number of its source, below 65,536. */
  source: number;
};

/** A sale against the state at day open. Logs of dollars. */
export type Forecast = {
  sale: DaySale;
  /** Log price, market level of the sold day, days between sale and close. */
  price: number;
  market: number;
  lagDays: number;
  /** Level of the series without the market, its variance; noise of the sale. */
  level: number;
  variance: number;
  noise: number;
  /** price - venue - market - level, and its variance with the market's included. */
  residual: number;
  total: number;
  /** Accepted sales of the card and of the series so far; stratum whose ranges apply. */
  cardSales: number;
  ownSales: number;
  stratum: number;
  /** Log of the forecast price. */
  logPrice: number;
};

/**
 * Step 2: `r = y - s_v - m - l` and its variance. A late sale is compared with the market of its own day; `closedLevel` is
 * given for a day that has been closed already.
 */
export function forecastSale(model: PriceModel, sale: DaySale, day: number, closedLevel?: number): Forecast {
  const { params } = model;
  const { card } = sale;
  const { market } = card.game;
  bringToDay(card, day, params);
  const own = gradeOfCard(card, sale.grade);
  const { level, variance } = beliefOf(card, own, cardTerms(card, sale.grade));
  const lagDays = day - sale.soldDay;
  const marketLevel = closedLevel ?? openLevel(market, sale.soldDay, lagDays);
  const venue = model.venues[sale.venue];
  const noise = saleNoise(card, sale.grade, variance, lagDays, venue.variance, params);
  const price = Math.log(sale.priceUsdCents / 100);
  return {
    sale,
    price,
    market: marketLevel,
    lagDays,
    level,
    variance,
    noise,
    residual: price - venue.effect - marketLevel - level,
    logPrice: venue.effect + marketLevel + level,
    total: variance + noise + market.p00,
    cardSales: card.sales,
    ownSales: own?.sales ?? 0,
    stratum: stratumOf(own?.sales ?? 0, own === undefined ? 0 : day - own.lastDay),
  };
}

function openLevel(market: Market, soldDay: number, lagDays: number): number {
  return lagDays > 0 && market.firstDay >= 0 ? levelOn(market, soldDay) : market.level;
}

/** `R = lambda_c sig2 + qa lag + P_v`, plus the chance of a mistaken record while the series is uncertain. */
export function saleNoise(
  card: CardState,
  grade: number,
  beliefVariance: number,
  lagDays: number,
  venueVariance: number,
  params: Params,
): number {
  const junk = beliefVariance > params.junkAboveVariance ? params.junkShare * params.junkVariance : 0;
  return (
    noiseRatio(card, card.game, grade, params) * params.saleVariance +
    params.levelVariancePerDay * lagDays +
    venueVariance +
    junk
  );
}

/**
 * The order of a card's sales of a day, by what they state: it depends neither on their ids nor on how a file lists them, nor on
 * the order in which the model first met their grades.
 */
export function saleOrder({ gradeKeys }: Pick<PriceModel, 'gradeKeys'>): (a: DaySale, b: DaySale) => number {
  return (a, b) =>
    compare(gradeKeys[a.grade]!, gradeKeys[b.grade]!) ||
    a.soldDay - b.soldDay ||
    a.priceUsdCents - b.priceUsdCents ||
    compare(a.venue, b.venue) ||
    a.source - b.source ||
    a.id - b.id;
}

/**
 * The order of the cards of a day, by the prices of their sales and how they were forecast. Of cards that are equal in all of that the
 * model learns the same in any order, but the first of them moves before it has learned from the other: the id decides, for the order
 * in which a database returns sales must not. Forecasts of a card are in the order of its sales.
 */
export function cardOrder({
  gradeKeys,
}: Pick<PriceModel, 'gradeKeys'>): (a: readonly Forecast[], b: readonly Forecast[]) => number {
  const compareSales = (a: Forecast, b: Forecast) =>
    a.price - b.price ||
    a.residual - b.residual ||
    a.variance - b.variance ||
    a.noise - b.noise ||
    a.stratum - b.stratum ||
    compare(gradeKeys[a.sale.grade]!, gradeKeys[b.sale.grade]!) ||
    compare(a.sale.venue, b.sale.venue);
  return (a, b) => {
    for (let i = 0; i < a.length && i < b.length; i++) {
      const order = compareSales(a[i]!, b[i]!);
      if (order !== 0) return order;
    }
    return a.length - b.length || compare(a[0]!.sale.card.id, b[0]!.sale.card.id);
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
