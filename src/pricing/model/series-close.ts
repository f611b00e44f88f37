import { type CardGrade, type CardState, gradeOfCard } from './card.ts';
import type { Forecast } from './forecast.ts';
import { gradeNoiseRatio, noiseHeard } from './noise.ts';
import type { Params } from './params.ts';
import { rememberSale } from './recent.ts';
import { type UpdateOutcome, updateCard } from './update.ts';

/** Of a close: the market that a sale is compared with, its variance, and what a venue adds. */
export type CloseWorld = {
  day: number;
  marketOf(forecast: Forecast): number;
  marketVariance: number;
  effectOf(forecast: Forecast): number;
  params: Params;
};

/**
 * Section 2 steps 4, 6 and 7 for the sales of one series that a close takes in, in the order of `saleOrder`: its card learns from
 * them.
 */
export function takeSeries(forecasts: readonly Forecast[], world: CloseWorld): UpdateOutcome {
  const { params, day } = world;
  const { card, grade } = forecasts[0]!.sale;
  const detrended = forecasts.map((forecast) => forecast.price - world.marketOf(forecast));
  const sales = forecasts.map((forecast, i) => ({
    price: detrended[i]! - world.effectOf(forecast),
    noise: forecast.noise,
    soldDay: forecast.sale.soldDay,
    source: forecast.sale.source,
  }));
  const outcome = updateCard(card, grade, { sales, marketVariance: world.marketVariance, day }, params);
  const own = gradeOfCard(card, grade)!;
  if (card.sales > 0) {
    learnVolatility(card, own, outcome.surprise);
    if (!outcome.repeats) learnCardNoise(card, forecasts, params);
  }
  remember(own, forecasts, detrended, outcome, world);
  card.sales += forecasts.length;
  return outcome;
}

function learnVolatility(card: CardState, own: CardGrade, surprise: number): void {
  if (own.surprise !== null) {
    card.pairCount++;
    card.pairSum += surprise * own.surprise;
  }
  own.surprise = surprise;
}

function learnCardNoise(card: CardState, forecasts: readonly Forecast[], params: Params): void {
  const usual = gradeNoiseRatio(card.game, forecasts[0]!.sale.grade, params);
  for (const { residual, variance, cardSales } of forecasts) {
    if (cardSales === 0) continue;
    card.noiseCount++;
    card.noiseSum += noiseHeard(residual, variance, usual, params) / usual;
  }
}

/** What the series keeps of the sales. `detrended` = log prices less the market, the venue still in them. */
function remember(
  own: CardGrade,
  forecasts: readonly Forecast[],
  detrended: readonly number[],
  { weights, outlier, repeats }: UpdateOutcome,
  world: CloseWorld,
): void {
  const { day, params } = world;
  const fade = Math.exp(-(day - own.lastDay) / params.curveDays);
  own.weight *= fade;
  own.weightedPrice *= fade;
  let [weightSum, priceSum] = [0, 0];
  for (const [i, forecast] of forecasts.entries()) {
    const { sale } = forecast;
    const weight = weights[i]!;
    weightSum += weight;
    priceSum += weight * detrended[i]!;
    const says = repeats ? 0 : weight;
    own.weight += says;
    own.weightedPrice += says * (detrended[i]! - world.effectOf(forecast));
    own.lastSoldAtMs = Math.max(own.lastSoldAtMs, sale.soldAtMs);
    rememberSale(own.recent, sale.soldDay, sale.source, day);
  }
  const { venue } = forecasts[0]!.sale;
  own.lastVenue = forecasts.every(({ sale }) => sale.venue === venue) ? venue : null;
  own.lastPrice = priceSum / weightSum;
  own.lastOutlier = outlier;
  own.sales += forecasts.length;
  own.lastDay = day;
}
