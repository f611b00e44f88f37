import type { GradeTerms } from './curve/curve.ts';
import type { Params } from './params.ts';

/**
 * What a price is made of. Given the weights of its sales, a level is linear in their log prices: an update adds
 * `gain * (price - level)` to each level. The influence of a sale, d ln(price) / d ln(price of the sale), follows by carrying
 * the levels' derivatives back through the updates.
 */

/** An update of a card by the sales of a grade on a day: how far each level moves for a residual of one. */
export type CardUpdate = {
  /** The day whose close took the sales in, that of the curve that is in force for it, and the card's level before it. */
  day: number;
  curveDay: number;
  cardLevel: number;
  grade: number;
  /** True for the card's first sale: what is before it does not count. */
  isFirst: boolean;
  gainOfCard: number;
  /** Of each grade with a level of its own, that of the update included; in the order of `grades`. */
  gains: number[];
  grades: number[];
  /** Shares of the sales in their mean, in the order of `saleOrder`; they add up to 1. */
  shares: number[];
};

/** The influence of an update's sales together on a price, and the update. */
export type Influence = { update: CardUpdate; influence: number };

/**
 * The influence of each update on the log price of a grade on a day when the card is at a level, newest first. `updates` rise by
 * day; `termsOn` gives a grade's terms on the curve of a day at a level. An update counts from the last first one on.
 */
export function influencesOn(
  updates: readonly CardUpdate[],
  { grade, day, cardLevel }: { grade: number; day: number; cardLevel: number },
  termsOn: (grade: number, day: number, cardLevel: number) => GradeTerms,
  params: Params,
): Influence[] {
  const influences: Influence[] = [];
  // Derivatives of the price by the level of the card and of each grade, at the moment reached: that of a quote, then of updates.
  let ofCard = 0;
  const ofGrades = new Map([[grade, 1]]);
  let [reached, curveDay, level] = [day, day, cardLevel];
  /** A level that is on the curve, or has returned to it by `share`, is the card's to that extent. */
  const toCard = (one: number, share: number) => {
    const derivative = ofGrades.get(one)!;
    ofCard += share * derivative * termsOn(one, curveDay, level).h;
    ofGrades.set(one, (1 - share) * derivative);
  };
  for (const update of updates.toReversed()) {
    const returned = 1 - Math.exp(-(reached - update.day) / params.deviationDays);
    for (const one of ofGrades.keys()) toCard(one, update.grades.includes(one) ? returned : 1);
    let influence = ofCard * update.gainOfCard;
    for (const [i, one] of update.grades.entries()) influence += (ofGrades.get(one) ?? 0) * update.gains[i]!;
    influences.push({ update, influence });
    if (update.isFirst) break;
    ofGrades.set(update.grade, (ofGrades.get(update.grade) ?? 0) - influence);
    ({ day: reached, curveDay, cardLevel: level } = update);
  }
  return influences;
}
