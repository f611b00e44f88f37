import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BasketCandidate,
  chooseBasket,
  isRotationDay,
  type RankedCandidate,
  seriesKey,
  targetOf,
} from '../../../src/indices/method/basket.ts';
import { INDEX_RULES } from '../../../src/indices/method/rules.ts';
import { parseDay } from '../../../src/lib/day.ts';

const DAY = parseDay('2026-11-01')!;

/** An eligible newcomer; `worth` is its turnover in dollars and by that its rank. */
function aCandidate(name: string, worth: number, change: Partial<BasketCandidate> = {}): BasketCandidate {
  return {
    itemId: name,
    gradeKey: 'psa-10',
    sales90: 10,
    sales30: 3,
    turnover90UsdCents: worth * 100,
    firstSaleDay: DAY - 400,
    priceUsd: worth / 10,
    confidence: 0.9,
    ...change,
  };
}

/** So many eligible cards, `c1` the most expensive. */
function market(count: number): BasketCandidate[] {
  return Array.from({ length: count }, (_, i) => aCandidate(`c${i + 1}`, 1_000_000 - i * 100));
}

const keyOf = (name: string) => seriesKey(name, 'psa-10');
const NONE: ReadonlySet<string> = new Set();

function membersOf(candidates: BasketCandidate[], held = NONE): RankedCandidate[] {
  const choice = chooseBasket(candidates, held, DAY);
  if ('skipped' in choice) throw new Error(`skipped with ${choice.eligible}`);
  return choice.members;
}
const namesOf = (members: readonly RankedCandidate[]) => members.map(({ itemId }) => itemId);

describe('a newcomer is eligible', () => {
  const eligible = (change: Partial<BasketCandidate>) =>
    chooseBasket([...market(19), aCandidate('new', 50, change)], NONE, DAY).eligible === 20;
  test.each<[rule: string, change: Partial<BasketCandidate>, expected: boolean]>([
    ['with three sales in 90 days', { sales90: 3 }, true],
    ['not with two', { sales90: 2 }, false],
    ['with one sale in 30 days', { sales30: 1 }, true],
    ['not without', { sales30: 0 }, false],
    ['60 days after its first sale', { firstSaleDay: DAY - 60 }, true],
    ['not after 59', { firstSaleDay: DAY - 59 }, false],
    ['at a price of $5', { priceUsd: 5 }, true],
    ['not below', { priceUsd: 4.99 }, false],
    ['with a confidence of .50', { confidence: 0.5 }, true],
    ['not below', { confidence: 0.4999 }, false],
    ['not without a price', { priceUsd: null, confidence: null }, false],
    ['not without a confidence', { confidence: null }, false],
  ])('%s', (_, change, expected) => {
    expect(eligible(change)).toBe(expected);
  });
});

describe('a member stays eligible', () => {
  const eligible = (change: Partial<BasketCandidate>) => {
    const candidates = [...market(19), aCandidate('old', 50, change)];
    return chooseBasket(candidates, new Set([keyOf('old')]), DAY).eligible === 20;
  };
  test.each<[rule: string, change: Partial<BasketCandidate>, expected: boolean]>([
    ['with two sales in 90 days and none in 30', { sales90: 2, sales30: 0 }, true],
    ['not with one', { sales90: 1 }, false],
    ['below $5', { priceUsd: 1 }, true],
    ['with a confidence of .50', { confidence: 0.5 }, true],
    ['not below', { confidence: 0.49 }, false],
    ['not without a price', { priceUsd: null, confidence: null }, false],
  ])('%s', (_, change, expected) => {
    expect(eligible(change)).toBe(expected);
  });
});

describe('rank', () => {
  test('is by turnover, and equal ones by series key', () => {
    const tied = ['b', 'a', 'c', 'd'].map((name) => aCandidate(name, 2_000_000));
    expect(namesOf(membersOf([...market(25), ...tied])).slice(0, 5)).toEqual(['a', 'b', 'c', 'd', 'c1']);
  });

  test('one absurd sale cannot buy it: turnover counts up to 1.5 × sales × price', () => {
    const bought = aCandidate('bought', 50, { sales90: 4, priceUsd: 10, turnover90UsdCents: 90_000_000 });
    const [last] = membersOf([...market(25), bought]).slice(-1);
    const choice = chooseBasket([...market(19), bought], NONE, DAY);
    expect(last!.itemId).not.toBe('bought');
    expect('members' in choice && choice.members.at(-1)).toMatchObject({
      itemId: 'bought',
      rank: 20,
      cappedTurnoverUsdCents: 1.5 * 4 * 10 * 100,
    });
  });

  test('a card has one series: its grade with the most turnover', () => {
    const grades = ['psa-9', 'psa-10', 'bgs-9-5'].map((gradeKey, i) =>
      aCandidate('many', [3_000_000, 4_000_000, 2_000_000][i]!, { gradeKey }),
    );
    const found = membersOf([...market(25), ...grades]).filter(({ itemId }) => itemId === 'many');
    expect(found.map(({ gradeKey }) => gradeKey)).toEqual(['psa-10']);
  });
});

describe('the target', () => {
  test.each([
    [20, 20],
    [25, 20],
    [26, 20],
    [27, 21],
    [124, 99],
    [125, 100],
    [5000, 100],
  ])('of %i eligible names is %i', (eligible, target) => {
    expect(targetOf(eligible)).toBe(target);
    expect(membersOf(market(eligible))).toHaveLength(target);
  });

  test('with fewer than 20 eligible the rotation is skipped', () => {
    expect(chooseBasket(market(19), NONE, DAY)).toEqual({ eligible: 19, skipped: true });
  });
});

describe('the buffer', () => {
  const held = (from: number, to: number) =>
    new Set(Array.from({ length: to - from + 1 }, (_, i) => keyOf(`c${from + i}`)));

  test('a newcomer enters up to rank .8 N, and beyond it only where places are left', () => {
    const names = namesOf(membersOf(market(200), held(81, 140)));
    expect(names).toEqual(expect.arrayContaining(['c1', 'c80', 'c81', 'c100']));
    expect(names).toHaveLength(100);
    expect(namesOf(membersOf(market(200), held(101, 140)))).not.toContain('c81');
  });

  test('a member stays up to rank 1.5 N', () => {
    expect(namesOf(membersOf(market(200), held(131, 150)))).toEqual(expect.arrayContaining(['c131', 'c150']));
    expect(namesOf(membersOf(market(200), held(132, 151)))).not.toContain('c151');
  });

  test('places that are left are filled by rank', () => {
    const names = namesOf(membersOf(market(200), held(150, 150)));
    expect(names.slice(-2)).toEqual(['c99', 'c150']);
  });
});

test('a rotation day is the first UTC day of a month', () => {
  const days = ['2026-01-01', '2026-03-01', '2028-02-29', '2028-03-01', '2026-12-31'];
  expect(days.map((day) => isRotationDay(parseDay(day)!))).toEqual([true, true, false, true, false]);
});

describe('whatever the market', () => {
  const candidate = fc.record({
    itemId: fc.integer({ min: 1, max: 150 }).map((n) => `card-${n}`),
    gradeKey: fc.constantFrom('psa-10', 'psa-9', 'raw-A'),
    sales90: fc.integer({ min: 0, max: 30 }),
    sales30: fc.integer({ min: 0, max: 10 }),
    turnover90UsdCents: fc.integer({ min: 0, max: 100_000_000 }),
    firstSaleDay: fc.integer({ min: DAY - 200, max: DAY }),
    priceUsd: fc.option(fc.double({ min: 0.5, max: 50_000, noNaN: true }), { freq: 20 }),
    confidence: fc.double({ min: 0.3, max: 1, noNaN: true }),
  });
  const candidates = fc.uniqueArray(candidate, {
    minLength: 60,
    maxLength: 300,
    selector: ({ itemId, gradeKey }) => seriesKey(itemId, gradeKey),
  });
  const scene = candidates.chain((list) =>
    fc.record({
      list: fc.constant(list),
      shuffled: fc.shuffledSubarray(list, { minLength: list.length }),
      held: fc.subarray(list).map((some) => new Set(some.map((one) => seriesKey(one.itemId, one.gradeKey)))),
    }),
  );

  test('the order in which candidates come does not matter', () => {
    fc.assert(
      fc.property(scene, ({ list, shuffled, held }) => {
        expect(chooseBasket(shuffled, held, DAY)).toEqual(chooseBasket(list, held, DAY));
      }),
    );
  });

  test('a basket has its target of distinct cards, in order of rank, and holds the buffers', () => {
    fc.assert(
      fc.property(scene, ({ list, held }) => {
        const choice = chooseBasket(list, held, DAY);
        if ('skipped' in choice) return choice.eligible < INDEX_RULES.minMembers;
        const { members, eligible } = choice;
        const target = targetOf(eligible);
        const stays = ({ itemId, gradeKey }: RankedCandidate) => held.has(seriesKey(itemId, gradeKey));
        expect(members).toHaveLength(target);
        expect(new Set(namesOf(members)).size).toBe(target);
        members.slice(1).forEach((one, i) => {
          expect(one.rank).toBeGreaterThan(members[i]!.rank);
        });
        const best = members.filter(({ rank }) => rank <= INDEX_RULES.enterRank * target);
        expect(best).toHaveLength(Math.floor(INDEX_RULES.enterRank * target));
        const outside = members.filter((one) => !stays(one) && one.rank > INDEX_RULES.enterRank * target);
        // A newcomer beyond .8 N is there only because the ranks before it left a place.
        for (const { rank } of outside) expect(rank).toBeLessThanOrEqual(target);
        return true;
      }),
    );
  });

  // A power of two scales products exactly; times 100, a last bit may part two cards of equal turnover.
  test('prices and turnovers times 128 choose the same basket', () => {
    fc.assert(
      fc.property(scene, ({ list, held }) => {
        const scaled = list.map((one) => ({
          ...one,
          turnover90UsdCents: one.turnover90UsdCents * 128,
          priceUsd: one.priceUsd === null ? null : one.priceUsd * 128,
        }));
        const chosen = chooseBasket(list, held, DAY);
        const expensive = chooseBasket(scaled, held, DAY, {
          ...INDEX_RULES,
          minPriceUsd: INDEX_RULES.minPriceUsd * 128,
        });
        const keys = (choice: typeof chosen) => 'members' in choice && namesOf(choice.members);
        expect(keys(expensive)).toEqual(keys(chosen));
      }),
    );
  });
});
