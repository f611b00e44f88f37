import { describe, expect, test } from 'vitest';
import {
  beliefOf,
  bringToDay,
  type CardGrade,
  cardTerms,
  gradeOfCard,
  newCard,
  slotOf,
} from '../../../src/pricing/model/card.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';

const MOST = PARAMS.gradesMax;

function aCard(day = 0) {
  const model = newModel(PARAMS);
  const card = newCard('card', gameOf(model, 'pokemon'), setOf(model, 'pokemon', 's1'), day, PARAMS);
  /** A grade of the card that last sold on a day, with a slot. */
  const sold = (key: string, lastDay: number): CardGrade => {
    const own = { grade: gradeIndexOf(model, key), slot: 0, lastDay, before: null } as unknown as CardGrade;
    card.grades.push(own);
    slotOf(card, own, cardTerms(card, own.grade), PARAMS);
    return own;
  };
  return { model, card, sold };
}

test('a card begins without a sale, at the mean of its game, and near that of its set once the set has cards', () => {
  const { model, card } = aCard(7);
  expect(card).toMatchObject({
    day: 7,
    size: 1,
    sales: 0,
    noiseCount: 0,
    noiseSum: 0,
    pairCount: 0,
    pairSum: 0,
    grades: [],
  });
  expect([...card.x, ...card.P]).toEqual([PARAMS.firstLevel, PARAMS.firstLevelVariance]);
  const set = Object.assign(setOf(model, 'pokemon', 's1'), { cards: 15, levelSum: 15 * 5 });
  const next = newCard('next', gameOf(model, 'pokemon'), set, 7, PARAMS);
  expect(next.x[0]).toBeCloseTo(0.75 * 5 + 0.25 * PARAMS.firstLevel, 12);
});

describe('the slots of a card', () => {
  test('are one for each grade that sold, on the curve with the spread of the grade, and stay', () => {
    const { card, sold } = aCard();
    const ten = sold('psa-10', 1);
    const nine = sold('psa-9', 2);
    expect([card.size, ten.slot, nine.slot]).toEqual([3, 1, 2]);
    expect(slotOf(card, ten, cardTerms(card, ten.grade), PARAMS)).toBe(1);
    expect(card.size).toBe(3);
    const terms = cardTerms(card, ten.grade);
    expect(card.x[1]).toBeCloseTo(terms.gamma + terms.h * card.x[0]!, 12);
    expect([card.P[0], card.P[4], card.P[8]]).toEqual([
      PARAMS.firstLevelVariance,
      terms.tauSquared,
      cardTerms(card, nine.grade).tauSquared,
    ]);
    expect([1, 2, 3, 5, 6, 7].map((i) => card.P[i])).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test(`are ${MOST} at most: the grade longest untraded gives its place, the others keep level and covariance`, () => {
    const { card, sold } = aCard();
    // The third and a later one sold longest ago on the same day: the first of them goes.
    const grades = Array.from({ length: MOST }, (_, i) => sold(`psa-${i + 1}`, i === 2 || i === 6 ? 1 : 10 + i));
    expect(card.size).toBe(MOST + 1);
    const marks = grades.map(({ slot }) => {
      card.x[slot] = 100 + slot;
      card.P[slot] = card.P[slot * card.size] = 200 + slot;
      card.P[slot * card.size + slot] = 300 + slot;
      return slot;
    });
    const last = sold('bgs-9', 99);
    expect([card.size, last.slot]).toEqual([MOST + 1, MOST]);
    expect(grades.map(({ slot }) => slot)).toEqual(marks.map((slot, i) => (i === 2 ? 0 : i > 2 ? slot - 1 : slot)));
    grades.forEach(({ slot }, i) => {
      if (i === 2) return;
      const { x, P, size } = card;
      const held = [x[slot], P[slot], P[slot * size], P[slot * size + slot]];
      expect(held, `grade ${i}`).toEqual([101 + i, 201 + i, 201 + i, 301 + i]);
    });
    expect([card.x.length, card.P.length]).toEqual([MOST + 1, (MOST + 1) ** 2]);
    // The next one that has no place has to give way to the other of that day, not to the one without a place.
    sold('cgc-9', 100);
    expect([grades[2]!.slot, grades[6]!.slot]).toEqual([0, 0]);
    expect(new Set(card.grades.map(({ slot }) => slot)).size).toBe(MOST + 1);
  });
});

describe('time', () => {
  test('returns deviations to the curve and widens what is known; a day reached already changes nothing', () => {
    const { card, sold } = aCard();
    const own = sold('psa-10', 0);
    const terms = cardTerms(card, own.grade);
    const onCurve = terms.gamma + terms.h * card.x[0]!;
    card.x[1] = onCurve + 0.4;
    card.P[1] = card.P[2] = 0.01;
    const before = [card.P[0]!, card.P[3]!];
    for (const day of [0, -3]) {
      bringToDay(card, day, PARAMS);
      expect([card.day, card.x[1], card.P[1]]).toEqual([0, onCurve + 0.4, 0.01]);
    }
    bringToDay(card, 500, PARAMS);
    const phi = Math.exp(-500 / PARAMS.deviationDays);
    expect(card.day).toBe(500);
    expect(card.x[1]).toBeCloseTo(onCurve + phi * 0.4, 12);
    // A card without a sale yet wanders twice as fast as one with many.
    expect(card.P[0]).toBeCloseTo(before[0]! + 500 * 2 * PARAMS.levelVariancePerDay, 12);
    expect(card.P[1]).toBeCloseTo(phi * 0.01, 12);
    expect(card.P[2]).toBeCloseTo(phi * 0.01, 12);
    const walked = 500 * 2 * PARAMS.gradeVariancePerDay;
    expect(card.P[3]).toBeCloseTo(phi ** 2 * before[1]! + terms.tauSquared * (1 - phi ** 2) + walked, 12);
  });

  test('leaves alone a grade that has given its place away', () => {
    const { card, sold } = aCard();
    const own = sold('psa-10', 0);
    const gone = { grade: own.grade, slot: 0, lastDay: 0, before: null } as unknown as CardGrade;
    card.grades.push(gone);
    bringToDay(card, 10, PARAMS);
    expect(card.x[0]).toBe(PARAMS.firstLevel);
    expect(card.P[0]).toBeCloseTo(PARAMS.firstLevelVariance + 10 * 2 * PARAMS.levelVariancePerDay, 12);
  });
});

test('a grade without a place is believed on the curve with its spread; one with a place by its own variance', () => {
  const { card, sold } = aCard();
  const own = sold('psa-10', 0);
  card.P[1] = card.P[2] = -0.02;
  const terms = { gamma: 1, h: 2, tauSquared: 0.3 };
  expect(beliefOf(card, undefined, terms)).toEqual({
    level: 1 + 2 * PARAMS.firstLevel,
    variance: 4 * PARAMS.firstLevelVariance + 0.3,
  });
  expect(beliefOf(card, own, terms)).toEqual({
    level: card.x[1],
    variance: 4 * PARAMS.firstLevelVariance + 2 * 2 * -0.02 + card.P[3]!,
  });
  expect(gradeOfCard(card, own.grade)).toBe(own);
  expect(gradeOfCard(card, own.grade + 1)).toBeUndefined();
});
