import { groupBy } from '../../lib/group-by.ts';
import { learnCoverage } from './calibration.ts';
import { type CardGrade, type CardState, gradeOfCard } from './card.ts';
import { type DaySale, type Forecast, forecastSale } from './forecast.ts';
import { addResidual, type CrossSection, closeMarket, predictMarket, updateMarket } from './market.ts';
import type { GameState, PriceModel } from './model.ts';
import type { Params } from './params.ts';
import { rememberSale } from './recent.ts';
import { type UpdateOutcome, updateCard } from './update.ts';
import { learnVenues } from './venue.ts';

/**
 * The close of a day (docs/methodology/pricing.md, section 2). The state after day D is a pure function of the state
 * after D-1 and of the set of sales that became known on D: they are taken game by game in order of name, within a game
 * in order of their ids.
 *
 *   1. predictMarket   the market's level and drift move on by a day
 *   2. forecast        every sale is forecast from the state at day open; ranges learn from how far it was off
 *   3. updateMarket    the market moves to what the day's sales say together; its level is kept for good
 *   4. updateCard      each sale moves its card, with the new market level (update.ts)
 *   5. learnVenues     two near sales of a series through different venues measure the difference of the venues (venue.ts)
 *   6. learnNoise      how noisy this card's sales are against its game's
 *   7. refitCurve      after the last day of a month only, by the caller (refit.ts)
 */

/** The weight of a sale, in (0, 1]. */
export type SaleUse = { saleId: number; weight: number };

/**
 * Closes `day`, which must follow the last closed one. `observe` is called with each forecast before anything is
 * learned from its sale. Returns the weight of every sale.
 */
export function closeDay(
  model: PriceModel,
  day: number,
  sales: readonly DaySale[],
  observe?: (forecast: Forecast) => void,
): SaleUse[] {
  if (model.day !== null && day !== model.day + 1) throw new RangeError(`day ${day} does not follow ${model.day}`);
  const byGame = groupBy(sales, ({ card }) => card.game.name);
  const uses: SaleUse[] = [];
  for (const name of [...model.games.keys()].sort()) {
    const game = model.games.get(name)!;
    const ordered = (byGame.get(name) ?? []).sort((a, b) => a.id - b.id);
    const begun = game.market.firstDay >= 0 || ordered.length > 0;
    if (begun) closeGame(model, game, day, ordered, uses, observe);
  }
  model.day = day;
  return uses;
}

function closeGame(
  model: PriceModel,
  game: GameState,
  day: number,
  sales: readonly DaySale[],
  uses: SaleUse[],
  observe: ((forecast: Forecast) => void) | undefined,
): void {
  const { params } = model;
  const { market } = game;
  // 1.
  if (market.firstDay >= 0) predictMarket(market, params);
  // 2.
  const seen: CrossSection = { precision: 0, weighted: 0 };
  const counted = new Set<CardState>();
  const forecasts: Forecast[] = [];
  for (const sale of sales) {
    const forecast = forecastSale(model, sale, day);
    forecasts.push(forecast);
    observe?.(forecast);
    if (forecast.cardSales > 0) {
      learnCoverage(model.calibration[forecast.stratum]!, Math.abs(forecast.residual) / Math.sqrt(forecast.total));
    }
    const speaks = forecast.lagDays === 0 && forecast.variance < params.marketBelowVariance && !counted.has(sale.card);
    if (speaks) {
      counted.add(sale.card);
      addResidual(seen, forecast.residual, forecast.variance + forecast.noise, market, params.nu);
    }
  }
  // 3.
  updateMarket(market, seen, params);
  closeMarket(market, day);
  // 4. to 6.
  for (const forecast of forecasts) uses.push(takeSale(model, forecast, day));
}

/** Steps 4 to 6 for one sale. */
function takeSale(model: PriceModel, forecast: Forecast, day: number): SaleUse {
  const { params } = model;
  const { sale } = forecast;
  const { card } = sale;
  const { game } = card;
  const venue = model.venues[sale.venue];
  const market = forecast.lagDays > 0 ? forecast.market : game.market.level;
  // 4.
  const outcome = updateCard(
    card,
    sale.grade,
    {
      price: forecast.price - venue.effect - market,
      noise: forecast.noise,
      marketVariance: game.market.p00,
      day,
      soldDay: sale.soldDay,
      source: sale.source,
    },
    params,
  );
  // 5.
  const own = gradeOfCard(card, sale.grade)!;
  const gapDays = day - own.lastDay;
  const { lastVenue } = own;
  const pair = lastVenue !== null && lastVenue !== sale.venue && gapDays <= params.venuePairDays;
  if (pair && !outcome.outlier && !own.lastOutlier) {
    learnVenues(venue, model.venues[lastVenue], forecast.price - market - own.lastPrice, gapDays, params);
  }
  rememberInSeries(own, sale, forecast.price - market, venue.effect, outcome, day, params);
  // 6.
  if (card.sales === 0) countFirstLevel(card);
  else if (!outcome.repeats) learnNoise(card, forecast, params);
  card.sales++;
  return { saleId: sale.id, weight: outcome.weight };
}

/** What the series keeps of a sale. `detrended` = log price less the market, the venue still in it. */
export function rememberInSeries(
  own: CardGrade,
  sale: DaySale,
  detrended: number,
  venueEffect: number,
  { weight, outlier, repeats }: UpdateOutcome,
  day: number,
  params: Params,
): void {
  const says = repeats ? 0 : weight;
  const fade = Math.exp(-(day - own.lastDay) / params.curveDays);
  own.weight = own.weight * fade + says;
  own.weightedPrice = own.weightedPrice * fade + says * (detrended - venueEffect);
  own.lastPrice = detrended;
  own.lastVenue = sale.venue;
  own.lastOutlier = outlier;
  own.sales++;
  own.lastDay = day;
  own.lastSoldAtMs = Math.max(own.lastSoldAtMs, sale.soldAtMs);
  rememberSale(own.recent, sale.soldDay, sale.source, day);
}

function learnNoise(card: CardState, forecast: Forecast, params: Params): void {
  const { game } = card;
  const square = Math.min(8, forecast.residual ** 2 / (forecast.variance + params.saleVariance));
  card.noiseCount++;
  card.noiseSum += square;
  game.noiseCount++;
  game.noiseMean += (square - game.noiseMean) / Math.min(20_000, 200 + game.noiseCount);
}

/** A card's first level joins the means that later cards of its set and game begin at. */
function countFirstLevel(card: CardState): void {
  const { game, set } = card;
  set.cards++;
  set.levelSum += card.x[0]!;
  game.meanLevelCards++;
  game.meanLevel += (card.x[0]! - game.meanLevel) / Math.min(game.meanLevelCards + 5, 5000);
}
