import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newMarket } from '../../../../src/pricing/model/market.ts';
import { DEFAULT_PARAMS } from '../../../../src/pricing/model/params.ts';
import { marketFactor, type SharedError, type TotalLine, totalRange } from '../../../../src/pricing/model/total.ts';

const anError = (more: Partial<SharedError> = {}): SharedError => ({
  game: 'pokemon',
  item: 'a',
  gradeKey: 'psa-10',
  centre: Math.log(100),
  sd: 0.2,
  kappa: 1,
  marketVariance: 0.0004,
  marketPerDay: 3.2e-5,
  age: 0,
  cardVariance: 0.01,
  withCard: 0.01,
  ...more,
});
const aLine = (more: Partial<SharedError> = {}, quantity = 1): TotalLine => ({ quantity, error: anError(more) });
const sdOf = (lines: TotalLine[]) => {
  const { low, high } = totalRange(lines)!;
  return Math.log(high / low) / 2 / 1.2816;
};

/** A sorted reference: the covariance of each pair, written out. */
function naive(lines: TotalLine[]) {
  const weight = ({ quantity, error: { centre, sd } }: TotalLine) => quantity * Math.exp(centre + sd ** 2 / 2);
  let [mean, variance] = [0, 0];
  for (const one of lines) {
    mean += weight(one);
    for (const other of lines) {
      const [a, b] = [one.error, other.error];
      const market = a.marketVariance + a.marketPerDay * Math.min(a.age, b.age);
      const own = (a.withCard * b.withCard) / a.cardVariance;
      const share =
        a.game !== b.game
          ? 0
          : a.item !== b.item
            ? a.kappa * b.kappa * market
            : Math.expm1(a.gradeKey === b.gradeKey ? a.sd ** 2 : a.kappa * b.kappa * (own + market));
      variance += weight(one) * weight(other) * share;
    }
  }
  const square = Math.log1p(variance / mean ** 2);
  const centre = Math.log(mean) - square / 2;
  return { low: Math.exp(centre - 1.2816 * Math.sqrt(square)), high: Math.exp(centre + 1.2816 * Math.sqrt(square)) };
}

describe('the range of a total', () => {
  test('of one line is that of its series, for any quantity', () => {
    const { low, high } = totalRange([aLine({}, 7)])!;
    expect(low).toBeCloseTo(700 * Math.exp(-1.2816 * 0.2), 8);
    expect(high).toBeCloseTo(700 * Math.exp(1.2816 * 0.2), 8);
  });

  test('of the same series on two lines is as wide as of one line of two', () => {
    expect(sdOf([aLine(), aLine()])).toBeCloseTo(sdOf([aLine({}, 2)]), 10);
  });

  test('narrows with the number of cards to the error of their market', () => {
    const cards = (count: number) => Array.from({ length: count }, (_, n) => aLine({ item: String(n) }));
    expect(sdOf(cards(4))).toBeCloseTo(0.102, 2);
    expect(sdOf(cards(10_000))).toBeCloseTo(Math.sqrt(0.0004), 3);
  });

  test('is wider the longer both of two cards have not sold', () => {
    const cards = (ages: number[]) => ages.flatMap((age, n) => aLine({ item: String(n), age, sd: 0.01 }));
    expect(sdOf(cards([100, 100]))).toBeGreaterThan(sdOf(cards([0, 100])) * 1.1);
    expect(sdOf(cards([0, 100]))).toBeCloseTo(sdOf(cards([0, 0])), 10);
  });

  test('is wider for two grades of a card than for two cards, and narrower for cards of two games', () => {
    const grades = sdOf([aLine(), aLine({ gradeKey: 'psa-9' })]);
    const cards = sdOf([aLine(), aLine({ item: 'b' })]);
    const games = sdOf([aLine(), aLine({ item: 'b', game: 'mtg' })]);
    expect(grades).toBeGreaterThan(cards);
    expect(cards).toBeGreaterThan(games);
  });

  test('is that of all pairs, in any order', () => {
    const line = fc.record({
      quantity: fc.integer({ min: 1, max: 9 }),
      error: fc.record({
        game: fc.constantFrom('pokemon', 'mtg'),
        card: fc.integer({ min: 0, max: 4 }),
        gradeKey: fc.constantFrom('psa-10', 'psa-9', 'raw-A'),
        centre: fc.double({ min: 0, max: 8, noNaN: true }),
      }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (made) => {
        const lines = made.map(({ quantity, error: { card, game, ...error } }) =>
          aLine(
            { ...error, game, item: `${game} ${card}`, age: card * 20, kappa: 1 + card / 10, withCard: 0.012 },
            quantity,
          ),
        );
        const [{ low, high }, expected] = [totalRange(lines)!, naive(lines)];
        expect(low / expected.low).toBeCloseTo(1, 9);
        expect(high / expected.high).toBeCloseTo(1, 9);
        const reversed = totalRange(lines.toReversed())!;
        expect(reversed.low / low).toBeCloseTo(1, 9);
      }),
    );
  });

  test('of an empty list is null', () => {
    expect(totalRange([])).toBeNull();
  });
});

describe('the factor of a market', () => {
  const marketOf = (step: number, days = 901) => ({
    ...newMarket(DEFAULT_PARAMS),
    firstDay: 1000,
    // Every move over 90 days is of one size.
    levels: Array.from({ length: days }, (_, at) => (Math.floor(at / 90) % 2) * Math.sqrt(90) * step),
  });

  test('is 1 for a market that moves as expected, and for one without a history', () => {
    expect(marketFactor(marketOf(0.004), 1900, DEFAULT_PARAMS)).toBeCloseTo(1, 6);
    expect(marketFactor(null, 1900, DEFAULT_PARAMS)).toBe(1);
    expect(marketFactor(marketOf(0.1), 1010, DEFAULT_PARAMS)).toBe(1);
  });

  test('grows with the variance of its moves up to the day', () => {
    expect(marketFactor(marketOf(0.008), 1900, DEFAULT_PARAMS)).toBeCloseTo((1 + (2 + 28 * 4) / 30) / 2, 6);
    expect(marketFactor(marketOf(0.008), 1300, DEFAULT_PARAMS)).toBeCloseTo((1 + (2 + 8 * 4) / 10) / 2, 6);
  });
});
