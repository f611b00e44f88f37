/**
 * Prices of grades that never sold, and of old sales, on real monthly guide prices (MINTMARK_TEST_DATA). Five times, the model walks through the guide prices of four fifths of the cards, as one
 * sale each a month. A card of the remaining fifth is given one price of one grade only:
 *   grades     another grade of it is forecast in the last month of the guide
 *   old price  the same grade is forecast twelve months later, from every month
 * Cards are held out singly, and then by whole sets: a set without a sale.
 */
import { mean, medianOfSorted } from '../../src/lib/stats.ts';
import { testData } from '../../test/support/test-data.ts';
import { type GuideCard, guideDays, readGuideCards } from './guide-prices.ts';
import { logPriceOf, soldOnce, walkGuide } from './guide-walk.ts';

const FOLDS = 5;
const OLD_MONTHS = 12;
const PAIRS = [
  { name: 'PSA 10 from PSA 9', from: 'psa-9', to: 'psa-10', aim: 21 },
  { name: 'PSA 10 from raw', from: 'raw-A', to: 'psa-10', aim: 21 },
  { name: 'PSA 9 from raw', from: 'raw-A', to: 'psa-9', aim: 15 },
] as const;
const OLD = { name: 'PSA 10, a year old', grade: 'psa-10', aim: 18.9 } as const;

/** ln(forecast / guide price) by name of the measure. */
type LogErrors = Map<string, number[]>;

/** Forecasts, MdAPE in % and bias (mean log error in %), with cards and with whole sets held out. */
export type GuideFigures = { name: string; aim: number; cards: Errors; sets: Errors };
type Errors = { forecasts: number; mdApePct: number; biasPct: number };

/** The cards of the guide, and how far forecasts of them are off; null without the test data. */
export function guideFigures(): { cards: number; figures: GuideFigures[] } | null {
  const path = testData('sales', 'monthly-guide-by-grade', 'card_market_history_pokemon.csv');
  if (path === null) return null;
  const cards = readGuideCards(path);
  const single = measure(cards, ({ id }) => id);
  const bySet = measure(cards, ({ set }) => set);
  const figures = [...PAIRS, OLD].map(({ name, aim }) => {
    return { name, aim, cards: errorsOf(single.get(name)!), sets: errorsOf(bySet.get(name)!) };
  });
  return { cards: cards.length, figures };
}

/** Errors over all folds; cards of one key are held out together. */
function measure(cards: readonly GuideCard[], keyOf: (card: GuideCard) => string): LogErrors {
  const errors: LogErrors = new Map([...PAIRS, OLD].map(({ name }) => [name, []]));
  for (let fold = 0; fold < FOLDS; fold++) {
    const heldOut = cards.filter((card) => foldOf(keyOf(card)) === fold);
    walkFold(
      cards.filter((card) => foldOf(keyOf(card)) !== fold),
      heldOut,
      guideDays(cards),
      errors,
    );
  }
  return errors;
}

function walkFold(
  known: readonly GuideCard[],
  heldOut: readonly GuideCard[],
  days: readonly number[],
  errors: LogErrors,
) {
  const lastDay = days.at(-1)!;
  /** By day: cards as they were sold then. */
  const sold = new Map<number, { guide: GuideCard; card: ReturnType<typeof soldOnce> }[]>();
  walkGuide(known, days, ({ model }, day) => {
    sold.set(
      day,
      heldOut.map((guide) => ({ guide, card: soldOnce(model, guide, OLD.grade, day) })),
    );
    for (const { guide, card } of sold.get(days[days.indexOf(day) - OLD_MONTHS]!) ?? []) {
      const price = guide.prices.get(OLD.grade)?.get(day);
      if (card === null || price === undefined) continue;
      errors.get(OLD.name)!.push(logPriceOf(model, card, OLD.grade) - Math.log(price));
    }
    if (day !== lastDay) return;
    for (const { name, from, to } of PAIRS) {
      for (const guide of heldOut) {
        const card = soldOnce(model, guide, from, day);
        const price = guide.prices.get(to)?.get(day);
        if (card !== null && price !== undefined) errors.get(name)!.push(logPriceOf(model, card, to) - Math.log(price));
      }
    }
  });
}

/** A number below FOLDS that depends on the text only (FNV-1a). */
function foldOf(text: string): number {
  let hash = 2_166_136_261;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619) >>> 0;
  return hash % FOLDS;
}

function errorsOf(logErrors: readonly number[]): Errors {
  const off = logErrors.map((error) => Math.abs(Math.expm1(error))).sort((a, b) => a - b);
  return { forecasts: off.length, mdApePct: 100 * medianOfSorted(off), biasPct: 100 * mean(logErrors) };
}
