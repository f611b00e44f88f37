import { stratumOf } from './calibration.ts';
import { beliefOf, bringToDay, type CardState, cardTerms, gradeOfCard } from './card.ts';
import { levelOn } from './market.ts';
import type { PriceModel } from './model.ts';
import type { Params, VenueClass } from './params.ts';

/** Section 2 step 2: each sale of a day against the state at day open. */

/** An accepted sale that became known on the day being closed. */
export type DaySale = {
  /** Order within the day. */
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
};

/** Step 2: `r = y - s_v - m - l` and its variance. A late sale is compared with the market of its own day. */
export function forecastSale(model: PriceModel, sale: DaySale, day: number): Forecast {
  const { params } = model;
  const { card } = sale;
  const { market } = card.game;
  bringToDay(card, day, params);
  const own = gradeOfCard(card, sale.grade);
  const { level, variance } = beliefOf(card, own, cardTerms(card, sale.grade));
  const lagDays = day - sale.soldDay;
  const marketLevel = lagDays > 0 && market.firstDay >= 0 ? levelOn(market, sale.soldDay) : market.level;
  const venue = model.venues[sale.venue];
  const noise = saleNoise(card, variance, lagDays, venue.variance, params);
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
    total: variance + noise + market.p00,
    cardSales: card.sales,
    ownSales: own?.sales ?? 0,
    stratum: stratumOf(own?.sales ?? 0, own === undefined ? 0 : day - own.lastDay),
  };
}

/** `R = lambda_c sig2 + qa lag + P_v`, plus the chance of a mistaken record while the series is uncertain. */
export function saleNoise(
  card: CardState,
  beliefVariance: number,
  lagDays: number,
  venueVariance: number,
  params: Params,
): number {
  const junk = beliefVariance > params.junkAboveVariance ? params.junkShare * params.junkVariance : 0;
  return (
    noiseRatio(card, card.game.noiseMean, params) * params.saleVariance +
    params.levelVariancePerDay * lagDays +
    venueVariance +
    junk
  );
}

/** Step 6 lambda: this card's noise over its game's, shrunk to 1. */
export function noiseRatio(
  card: Pick<CardState, 'noiseSum' | 'noiseCount'>,
  gameNoiseMean: number,
  params: Params,
): number {
  return (params.noisePseudoSales + card.noiseSum / gameNoiseMean) / (params.noisePseudoSales + card.noiseCount);
}
