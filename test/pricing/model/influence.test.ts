import { describe, expect, test } from 'vitest';
import { termsOf } from '../../../src/pricing/model/curve/curve.ts';
import { influencesOn } from '../../../src/pricing/model/influence.ts';
import { gradeIndexOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS, type Params } from '../../../src/pricing/model/params.ts';
import { drive, type ReportedSale } from '../world.ts';

/** Weights of 1, noise and volatility that learn nothing, no market: every price is linear in the logs of its sales. */
const LINEAR: Params = {
  ...DEFAULT_PARAMS,
  nu: 1e15,
  noiseMax: 0,
  surpriseReach: 0,
  marketBelowVariance: -1,
  venueSd: 0,
};

const CARD = 'card';
const sale = (day: number, grade: string, usd: number, more: Partial<ReportedSale> = {}): ReportedSale => {
  return { card: CARD, day, grade, usd, ...more };
};
// Large prices: they are whole cents.
const SALES = [
  sale(0, 'psa-9', 10000000),
  sale(5, 'psa-10', 30000000),
  sale(5, 'psa-10', 34000000, { source: 1 }),
  sale(5, 'psa-9', 11000000),
  sale(40, 'psa-8', 8000000),
  sale(400, 'psa-9', 15000000, { venue: 'shop' }),
  sale(401, 'psa-10', 50000000),
  sale(700, 'psa-10', 45000000),
  sale(700, 'psa-8', 9000000),
];
const DAY = 760;

/** By grade and day, the influences of the sales on the price of a grade, in the order of `saleOrder`, and the sum. */
function influencesOf(sales: readonly ReportedSale[], grade: string, params: Params = DEFAULT_PARAMS) {
  const { cards, model } = drive(sales, DAY, params);
  const { updates, game, set, x } = cards.get(CARD)!;
  const of = new Map<string, number[]>();
  const terms = (one: number, _: number, level: number) => termsOf(game.curve, set.deltas, one, level);
  for (const { update, influence } of influencesOn(
    updates,
    { grade: gradeIndexOf(model, grade), day: DAY, cardLevel: x[0]! },
    terms,
    params,
  )) {
    const key = `${model.gradeKeys[update.grade]} ${update.day}`;
    of.set(
      key,
      update.shares.map((share) => share * influence),
    );
  }
  const total = [...of.values()].flat().reduce((sum, one) => sum + one, 0);
  return { of, total };
}

test.each(['psa-9', 'psa-10', 'psa-8', 'bgs-9-5'])(
  'the influence of a sale on the price of %s is the derivative of its log price by that of the sale',
  (grade) => {
    const { of } = influencesOf(SALES, grade, LINEAR);
    const mean = (sales: readonly ReportedSale[]) => drive(sales, DAY, LINEAR).quote(CARD, grade)!.mean;
    const step = 0.01;
    for (const one of SALES) {
      const moved = SALES.map((other) => (other === one ? { ...other, usd: other.usd * Math.exp(step) } : other));
      const place = SALES.filter((other) => other.day === one.day && other.grade === one.grade).indexOf(one);
      const influence = of.get(`${one.grade} ${one.day}`)![place]!;
      expect(influence, `${one.grade} ${one.day}`).toBeCloseTo((mean(moved) - mean(SALES)) / step, 5);
    }
  },
);

describe('influences', () => {
  test('add up to nearly one, less with the years: the rest is what set and game say', () => {
    const { total, of } = influencesOf(SALES, 'psa-10');
    expect(total).toBeGreaterThan(0.9);
    expect(total).toBeLessThan(1.001);
    const own = [...of].filter(([key]) => key.startsWith('psa-10')).flatMap(([, shares]) => shares);
    expect(own.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.7);
    expect(of.get('psa-10 700')![0]).toBeGreaterThan(of.get('psa-10 5')![0]!);
  });

  test('a repetition of an outlier has none, and an outlier less than the others', () => {
    const sales = [
      ...Array.from({ length: 8 }, (_, i) => sale(10 * i, 'psa-9', 10_000_000)),
      sale(81, 'psa-9', 100_000_000),
      sale(82, 'psa-9', 100_000_000),
    ];
    const { of } = influencesOf(sales, 'psa-9');
    expect(of.get('psa-9 81')![0]).toBeLessThan(of.get('psa-9 70')![0]!);
    expect(of.has('psa-9 82')).toBe(false);
  });

  test('begin with the first sale that counts: what was before a replay does not', () => {
    const { cards, model } = drive(SALES, DAY);
    const { updates, game, set, x } = cards.get(CARD)!;
    const terms = (one: number, _: number, level: number) => termsOf(game.curve, set.deltas, one, level);
    const grade = gradeIndexOf(model, 'psa-9');
    const again = [...updates, ...updates];
    const count = (list: typeof updates) =>
      influencesOn(list, { grade, day: DAY, cardLevel: x[0]! }, terms, DEFAULT_PARAMS);
    expect(count(again)).toEqual(count(updates));
  });
});
