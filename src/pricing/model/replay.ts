import { groupBy } from '../../lib/group-by.ts';
import { type CardState, newCard } from './card.ts';
import { type DaySale, forecastSale, saleOrder } from './forecast.ts';
import { levelOn, varianceOn } from './market.ts';
import type { PriceModel } from './model.ts';
import { type CloseWorld, takeSeries } from './series-close.ts';

/** A sale of the card. */
type OwnSale = Omit<DaySale, 'card'>;
/** With the day whose close took it in. */
type PastSale = OwnSale & { closedDay: number };

/**
 * The card's state had only `sales` happened: one of its sales was voided, the others are taken in again in their
 * old order, each against the market level published on its day. Curve, venues and ranges are today's; what the card
 * taught them stays. Null when no sale is left. Published days do not change.
 */
export function replayCard(model: PriceModel, card: CardState, sales: readonly PastSale[]): CardState | null {
  const ordered = [...sales].sort((a, b) => a.closedDay - b.closedDay);
  const first = ordered[0];
  if (first === undefined) return null;
  const { params } = model;
  const fresh = newCard(card.id, card.game, card.set, first.closedDay, params);
  for (const [day, ofDay] of groupBy(ordered, ({ closedDay }) => closedDay)) takeInto(model, fresh, ofDay, day);
  return fresh;
}

/**
 * Section 2 steps 2, 4, 6 and 7 for one card alone: sales are taken in against the market as published on the day of their
 * close, and nothing but the card learns from them.
 */
export function takeInto(model: PriceModel, card: CardState, sales: readonly OwnSale[], day: number): void {
  const { params, venues } = model;
  const { market } = card.game;
  const world: CloseWorld = {
    day,
    marketOf: ({ market }) => market,
    marketVariance: varianceOn(market, day),
    effectOf: ({ sale }) => venues[sale.venue].effect,
    params,
  };
  const ordered = sales.map((sale) => ({ ...sale, card })).sort(saleOrder(model));
  const forecasts = ordered.map((sale) => forecastSale(model, sale, day, levelOn(market, Math.min(sale.soldDay, day))));
  for (const ofGrade of groupBy(forecasts, ({ sale }) => sale.grade).values()) takeSeries(ofGrade, world);
}
