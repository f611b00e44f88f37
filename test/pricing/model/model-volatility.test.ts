import { describe, expect, test } from 'vitest';
import { bringToDay, cardTerms, gradeOfCard, volatilityOf } from '../../../src/pricing/model/card.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';
import { beliefAfter } from '../../../src/pricing/model/quote.ts';
import { snapshotOf } from '../../../src/pricing/model/snapshot.ts';
import { drive, type ReportedSale } from '../world.ts';

const at = (sales: number, pairCount = 0, pairSum = 0) => volatilityOf({ sales, pairCount, pairSum }, PARAMS);

test('a card wanders faster while it has few sales and while its surprises have one side, within .3 and 6', () => {
  expect(at(0)).toBe(2);
  expect(at(4)).toBeCloseTo(1 + 1 / Math.E, 12);
  expect(at(400)).toBeCloseTo(1, 12);
  expect(at(400, 15, 10)).toBeCloseTo(Math.E, 12);
  expect(at(400, 15, -10)).toBeCloseTo(1 / Math.E, 12);
  expect([at(400, 5, 30), at(400, 5, -30)]).toEqual([6, 0.3]);
});

describe('surprises', () => {
  const card = (prices: readonly number[], more: readonly ReportedSale[] = []) => {
    const sales = prices.map((usd, i): ReportedSale => ({ card: 'card', day: 3 * i, usd }));
    return drive([...sales, ...more], 3 * prices.length).cards.get('card')!;
  };

  test('of successive days pair up, by grade, the first sale of the card left out', () => {
    const climbing = card([100, 120, 144, 173, 207]);
    expect(climbing.pairCount).toBe(3);
    expect(climbing.pairSum).toBeGreaterThan(0.5);
    const hovering = card([100, 130, 80, 130, 80, 130]);
    expect(hovering.pairCount).toBe(4);
    expect(hovering.pairSum).toBeLessThan(-0.5);
    expect(volatilityOf(climbing, PARAMS)).toBeGreaterThan(at(5));
    expect(volatilityOf(hovering, PARAMS)).toBeLessThan(at(6));
  });

  test('of one day are one, and another grade has its own', () => {
    const nine = (day: number): ReportedSale => ({ card: 'card', grade: 'psa-9', day, usd: 40 });
    expect(card([100, 110, 110]).pairCount).toBe(1);
    expect(card([100, 110, 110], [{ card: 'card', day: 6, usd: 120 }]).pairCount).toBe(1);
    expect(card([100, 110, 110], [nine(4)]).pairCount).toBe(1);
    expect(card([100, 110, 110], [nine(4), nine(5)]).pairCount).toBe(2);
  });
});

test('a snapshot widens with the days as its card does', () => {
  const sales = Array.from({ length: 6 }, (_, i): ReportedSale => ({ card: 'card', day: 3 * i, usd: 100 * 1.2 ** i }));
  const world = drive([...sales, { card: 'card', grade: 'psa-9', day: 4, usd: 40 }], 15);
  const card = world.cards.get('card')!;
  for (const { grade } of [...card.grades]) {
    const [snapshot, terms] = [snapshotOf(card, grade, PARAMS), cardTerms(card, grade)];
    expect(snapshot.levelPerDay).toBe(Math.fround(volatilityOf(card, PARAMS) * PARAMS.levelVariancePerDay));
    const later = { ...card, x: card.x.slice(), P: card.P.slice() };
    bringToDay(later, card.day + 90, PARAMS);
    const { slot } = gradeOfCard(card, grade)!;
    const { h } = terms;
    const { P, size } = later;
    const variance = h * h * P[0]! + 2 * h * P[slot]! + P[slot * size + slot]!;
    expect(beliefAfter(snapshot, 90, terms, PARAMS).variance).toBeCloseTo(variance, 7);
    expect(beliefAfter(snapshot, 90, terms, PARAMS).level).toBeCloseTo(later.x[slot]!, 10);
  }
});
