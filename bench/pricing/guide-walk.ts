import { isMonthEnd } from '../../src/lib/day.ts';
import { beliefOf, bringToDay, type CardState, cardTerms, gradeOfCard, newCard } from '../../src/pricing/model/card.ts';
import { refitCurves } from '../../src/pricing/model/curve/refit.ts';
import { closeDay } from '../../src/pricing/model/fmv.ts';
import { gameOf, gradeIndexOf, newModel, type PriceModel, setOf } from '../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS, REFERENCE_VENUE } from '../../src/pricing/model/params.ts';
import { takeInto } from '../../src/pricing/model/replay.ts';
import type { GuideCard } from './guide-prices.ts';

/** Guide prices of cards, closed day by day by the service's own model as one sale each, at the first of the month. */
export type GuideWalk = { model: PriceModel; cards: Map<string, CardState> };

const GAME = 'pokemon';

/** Closes `firstDay` to `lastDay` with the prices of `cards`; `observe` is called after each day that has prices. */
export function walkGuide(
  cards: readonly GuideCard[],
  days: readonly number[],
  observe: (walk: GuideWalk, day: number) => void,
): void {
  const walk: GuideWalk = { model: newModel(DEFAULT_PARAMS), cards: new Map() };
  const { model } = walk;
  const priced = new Set(days);
  const [firstDay, lastDay] = [days[0]!, days.at(-1)!];
  let id = 1;
  for (let day = firstDay; day <= lastDay; day++) {
    const sales = cards.flatMap((guide) =>
      pricesOn(guide, day).map(({ grade, priceUsd }) => {
        const card = walk.cards.get(guide.id) ?? cardOf(model, guide, day);
        walk.cards.set(guide.id, card);
        return { id: id++, card, ...saleOf(model, grade, priceUsd, day) };
      }),
    );
    closeDay(model, day, sales);
    if (isMonthEnd(day)) refitCurves(model, walk.cards.values());
    if (priced.has(day)) observe(walk, day);
  }
}

/** A card of its own that the model has learned nothing from, at its only sale: the guide's price of a grade on a day. */
export function soldOnce(model: PriceModel, guide: GuideCard, grade: string, day: number): CardState | null {
  const priceUsd = guide.prices.get(grade)?.get(day);
  if (priceUsd === undefined) return null;
  const card = cardOf(model, guide, day);
  // Its set has sold: the next refit gives it what sets of its age add.
  card.set.cards ||= 1;
  takeInto(model, card, [{ id: 0, ...saleOf(model, grade, priceUsd, day) }], day);
  return card;
}

/** Log price in dollars of a grade of the card on the model's last closed day. */
export function logPriceOf(model: PriceModel, card: CardState, gradeKey: string): number {
  const grade = gradeIndexOf(model, gradeKey);
  bringToDay(card, model.day!, model.params);
  return card.game.market.level + beliefOf(card, gradeOfCard(card, grade), cardTerms(card, grade)).level;
}

function pricesOn({ prices }: GuideCard, day: number): { grade: string; priceUsd: number }[] {
  return [...prices].flatMap(([grade, byDay]) => {
    const priceUsd = byDay.get(day);
    return priceUsd === undefined ? [] : [{ grade, priceUsd }];
  });
}

function cardOf(model: PriceModel, { id, set, year }: GuideCard, day: number): CardState {
  return newCard(id, gameOf(model, GAME), setOf(model, GAME, set, year), day, model.params);
}

function saleOf(model: PriceModel, gradeKey: string, priceUsd: number, day: number) {
  const cents = Math.max(1, Math.round(100 * priceUsd));
  const fixed = { soldDay: day, soldAtMs: 0, venue: REFERENCE_VENUE, source: 0 };
  return { grade: gradeIndexOf(model, gradeKey), priceUsdCents: cents, ...fixed };
}
