import { describe, expect, test } from 'vitest';
import { nextSaleRangeOf, rangeOf } from '../../../../src/pricing/model/quote.ts';
import { decodeCard, encodeCard } from '../../../../src/pricing/store/card-bytes.ts';
import { decodeSnapshots } from '../../../../src/pricing/store/snapshot-bytes.ts';
import { background, drive, type ReportedSale } from '../../world.ts';
import { encodedSnapshot } from '../snapshot-writer.ts';

/** Section C5, second half: a move that one source on one day made, until a second source or another day agrees. */

const CARD = 'thin';
const first: ReportedSale = { card: CARD, grade: 'psa-10', day: 100, usd: 430 };
const nine: ReportedSale = { card: CARD, grade: 'psa-9', day: 100, usd: 200 };
const wild = (more: Partial<ReportedSale> = {}): ReportedSale => ({ card: CARD, day: 150, usd: 1435, ...more });

const at = (day: number, ...sales: ReportedSale[]) => drive([...background(200), first, nine, ...sales], day);
const ten = (day: number, ...sales: ReportedSale[]) => at(day, ...sales).quote(CARD, 'psa-10')!;

describe('a sale that surprises a card with one sale before', () => {
  const before = ten(150);
  const after = ten(150, wild());

  test('moves its price, unconfirmed: the price without it is kept', () => {
    expect(after.mean).toBeGreaterThan(before.mean + 0.1);
    expect(after.before!.mean).toBeCloseTo(before.mean, 2);
    expect(before.before).toBeNull();
  });

  test('has a range, of the value and of the next sale, that covers what it was without the sale', () => {
    const covers = (outer: { lowUsdCents: number; highUsdCents: number }, inner: typeof outer) => {
      expect(outer.lowUsdCents).toBeLessThan(inner.lowUsdCents * 1.02);
      expect(outer.highUsdCents).toBeGreaterThan(inner.highUsdCents * 0.98);
    };
    covers(rangeOf(after), rangeOf(before));
    covers(nextSaleRangeOf(after)!, nextSaleRangeOf(before)!);
    expect(rangeOf(after).highUsdCents).toBeGreaterThan(100 * Math.exp(after.mean));
  });

  test('moves the other grades of the card by half of that at most, in logs', () => {
    const moved = (grade: string) => at(150, wild()).quote(CARD, grade)!.mean - at(150).quote(CARD, grade)!.mean;
    const [own, other] = [moved('psa-10'), moved('psa-9')];
    expect(other).toBeGreaterThan(0.1 * own);
    // The market hears it too, by a trifle.
    expect(other).toBeLessThan(0.5 * own + 0.005);
  });

  test('keeps that until the series sells again, whatever else of the card sells', () => {
    const later = ten(160, wild(), { ...nine, day: 160 });
    expect(later.before).not.toBeNull();
    expect(rangeOf(later).lowUsdCents).toBeLessThan(rangeOf(before).lowUsdCents * 1.02);
  });
});

describe('is confirmed', () => {
  test.each([
    ['by a second source on the day', [wild(), wild({ source: 1, usd: 1390 })], 150],
    ['by sales of two days that become known at once', [wild({ known: 151 }), wild({ day: 151, usd: 1390 })], 151],
    ['by a sale on another day that agrees', [wild(), wild({ day: 152, usd: 1390 })], 152],
    ['by a sale near the price before: that ends the move', [wild(), wild({ day: 152, usd: 440 })], 152],
  ])('%s', (_, sales, day) => {
    expect(ten(day, ...sales).before).toBeNull();
  });

  test.each([
    ['by more sales of the source on the day', [wild(), wild({ usd: 1390 }), wild({ usd: 1500 })], 150],
    ['by a second source that says something else', [wild(), wild({ source: 1, usd: 5400 })], 150],
    ['by a sale of another grade', [wild(), { ...nine, day: 150, usd: 660 }], 150],
  ])('but not %s', (_, sales, day) => {
    expect(ten(day, ...sales).before).not.toBeNull();
  });
});

test.each([
  ['the first sale of a card', { card: 'new', day: 150, usd: 5000 }, 'new'],
  ['a sale within the 95% range', { card: CARD, day: 150, usd: 480 }, CARD],
])('%s is not an unconfirmed move', (_, sale, card) => {
  expect(at(150, sale).quote(card, 'psa-10')!.before).toBeNull();
});

test('state and snapshot keep an unconfirmed move', () => {
  const card = at(150, wild()).cards.get(CARD)!;
  const grade = card.grades.find(({ before }) => before !== null)!;
  const read = decodeCard(CARD, encodeCard(card), card.game, card.set);
  expect(read.grades).toEqual(card.grades);
  const snapshots = decodeSnapshots(encodedSnapshot(card).bytes);
  const { level, variance, ownSales, lastDay } = grade.before!;
  expect([ownSales, lastDay]).toEqual([1, 100]);
  expect(snapshots.get(grade.grade)![0]!.before).toEqual({ level, variance: Math.fround(variance), ownSales, lastDay });
  for (const [other, [snapshot]] of snapshots) if (other !== grade.grade) expect(snapshot!.before).toBeNull();
});

test('the range of the next sale contains that of the value', () => {
  const { cards, ...world } = drive(background(200), 200);
  const quotes = [...cards.values()].map(({ id }) => world.quote(id, 'psa-10')).filter((quote) => quote !== null);
  expect(quotes.length).toBeGreaterThan(5);
  for (const quote of quotes) {
    const [value, next] = [rangeOf(quote), nextSaleRangeOf(quote)!];
    // Where sales never differ, the two are learned to be the same.
    expect(next.lowUsdCents).toBeLessThanOrEqual(value.lowUsdCents);
    expect(next.highUsdCents).toBeGreaterThanOrEqual(value.highUsdCents);
  }
});
