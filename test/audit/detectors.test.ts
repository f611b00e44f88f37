import { describe, expect, test } from 'vitest';
import { gradeInversions } from '../../src/audit/detect/grade-inversion.ts';
import { offCurve } from '../../src/audit/detect/off-curve.ts';
import { sharedIds } from '../../src/audit/detect/shared-ids.ts';
import { shiftedSets } from '../../src/audit/detect/shifted-set.ts';
import { sourceFactors } from '../../src/audit/detect/source-factor.ts';
import { openGameBook, type PriceCell } from '../../src/audit/game-book.ts';
import { LISTED_FROM } from '../../src/audit/suspect.ts';
import { auditedItem, foundBy, gameRows, jitter, priceCell, scoreOf } from './rows.ts';

/** Sixty numbers of two rarities in a pattern, the rare ones at ten times the price; sales are `by` places on. */
function pattern(by: number, { numbers = 60, ratio = 10, withRarity = true } = {}) {
  const isRare = (at: number) => (at * 7) % 5 === 0;
  const of = (setId: number, moved: number, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const rarity = withRarity ? (isRare(at) ? 'Rare' : 'Common') : null;
      const item = auditedItem({ number: `${at + 1}`, setId, name: `Card ${setId} ${at}`, rarity });
      const usd = (isRare(at - moved) ? 5 * ratio : 5) * Math.exp(3 * jitter(at));
      return { item, cells: [priceCell(item, usd)] };
    });
  return openGameBook(gameRows([...of(1, by, numbers), ...of(2, 0, 60), ...of(3, 0, 60)]));
}

describe('shifted sets', () => {
  test.each([1, -1])('a set whose prices are %i number on is found, with all its items', (by) => {
    const found = shiftedSets(pattern(by)).filter(({ score }) => score >= LISTED_FROM);
    expect(found.map(({ subject }) => subject)).toEqual(['1 English']);
    expect(found[0]!.score).toBeGreaterThan(LISTED_FROM);
    expect(found[0]!.series).toHaveLength(60);
    expect(found[0]!.evidence[0]!.data).toMatchObject({ shift: -by, numbers: 59 });
  });

  test.each([
    ['a set at its numbers', pattern(0)],
    ['a set two numbers on, which no neighbour explains', pattern(2, { numbers: 12 })],
    ['too few numbers', pattern(1, { numbers: 6 })],
    ['rarities that cost the same', pattern(1, { ratio: 1.05 })],
    ['nothing known but the prices', pattern(1, { withRarity: false })],
  ])('not %s', (_, book) => {
    expect(shiftedSets(book).filter(({ score }) => score >= LISTED_FROM)).toEqual([]);
  });
});

describe('sets that one source has shifted', () => {
  /** `numbers` cards at prices that differ, the fifth sold by one source alone; the second source sells everything at a ninth, and has the prices `by` numbers on. */
  const found = (by: number, numbers = 10) => {
    const of = (setId: number, count: number, moved: number) =>
      Array.from({ length: count }, (_, at) => {
        const usd = (place: number) => 20 * 3 ** (((place * 7 + count) % 5) - 2);
        const item = auditedItem({ number: `${at + 1}`, setId, name: `Card ${setId} ${at}` });
        const cells = [priceCell(item, usd(at)), priceCell(item, usd(at - moved) / 9, { source: 'other' })];
        return { item, cells: at === 4 ? cells.slice(1) : cells };
      });
    const rows = gameRows([...of(1, numbers, by), ...of(2, 60, 0)]);
    return shiftedSets(openGameBook(rows)).filter(({ score }) => score >= LISTED_FROM);
  };
  test('a set of ten numbers is found, though the source is cheaper throughout', () => {
    expect(found(1).map(({ subject, evidence }) => [subject, evidence[0]!.data.source])).toEqual([
      ['1 English', 'ebay'],
    ]);
    expect(found(1)[0]!.score).toBeGreaterThan(LISTED_FROM);
  });
  test('a number that sold in the shifted source alone is withheld too', () => {
    expect(found(1)[0]!.series.map(({ itemId }) => itemId)).toContain('1/5/English/plain');
  });
  test.each([
    ['at their numbers', found(0)],
    ['too few numbers', found(1, 5)],
    ['three numbers on', found(3)],
  ])('not %s', (_, suspects) => {
    expect(suspects).toEqual([]);
  });
});

describe('grade inversions', () => {
  const scored = (nine: number, ten: number, details: Partial<PriceCell> = {}, old = 0) => {
    const item = auditedItem({ number: '1' });
    const cells = [
      priceCell(item, nine, { gradeKey: 'psa-9', ...details }),
      priceCell(item, ten, { gradeKey: 'psa-10', lastDay: 20_000 - old }),
      priceCell(auditedItem({ number: '2' }), 10),
    ];
    return gradeInversions(openGameBook(gameRows([{ item, cells }])))[0]?.score ?? 0;
  };
  test.each<[string, number, boolean]>([
    ['PSA 9 at twice the price of PSA 10', scored(200, 100), true],
    ['PSA 9 five percent above', scored(105, 100), false],
    ['PSA 9 below', scored(90, 100), false],
    ['two sales', scored(200, 100, { sales: 2 }), false],
    ['sales as far apart as the grades', scored(130, 100, { sales: 3, deviation: 0.6 }), false],
    ['PSA 10 that last sold a year ago', scored(200, 100, {}, 300), false],
  ])('%s', (_, score, isListed) => {
    if (isListed) expect(score).toBeGreaterThan(LISTED_FROM);
    else expect(score).toBeLessThan(LISTED_FROM);
  });
});

describe('series off their curve', () => {
  /** Ten cards whose PSA 9 is at half of PSA 10, a holo of each at five times the price; card 3 has `nine` instead. */
  const scored = (nine: number, sales = 6) => {
    const priced = Array.from({ length: 20 }, (_, at) => {
      const item = auditedItem({ number: `${(at >> 1) + 1}`, variation: at % 2 === 0 ? null : 'Holo' });
      const ten = 100 * (at % 2 === 0 ? 1 : 5) * Math.exp(jitter(at));
      const isOdd = item.itemId === '1/3/English/plain';
      const of = { gradeKey: 'psa-9', ...(isOdd && { sales }) };
      return {
        item,
        cells: [priceCell(item, ten), priceCell(item, isOdd ? nine : ten * 0.5 * Math.exp(jitter(at + 3)), of)],
      };
    });
    return scoreOf(foundBy(offCurve, gameRows(priced)), '1/3/English/plain psa-9');
  };
  test.each<[string, number, boolean]>([
    ['PSA 9 at the price of the holo’s', scored(260), true],
    ['PSA 9 at its curve', scored(50), false],
    ['PSA 9 somewhat above', scored(75), false],
    ['PSA 9 far above every printing', scored(9000), false],
    ['two sales', scored(260, 2), false],
  ])('%s', (_, score, isListed) => {
    if (isListed) expect(score).toBeGreaterThan(LISTED_FROM);
    else expect(score).toBeLessThan(LISTED_FROM);
  });
});

describe('factors of a source', () => {
  const found = (factor: number, { sales = 6, usual = 1, raw = factor } = {}) => {
    const priced = Array.from({ length: 12 }, (_, at) => {
      const item = auditedItem({ number: `${at + 1}` });
      const [ten, ungraded] = at === 3 ? [factor, raw] : [usual, usual].map((one) => one * Math.exp(jitter(at)));
      const of = { source: 'other', ...(at === 3 && { sales }) };
      const grades = [priceCell(item, 100), priceCell(item, 20, { gradeKey: 'raw-A' })];
      return {
        item,
        cells: [
          ...grades,
          priceCell(item, 100 * ten!, of),
          priceCell(item, 20 * ungraded!, { ...of, gradeKey: 'raw-A' }),
        ],
      };
    });
    return scoreOf(foundBy(sourceFactors, gameRows(priced)), '1/4/English/plain');
  };
  test.each<[string, number, boolean]>([
    ['five times the price of the others, at both grades', found(5), true],
    ['a fifth', found(0.2), true],
    ['thirty percent above', found(1.3), false],
    ['a factor that the source has everywhere', found(3, { usual: 3 }), false],
    ['at one grade alone', found(5, { raw: 0.9 }), false],
    ['at one grade alone, however far', found(50, { raw: 0.9 }), false],
    ['one sale a grade', found(5, { sales: 1 }), false],
  ])('%s', (_, score, isListed) => {
    if (isListed) expect(score).toBeGreaterThan(LISTED_FROM);
    else expect(score).toBeLessThan(LISTED_FROM);
  });
});

describe('shared ids', () => {
  const items = [
    auditedItem({ number: '1' }),
    auditedItem({ number: '1', variation: 'Holo' }),
    auditedItem({ number: '2' }),
    auditedItem({ number: '1', setId: 2 }),
    auditedItem({ number: '1', name: 'カード', language: 'Japanese' }),
    ...['Nidoran♂', 'Nidoran ♂', 'Nidoran ♀', 'ピカチュウex', 'リザードンex'].map((name) =>
      auditedItem({ itemId: name, number: '9', name }),
    ),
  ];
  const byId = new Map(items.map((item) => [item.itemId, item]));
  const ids = (...places: number[]) => places.map((at) => items[at]!.itemId);
  const scored = (itemIds: string[], others = 0, idsOfSpace = 100) => {
    const shared = [{ stored: 'tcgplayer 7', itemIds }];
    for (let i = 0; i < others; i++) shared.push({ stored: `tcgplayer 1${i}`, itemIds: ids(0, 2) });
    return sharedIds(shared, byId, new Map([['tcgplayer', idsOfSpace]])).find(
      ({ subject }) => subject === 'tcgplayer 7',
    )?.score;
  };
  test.each<[string, number | undefined, boolean]>([
    ['on two cards of a set', scored(ids(0, 2)), true],
    ['on a card and its reprint, in a space where that does not happen', scored(ids(0, 3)), true],
    ['on the printings of one card', scored(ids(0, 1)), false],
    ['on two languages of a card, with names in two scripts', scored(ids(0, 4)), false],
    ['on a card that two catalogs spell in two ways', scored(ids(5, 6)), false],
    ['on two cards whose names differ in a sign', scored(ids(5, 7)), true],
    ['on two cards whose names differ in letters that fold away', scored(ids(8, 9)), true],
    ['on two cards, in a space where a third of the ids are', scored(ids(0, 2), 33), false],
    ['on two cards, in a space where one in a hundred is', scored(ids(0, 2), 1), true],
  ])('%s', (_, score = 0, isListed) => {
    if (isListed) expect(score).toBeGreaterThan(LISTED_FROM);
    else expect(score).toBeLessThan(LISTED_FROM);
  });
});
