import { describe, expect, test } from 'vitest';
import { type CardState, cardTerms, gradeOfCard, newCard } from '../../../src/pricing/model/card.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';
import { type UpdateOutcome, updateCard } from '../../../src/pricing/model/update.ts';

const NOISE = 0.02;
const USUAL = Math.log(100);
/** Far enough from the usual price to be an outlier. */
const HIGH = Math.log(300);

type Seen = { day: number; source?: number; soldDay?: number; grade?: number; noise?: number };
type Outcome = Omit<UpdateOutcome, 'weights'> & { weight: number };

/** A card that has sold at $100 ten times, and its next sales. */
function settledCard(gradeKeys: readonly string[] = ['psa-10']) {
  const model = newModel(PARAMS);
  const card = newCard('card', gameOf(model, 'pokemon'), setOf(model, 'pokemon', 's1'), 0, PARAMS);
  const sees = (price: number, { day, source = 0, soldDay = day, grade = 0, noise = NOISE }: Seen): Outcome => {
    const sales = [{ price, noise, soldDay, source }];
    const { weights, ...outcome } = updateCard(card, grade, { sales, marketVariance: 0, day }, PARAMS);
    gradeOfCard(card, grade)!.sales++;
    card.sales++;
    return { ...outcome, weight: weights[0]! };
  };
  for (const key of gradeKeys) {
    const grade = gradeIndexOf(model, key);
    const { gamma, h } = cardTerms(card, grade);
    for (let i = 0; i < 10; i++) sees(grade === 0 ? USUAL : USUAL - gamma * h, { day: 0, grade });
  }
  return { card, sees, own: gradeOfCard(card, 0)! };
}

const levelOf = (card: CardState) => card.x[gradeOfCard(card, 0)!.slot]!;

describe('a sale far from the price', () => {
  test('is weighed by Student’s t, and one near it counts whole', () => {
    const { card, sees, own } = settledCard();
    const { P, size } = card;
    const variance = P[0]! + 2 * P[own.slot]! + P[own.slot * size + own.slot]!;
    const residual = HIGH - levelOf(card);
    const expected = 6 / (5 + residual ** 2 / (variance + NOISE));
    const unusual = { weight: expect.closeTo(expected, 12), outlier: true, repeats: false, surprise: 2.5 };
    expect(sees(HIGH, { day: 1 })).toEqual(unusual);
    const settled = settledCard();
    const surprise = (USUAL + 0.01 - levelOf(settled.card)) / Math.sqrt(variance + NOISE);
    const near = { weight: 1, outlier: false, repeats: false, surprise: expect.closeTo(surprise, 12) };
    expect(settled.sees(USUAL + 0.01, { day: 1 })).toEqual(near);
  });

  test('waits with its side, its price and who reported it when', () => {
    const { sees, own } = settledCard();
    sees(HIGH, { day: 7, source: 3, soldDay: 5 });
    expect(own.pending).toEqual({ day: 7, side: 1, price: HIGH, reports: [5 * 65_536 + 3] });
    sees(Math.log(20), { day: 8, source: 4 });
    expect(own.pending).toEqual({ day: 8, side: -1, price: Math.log(20), reports: [8 * 65_536 + 4] });
  });

  test('that repeats a waiting one of the same source teaches nothing', () => {
    const { card, sees, own } = settledCard();
    sees(HIGH, { day: 1 });
    const [x, P] = [[...card.x], [...card.P]];
    expect(sees(HIGH, { day: 2 })).toMatchObject({ outlier: true, repeats: true });
    expect([[...card.x], [...card.P]]).toEqual([x, P]);
    expect(own.pending!.reports).toEqual([1 * 65_536, 2 * 65_536]);
    expect(sees(HIGH, { day: 2 })).toMatchObject({ repeats: true });
    expect(own.pending!.reports).toHaveLength(2);
  });
});

test('a sale of another grade leaves the card alone but for its level where a grade has no place', () => {
  const [one, other] = [settledCard(), settledCard()];
  other.card.grades.push({ ...other.own, grade: 1, slot: 0 });
  for (const { sees } of [one, other]) sees(USUAL + 0.1, { day: 1 });
  expect([...other.card.x]).toEqual([...one.card.x]);
});

test('a grade begins with nothing but its first sale', () => {
  const { card, sees } = settledCard();
  sees(USUAL, { day: 3, grade: 1 });
  expect(gradeOfCard(card, 1)).toMatchObject({ lastDay: 3, weight: 0, lastOutlier: false, pending: null, recent: [] });
});

describe('two sales far from the price on the same side', () => {
  const first = { day: 1 };
  const second = (price: number, seen: Seen) => {
    const settled = settledCard();
    settled.sees(HIGH, first);
    return { ...settled.sees(price, seen), level: levelOf(settled.card), pending: settled.own.pending };
  };

  test('of two sources are believed: the second counts whole and the price follows', () => {
    const { weight, outlier, repeats, level, pending } = second(HIGH, { day: 2, source: 1 });
    expect([weight, outlier, repeats, pending]).toEqual([1, false, false, null]);
    expect(level).toBeGreaterThan((USUAL + 3 * HIGH) / 4);
  });

  test('of one source are believed when they were sold on three days', () => {
    const { sees } = settledCard();
    sees(HIGH, first);
    expect(sees(HIGH, { day: 2 }).repeats).toBe(true);
    expect(sees(HIGH, { day: 2 }).repeats).toBe(true);
    expect(sees(HIGH, { day: 3 })).toEqual({ weight: 1, outlier: false, repeats: false, surprise: 2.5 });
  });

  test('are believed within 180 days of each other, not later', () => {
    expect(second(HIGH, { day: 181, source: 1 }).weight).toBe(1);
    expect(second(HIGH, { day: 182, source: 1 })).toMatchObject({ outlier: true, repeats: false });
  });

  test('agree when they are within 2.5 sd of the difference of two sales', () => {
    const limit = 2.5 * Math.sqrt(2 * NOISE);
    const higher = Math.log(1000);
    for (const side of [-1, 1]) {
      for (const [off, agrees] of [
        [limit - 1e-6, true],
        [limit + 1e-6, false],
      ] as const) {
        const { sees } = settledCard();
        sees(higher, first);
        const { outlier } = sees(higher + side * off, { day: 2, source: 1 });
        expect(outlier, `${side * off}`).toBe(!agrees);
      }
    }
  });

  test('say together that it is at least as far as the nearer: the farther one moves it so far beyond as they may differ', () => {
    const reach = 2.5 * Math.sqrt(2 * NOISE);
    const { sees, card } = settledCard();
    sees(HIGH, first);
    // Of another source, but too far from the first to confirm its price.
    expect(sees(HIGH + 3, { day: 2, source: 1 })).toMatchObject({ outlier: true, repeats: true });
    const { outlier, weight } = sees(HIGH + 9, { day: 3, source: 1 });
    expect([outlier, weight]).toEqual([false, 1]);
    expect(levelOf(card)).toBeGreaterThan(HIGH + reach);
    expect(levelOf(card)).toBeLessThan(HIGH + 2 * reach);
  });

  test('on different sides do not agree, however wide their noise', () => {
    const { sees } = settledCard();
    sees(HIGH, first);
    expect(sees(2 * USUAL - HIGH, { day: 2, source: 1, noise: 0.12 }).repeats).toBe(false);
  });

  test('are forgotten when an ordinary sale comes between, and kept when that one is doubtful', () => {
    const { sees, own } = settledCard();
    sees(HIGH, first);
    sees(USUAL, { day: 2 });
    expect(own.pending).toBeNull();
    const doubtful = settledCard();
    doubtful.sees(HIGH, first);
    const weight = doubtful.sees(levelOf(doubtful.card) + 0.5, { day: 2 }).weight;
    expect(weight).toBeGreaterThan(PARAMS.outlierWeight);
    expect(weight).toBeLessThan(PARAMS.settledWeight);
    expect(doubtful.own.pending).toMatchObject({ day: 1, price: HIGH });
  });
});

test.each([
  [['psa-10'], 0.8],
  [['psa-10', 'psa-9'], 0.5],
])('a believed jump of a card that sold in %j opens its level by %d of the squared residual', (keys, share) => {
  const { card, sees, own } = settledCard(keys);
  sees(HIGH, { day: 1 });
  const { P, size, x } = card;
  const i = own.slot;
  const residual = HIGH - x[i]!;
  const a = P[0]! + share * residual ** 2;
  const b = P[i * size + i]! + (1 - share) * residual ** 2;
  const covariance = P[i]!;
  const total = a + 2 * covariance + b + NOISE;
  const [before, level] = [x[0]!, x[i]!];
  sees(HIGH, { day: 2, source: 1 });
  expect(card.x[0]! - before).toBeCloseTo(((a + covariance) * residual) / total, 10);
  expect(card.x[i]! - level).toBeCloseTo(((a + 2 * covariance + b) * residual) / total, 10);
  expect(card.P[0]!).toBeCloseTo(a - (a + covariance) ** 2 / total, 10);
  expect(card.P[i * size + i]!).toBeCloseTo(b - (b + covariance) ** 2 / total, 10);
});
