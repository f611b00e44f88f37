import { describe, expect, test } from 'vitest';
import { gameOf } from '../../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS } from '../../../../src/pricing/model/params.ts';
import { background, drive, levelOf, type ReportedSale, type World } from '../../world.ts';

const centsOf = (world: World, card: string) => world.quote(card, 'psa-10')!.cents;

describe('surprising sales', () => {
  const steady = Array.from({ length: 10 }, (_, i): ReportedSale => {
    return { card: 'card', day: 100 + i * 10, usd: 100 * (1 + 0.05 * Math.sin(i * 5)) };
  });
  const at = (day: number, ...more: ReportedSale[]) => drive([...background(300), ...steady, ...more], day);
  const before = centsOf(at(205), 'card')!;

  test('one spike of ten times moves the price by less than 8%, and its weight is reported', () => {
    const world = at(205, { card: 'card', day: 200, usd: 1000, id: 99_999 });
    expect(Math.abs(centsOf(world, 'card')! / before - 1)).toBeLessThan(0.08);
    expect(world.uses.get(99_999)!.weight).toBeLessThan(DEFAULT_PARAMS.outlierWeight);
  });

  test('two agreeing sales at three times the price are believed when two sources report them', () => {
    const world = at(
      205,
      { card: 'card', day: 200, usd: 300 },
      { card: 'card', day: 203, usd: 310, source: 1, id: 99_999 },
    );
    expect(centsOf(world, 'card')! / before).toBeGreaterThan(2);
    expect(world.uses.get(99_999)!.weight).toBe(1);
  });

  test('of one source they wait for a third day', () => {
    const reported = [200, 203, 203].map((day, i): ReportedSale => {
      return { card: 'card', day, usd: 500 + i, id: 90_000 + i };
    });
    const waiting = at(205, ...reported);
    for (const { id } of reported) expect(waiting.uses.get(id!)!.weight).toBeLessThan(DEFAULT_PARAMS.outlierWeight);
    // The first of them counts little, as any outlier does; the others repeat it (but for the market's vote).
    expect(Math.abs(centsOf(waiting, 'card')! / centsOf(at(205, reported[0]!), 'card')! - 1)).toBeLessThan(0.005);
    const confirmed = at(206, ...reported, { card: 'card', day: 206, usd: 505, id: 99_999 });
    expect(centsOf(confirmed, 'card')! / before).toBeGreaterThan(3);
    expect(confirmed.uses.get(99_999)!.weight).toBe(1);
  });

  test('reported late in one go, the days are those they were sold on', () => {
    const reported = [190, 191, 192].map((day, i): ReportedSale => {
      return { card: 'card', day, known: 200, usd: 300 + i, id: 90_000 + i };
    });
    const [jumped, waiting] = [at(200, ...reported), at(200, ...reported.map((sale) => ({ ...sale, day: 190 })))];
    const weights = ({ uses }: World) => reported.map(({ id }) => uses.get(id!)!.weight);
    expect(weights(jumped)).toEqual([1, 1, 1]);
    expect(centsOf(jumped, 'card')! / before).toBeGreaterThan(2.7);
    for (const weight of weights(waiting)) expect(weight).toBeLessThan(DEFAULT_PARAMS.outlierWeight);
    // Three of one day are one observation with a third of the noise: nearer to them than one sale, and not there.
    expect(centsOf(waiting, 'card')! / before).toBeLessThan(1.7);
  });

  test('two at a hundred times the price, or a hundredth, of one source teach neither card nor market', () => {
    for (const usd of [10_000, 1]) {
      const attacked = at(300, { card: 'card', day: 200, usd }, { card: 'card', day: 201, usd: usd * 1.02 });
      const honest = at(300);
      expect(Math.abs(centsOf(attacked, 'card')! / centsOf(honest, 'card')! - 1)).toBeLessThan(0.05);
      const [market, honestMarket] = [attacked, honest].map((world) => gameOf(world.model, 'pokemon').market.levels);
      market!.forEach((level, day) => {
        expect(Math.abs(level - honestMarket![day]!)).toBeLessThan(0.0015);
      });
    }
  });

  test('two outliers that do not agree with each other are not', () => {
    const first: ReportedSale = { card: 'card', day: 200, usd: 300 };
    const world = at(205, first, { card: 'card', day: 203, usd: 1000, source: 1, id: 99_999 });
    expect(world.uses.get(99_999)!.weight).toBeLessThan(DEFAULT_PARAMS.outlierWeight);
    // The first alone moves the price by a third.
    expect(centsOf(world, 'card')! / centsOf(at(205, first), 'card')!).toBeLessThan(1.08);
  });

  test('two outliers on different sides are not', () => {
    const world = at(205, { card: 'card', day: 200, usd: 300 }, { card: 'card', day: 203, usd: 30, source: 1 });
    expect(centsOf(world, 'card')! / before).toBeLessThan(1.3);
  });

  test('an outlier waits 180 days for a second one, not longer', () => {
    const first = { card: 'card', day: 200, usd: 2000 };
    const jumped = (day: number) => {
      const world = at(day, first, { card: 'card', day, usd: 2040, source: 1, id: 99_999 });
      return world.uses.get(99_999)!.weight === 1;
    };
    expect(jumped(380)).toBe(true);
    expect(jumped(381)).toBe(false);
  });

  test('an ordinary sale between them clears the waiting one', () => {
    const world = at(
      205,
      { card: 'card', day: 200, usd: 300 },
      { card: 'card', day: 202, usd: 100 },
      { card: 'card', day: 204, usd: 310, source: 1, id: 99_999 },
    );
    expect(world.uses.get(99_999)!.weight).toBeLessThan(DEFAULT_PARAMS.outlierWeight);
  });
});

test.each([
  ['with one grade moves mostly the card', [], 0.7, 0.9],
  ['that sold in another grade too moves half the card, half the grade', [80, 90], 0.4, 0.6],
])('a believed jump of a card %s', (_, ninesOn, least, most) => {
  const steady = Array.from({ length: 10 }, (_, i) => ({ card: 'card', day: 100 + i * 10, usd: 100 + (i % 2) }));
  const nines = ninesOn.map((day) => ({ card: 'card', grade: 'psa-9', day, usd: 33 }));
  const base = [...background(300), ...nines, ...steady, { card: 'card', day: 200, usd: 300 }];
  const before = drive(base, 203);
  const after = drive([...base, { card: 'card', day: 203, usd: 310, source: 1, id: 99_999 }], 203);
  expect(after.uses.get(99_999)!.weight).toBe(1);
  const moved = (of: (world: World) => number) => of(after) - of(before);
  const share = moved(({ cards }) => cards.get('card')!.x[0]!) / moved((world) => levelOf(world, 'card', 'psa-10'));
  expect(share).toBeGreaterThan(least);
  expect(share).toBeLessThan(most);
});
