import { describe, expect, test } from 'vitest';
import { type CardState, cardTerms, gradeOfCard, newCard } from '../../../src/pricing/model/card.ts';
import { believed, jointOf, type SeenSale } from '../../../src/pricing/model/joint.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';
import { updateCard } from '../../../src/pricing/model/update.ts';

const aSale = (price: number, more: Partial<SeenSale> = {}): SeenSale => {
  return { price, noise: 0.02, soldDay: 1, source: 0, ...more };
};
const t = (residual: number, variance: number) => Math.min(1, 6 / (5 + residual ** 2 / variance));

describe('the sales of a series on one day', () => {
  test('are one observation: their mean by weight and precision, as noisy as so many sales', () => {
    const sales = [aSale(5), aSale(5.3, { noise: 0.04 }), aSale(6)];
    const { price, noise, weights, weight } = jointOf(sales, 5, 0.01, PARAMS);
    const [a, b, c] = [1, t(0.3, 0.05), t(1, 0.03)] as const;
    expect(weights).toEqual([a, b, c].map((one) => expect.closeTo(one, 12)));
    const precision = a / 0.02 + b / 0.04 + c / 0.02;
    expect(noise).toBeCloseTo(1 / precision, 12);
    expect(price).toBeCloseTo(((a / 0.02) * 5 + (b / 0.04) * 5.3 + (c / 0.02) * 6) / precision, 12);
    expect(weight).toBeCloseTo((a * a + b * b + c * c) / (a + b + c), 12);
  });

  test('where there is one, are that sale with its own weight', () => {
    const { price, noise, weights, weight } = jointOf([aSale(6)], 5, 0.01, PARAMS);
    expect([price, weight]).toEqual([6, expect.closeTo(t(1, 0.03), 12)]);
    expect(weights).toEqual([weight]);
    expect(noise).toBeCloseTo(0.02 / weight, 12);
  });

  test('count whole where they are believed', () => {
    const { price, noise, weights, weight } = believed([aSale(5), aSale(7)]);
    expect([price, weights, weight]).toEqual([6, [1, 1], 1]);
    expect(noise).toBeCloseTo(0.01, 12);
  });
});

/** A card with these sales behind it, on day 0. */
function aCard(prices: readonly number[]) {
  const model = newModel(PARAMS);
  const card = newCard('card', gameOf(model, 'pokemon'), setOf(model, 'pokemon', 's1'), 0, PARAMS);
  const grade = gradeIndexOf(model, 'psa-9');
  const sees = (sales: readonly SeenSale[], marketVariance = 0) => {
    const outcome = updateCard(card, grade, { sales, marketVariance, day: 0 }, PARAMS);
    gradeOfCard(card, grade)!.sales += sales.length;
    card.sales += sales.length;
    return outcome;
  };
  for (const price of prices) sees([aSale(price)]);
  return { card, sees, terms: cardTerms(card, grade) };
}
const varianceOf = ({ P }: CardState) => P[0]! + 2 * P[1]! + P[3]!;

describe('a card', () => {
  const steady = Array<number>(10).fill(4.6);

  test('takes its first sales whole: they decide its level', () => {
    const { card, sees } = aCard([]);
    const { weights, surprise } = sees([aSale(11), aSale(12)], 0.001);
    expect(weights).toEqual([1, 1]);
    const { tauSquared } = aCard([]).terms;
    const open = PARAMS.firstLevelVariance + tauSquared;
    const residual = 11.5 - PARAMS.firstLevel;
    const step = ((open / (open + 0.011)) * residual * tauSquared) / open;
    expect(card.x[1]).toBeCloseTo(PARAMS.firstLevel + (open / (open + 0.011)) * residual, 10);
    expect(card.x[1]! - card.x[0]!).toBeCloseTo(step, 10);
    const sd = Math.sqrt(open + 0.001 + 0.02);
    expect(surprise).toBeCloseTo((11.5 - PARAMS.firstLevel) / sd, 10);
  });

  test('shares a surprise between its level and the noise, the market’s variance aside', () => {
    for (const off of [0.05, 0.35, 0.5, 0.9]) {
      const { card, sees } = aCard(steady);
      const [observed, level, P] = [varianceOf(card), card.x[1]!, [...card.P]];
      const gains = [P[0]! + P[1]!, P[1]! + P[3]!];
      const weight = t(off, observed + 0.003 + 0.02);
      const shared = 1 + (weight ** -0.6 - 1) * Math.min(1, (weight / 0.25) ** 2);
      const total = shared * observed + 0.02 / weight + 0.003;
      const outcome = sees([aSale(level + off)], 0.003);
      expect(outcome.weights[0]).toBeCloseTo(weight, 10);
      expect(card.x[1]! - level, `${off}`).toBeCloseTo((shared * observed * off) / total, 10);
      const isFar = off > 2.674 * Math.sqrt(observed + 0.023);
      const shrink = isFar ? 0 : shared ** 2 / total - (shared - 1) / observed;
      expect(card.P[0]).toBeCloseTo(P[0]! - gains[0]! ** 2 * shrink, 10);
      expect(card.P[1]).toBeCloseTo(P[1]! - gains[0]! * gains[1]! * shrink, 10);
      expect(card.P[3]).toBeCloseTo(P[3]! - gains[1]! ** 2 * shrink, 10);
    }
  });

  test('is as uncertain after a sale outside its 95% range as before it, and otherwise after one within', () => {
    for (const side of [-1, 1]) {
      for (const [sds, isWithin] of [
        [2.67, true],
        [2.68, false],
      ] as const) {
        const { card, sees } = aCard(steady);
        const [level, P] = [card.x[1]!, [...card.P]];
        sees([aSale(level + side * sds * Math.sqrt(varianceOf(card) + 0.02))]);
        expect(side * (card.x[1]! - level)).toBeGreaterThan(0.01);
        if (isWithin) expect([...card.P]).not.toEqual(P);
        else expect([...card.P]).toEqual(P);
      }
    }
  });

  test('moves by .35 of its sd at most for an unconfirmed sale farther than six times, not for one nearer', () => {
    const moved = (usual: readonly number[], off: number) => {
      const { card, sees } = aCard(usual);
      const [level, sd] = [card.x[1]!, Math.sqrt(varianceOf(card))];
      sees([aSale(level + off)]);
      return Math.abs(card.x[1]! - level) / sd;
    };
    const three = steady.slice(0, 3);
    for (const side of [-1, 1]) {
      expect(moved(three, side * (Math.log(6) + 1e-3))).toBeCloseTo(0.35, 10);
      expect(moved(three, side * (Math.log(6) - 1e-3))).toBeGreaterThan(0.36);
    }
  });

  test('calls a day an outlier only where its sales are outliers and so is their mean', () => {
    const { card, sees } = aCard(steady);
    const level = card.x[1]!;
    expect(aCard(steady).sees([aSale(level + 1), aSale(level + 1.1)]).outlier).toBe(true);
    // One ordinary sale among them: neither.
    expect(aCard(steady).sees([aSale(level), aSale(level + 1)]).outlier).toBe(false);
    // Far off on either side: their mean is where the level is.
    expect(sees([aSale(level - 1), aSale(level + 1)]).outlier).toBe(false);
  });

  test('believes outliers of one day that two sources report, unless they contradict each other', () => {
    const level = aCard(steady).card.x[1]!;
    const day = (second: number, source: number) => {
      const { card, sees } = aCard(steady);
      const outcome = sees([aSale(level + 1), aSale(level + second, { source })]);
      return { ...outcome, pending: card.grades[0]!.pending };
    };
    expect(day(1.1, 1)).toMatchObject({ weights: [1, 1], outlier: false, pending: null });
    expect(day(1.1, 0)).toMatchObject({ outlier: true, pending: { side: 1, reports: [65_536] } });
    // Each farther than 1.25 sd of a difference of two sales from their mean.
    const limit = 1.25 * Math.sqrt(2 * 0.02);
    expect(day(1 + 2.6 * limit, 1)).toMatchObject({ outlier: true, pending: { side: 1 } });
  });

  test('has its surprise as the mean over the day, each sale within 2.5 sd', () => {
    const { card, sees } = aCard(steady);
    const [level, sd] = [card.x[1]!, Math.sqrt(varianceOf(card) + 0.004 + 0.02)];
    const prices = [level - 9, level + sd, level + 2 * sd];
    expect(
      sees(
        prices.map((price) => aSale(price)),
        0.004,
      ).surprise,
    ).toBeCloseTo((-2.5 + 1 + 2) / 3, 10);
  });
});
