import { describe, expect, test } from 'vitest';
import { rangeOf } from '../../../../src/pricing/model/quote.ts';
import { background, drive, type ReportedSale } from '../../world.ts';

/** Section C5: one wild sale moves little, and what is confirmed is followed. */

const steady = (count: number): ReportedSale[] => {
  return Array.from({ length: count }, (_, i) => ({
    card: 'card',
    day: 200 - 8 * (count - i),
    usd: 100 + 3 * (i % 3),
  }));
};
const quote = (count: number, more: readonly ReportedSale[], day = 200, grade = 'psa-10') => {
  return drive([...background(230), ...steady(count), ...more], day).quote('card', grade)!;
};
const wild = (usd: number, day = 200): ReportedSale => ({ card: 'card', day, usd });

describe('one sale at ten times the price', () => {
  test.each([
    [3, 0.08],
    [10, 0.05],
  ])('moves a card with %i sales by %d at most, and leaves its range as wide', (count, most) => {
    for (const usd of [1000, 10]) {
      const [before, after] = [quote(count, []), quote(count, [wild(usd)])];
      const moved = Math.abs(Math.exp(after.mean - before.mean) - 1);
      expect(moved).toBeGreaterThan(0.02);
      expect(moved).toBeLessThan(most);
      expect(after.sd).toBeGreaterThan(0.95 * before.sd);
    }
  });

  test('moves the other grades of the card less than its own', () => {
    const nine: ReportedSale = { card: 'card', grade: 'psa-9', day: 150, usd: 33 };
    const moved = (grade: string) => {
      return quote(3, [nine, wild(1000)], 200, grade).mean - quote(3, [nine], 200, grade).mean;
    };
    expect(moved('psa-9')).toBeLessThan(moved('psa-10'));
    expect(Math.abs(moved('psa-9'))).toBeLessThan(0.08);
  });
});

test('the first sale of a grade at twelve times what the card’s others say is not believed until a second agrees', () => {
  const first: ReportedSale = { card: 'card', grade: 'cgc-10', day: 200, usd: 240 };
  const alone = quote(10, [first], 200, 'cgc-10');
  expect(alone).toMatchObject({ sales: 1, before: { mean: expect.any(Number) } });
  const { lowUsdCents, highUsdCents } = rangeOf(alone);
  expect(lowUsdCents).toBeLessThan(40_00);
  expect(highUsdCents / lowUsdCents).toBeGreaterThan(5);
  const second = quote(10, [first, { ...first, day: 203, source: 1 }], 203, 'cgc-10');
  expect(second.cents).toBeGreaterThan(200_00);
  expect(second.cents).toBeLessThan(280_00);
});

describe('a confirmed jump is followed', () => {
  test('by four sales of one source at three times the price, on different days within two weeks', () => {
    const days = [200, 204, 208, 212];
    const before = quote(10, [], 212);
    const after = quote(
      10,
      days.map((day, i) => wild(300 + i, day)),
      212,
    );
    expect(Math.exp(after.mean - before.mean)).toBeGreaterThan(2);
  });

  test.each([
    ['alone in its game', []],
    ['in a quiet game', background(180)],
  ])('by $28,000, 37,000, 70,000 and 78,000 after three sales at $8,900, days or weeks apart, %s', (_, others) => {
    const prices = [8900, 8900, 8900, 28_000, 37_000, 70_000, 78_000];
    for (const gap of [1, 2, 3, 5, 7, 10, 14, 20, 30]) {
      const world = drive(
        [
          ...others.filter(({ day }) => day <= 6 * gap),
          ...prices.map((usd, i) => ({ card: 'rare', day: gap * i, usd })),
        ],
        6 * gap,
      );
      expect(world.quote('rare', 'psa-10')!.cents!, `${gap} days`).toBeGreaterThan(45_000_00);
    }
  });
});
