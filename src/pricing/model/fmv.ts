import { groupBy } from '../../lib/group-by.ts';
import { learnCoverage } from './calibration.ts';
import { type CardState, gradeOfCard } from './card.ts';
import { cardOrder, type DaySale, type Forecast, forecastSale, saleOrder } from './forecast.ts';
import { addCard, type CrossSection, closeMarket, predictMarket, updateMarket } from './market.ts';
import type { GameState, PriceModel } from './model.ts';
import { gradeNoiseRatio, learnGameNoise, noiseHeard } from './noise.ts';
import { VENUE_CLASSES, type VenueClass } from './params.ts';
import { type CloseWorld, takeSeries } from './series-close.ts';
import { learnVenues } from './venue.ts';

/**
 * The close of a day (docs/methodology/pricing.md, section 2). The state after day D is a pure function of the state
 * after D-1 and of the set of sales that became known on D: neither their ids nor the order of a file change it, nor the ids
 * of cards, except which of two moves first that tie in everything.
 *
 *   1. predictMarket   the market's level and drift move on by a day
 *   2. forecast        every sale is forecast from the state at day open; ranges learn from how far it was off
 *   3. updateMarket    the market moves to what the day's cards state together; its level is kept for good
 *   4. updateCard      the sales of a series move its card, as one observation, with the new market level (update.ts)
 *   5. learnVenues     two near days of a series through different venues measure the difference of the venues (venue.ts)
 *   6. noise           how noisy sales are, of this game, grade and card (noise.ts)
 *   7. volatility      how fast this card moves (series.ts)
 *   8. refitCurve      after the last day of a month only, by the caller (refit.ts)
 */

/** The weight of a sale of an item, in (0, 1]. */
export type SaleUse = { itemId: string; saleId: number; weight: number };

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
  const begun = [...model.games.keys()].sort().flatMap((name) => {
    const game = model.games.get(name)!;
    const ofGame = byGame.get(name) ?? [];
    return game.market.firstDay >= 0 || ofGame.length > 0 ? [{ game, sales: ofGame }] : [];
  });
  // All games are forecast before any of them teaches the others what venues add.
  const opened = begun.map(({ game, sales }) => ({ game, cards: openGame(model, game, day, sales, observe) }));
  const effects = new Map(VENUE_CLASSES.map((venue) => [venue, model.venues[venue].effect]));
  const uses: SaleUse[] = [];
  for (const { game, cards } of opened) closeGame(model, game, day, cards, effects, uses);
  model.day = day;
  return uses;
}

/** Steps 1 and 2: the forecasts of a game's sales, card by card. */
function openGame(
  model: PriceModel,
  { market }: GameState,
  day: number,
  sales: readonly DaySale[],
  observe: ((forecast: Forecast) => void) | undefined,
): Forecast[][] {
  const { params } = model;
  // 1.
  if (market.firstDay >= 0) predictMarket(market, params);
  // 2.
  const ofCards = [...groupBy(sales, ({ card }) => card).values()];
  const order = saleOrder(model);
  const cards = ofCards.map((ofCard) => ofCard.sort(order).map((sale) => forecastSale(model, sale, day)));
  cards.sort(cardOrder(model));
  for (const forecasts of cards) {
    for (const forecast of forecasts) {
      observe?.(forecast);
      if (forecast.cardSales > 0) {
        learnCoverage(model.calibration, forecast, Math.abs(forecast.residual) / Math.sqrt(forecast.total));
      }
    }
  }
  return cards;
}

/** Steps 3 to 7. */
function closeGame(
  model: PriceModel,
  { market }: GameState,
  day: number,
  cards: readonly Forecast[][],
  effects: ReadonlyMap<VenueClass, number>,
  uses: SaleUse[],
): void {
  const { params } = model;
  // 3.
  const seen: CrossSection = { precision: 0, weighted: 0 };
  for (const forecasts of cards) {
    const heard = forecasts.filter(({ lagDays, variance }) => lagDays === 0 && variance < params.marketBelowVariance);
    addCard(seen, heard, market, params.nu);
  }
  updateMarket(market, seen, params);
  closeMarket(market, day);
  // 4. to 7.
  const world: CloseWorld = {
    day,
    marketOf: (forecast) => (forecast.lagDays > 0 ? forecast.market : market.level),
    marketVariance: market.p00,
    effectOf: ({ sale }) => effects.get(sale.venue)!,
    params,
  };
  for (const forecasts of cards) {
    for (let from = 0; from < forecasts.length; ) {
      const { grade } = forecasts[from]!.sale;
      let to = from + 1;
      while (to < forecasts.length && forecasts[to]!.sale.grade === grade) to++;
      closeSeries(model, forecasts.slice(from, to), world, uses);
      from = to;
    }
  }
}

/** Steps 4 to 7 for the sales of one series. */
function closeSeries(model: PriceModel, forecasts: readonly Forecast[], world: CloseWorld, uses: SaleUse[]): void {
  const { params } = model;
  const { card, grade } = forecasts[0]!.sale;
  const isFirst = card.sales === 0;
  const own = gradeOfCard(card, grade);
  const before = own && { venue: own.lastVenue, price: own.lastPrice, outlier: own.lastOutlier, day: own.lastDay };
  // 4., and 6. and 7. for the card.
  const { weights, outlier, repeats } = takeSeries(forecasts, world);
  // 5.
  for (const forecast of forecasts) {
    const { venue } = forecast.sale;
    if (!before || before.venue === null || before.venue === venue || before.outlier || outlier) continue;
    const gapDays = world.day - before.day;
    if (gapDays > params.venuePairDays) continue;
    const difference = forecast.price - world.marketOf(forecast) - before.price;
    learnVenues(model.venues[venue], model.venues[before.venue], difference, gapDays, params);
  }
  // 6.
  if (isFirst) countFirstLevel(card);
  const usual = gradeNoiseRatio(card.game, grade, params);
  for (const { residual, variance, cardSales } of repeats ? [] : forecasts) {
    // A card that never sold before this day was not forecast: its level is wide open.
    if (cardSales > 0) learnGameNoise(card.game, grade, noiseHeard(residual, variance, usual, params), params);
  }
  for (const [i, { sale }] of forecasts.entries()) uses.push({ itemId: card.id, saleId: sale.id, weight: weights[i]! });
}

/** A card's first level joins the means that later cards of its set and game begin at. */
function countFirstLevel(card: CardState): void {
  const { game, set } = card;
  set.cards++;
  set.levelSum += card.x[0]!;
  game.meanLevelCards++;
  game.meanLevel += (card.x[0]! - game.meanLevel) / Math.min(game.meanLevelCards + 5, 5000);
}
