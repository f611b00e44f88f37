import { beliefOf, bringToDay, type CardState, cardTerms, gradeOfCard, newCard } from './card.ts';
import { rememberInSeries } from './fmv.ts';
import { type DaySale, saleNoise } from './forecast.ts';
import { levelOn, varianceOn } from './market.ts';
import type { PriceModel } from './model.ts';
import { updateCard } from './update.ts';

/** A sale of the card with the day whose close took it in. */
type PastSale = Omit<DaySale, 'card'> & { closedDay: number };

/**
 * The card's state had only `sales` happened: one of its sales was voided, the others are taken in again in their
 * old order, each against the market level published on its day. Curve, venues and ranges are today's; what the card
 * taught them stays. Null when no sale is left. Published days do not change.
 */
export function replayCard(model: PriceModel, card: CardState, sales: readonly PastSale[]): CardState | null {
  const ordered = [...sales].sort((a, b) => a.closedDay - b.closedDay || a.id - b.id);
  const first = ordered[0];
  if (first === undefined) return null;
  const { params } = model;
  const fresh = newCard(card.id, card.game, card.set, first.closedDay, params);
  for (const sale of ordered) takeInto(model, fresh, sale);
  return fresh;
}

/**
 * Section 2 steps 2, 4 and 6 for one card alone: a sale is taken in against the market as published on `closedDay`, and
 * nothing but the card learns from it.
 */
export function takeInto(model: PriceModel, card: CardState, sale: PastSale): void {
  const { params } = model;
  const { market } = card.game;
  const day = sale.closedDay;
  bringToDay(card, day, params);
  const venue = model.venues[sale.venue];
  const own = gradeOfCard(card, sale.grade);
  const { level, variance } = beliefOf(card, own, cardTerms(card, sale.grade));
  const lagDays = day - sale.soldDay;
  const detrended = Math.log(sale.priceUsdCents / 100) - levelOn(market, lagDays > 0 ? sale.soldDay : day);
  const price = detrended - venue.effect;
  const noise = saleNoise(card, variance, lagDays, venue.variance, params);
  const { soldDay, source } = sale;
  const seen = { price, noise, marketVariance: varianceOn(market, day), day, soldDay, source };
  const outcome = updateCard(card, sale.grade, seen, params);
  const after = gradeOfCard(card, sale.grade)!;
  rememberInSeries(after, { ...sale, card }, detrended, venue.effect, outcome, day, params);
  if (card.sales > 0 && !outcome.repeats) {
    card.noiseCount++;
    card.noiseSum += Math.min(8, (price - level) ** 2 / (variance + params.saleVariance));
  }
  card.sales++;
}
