import { describe, expect, test } from 'vitest';
import { auditGame } from '../../src/audit/audit-game.ts';
import { offCurve } from '../../src/audit/detect/off-curve.ts';
import { sourceFactors } from '../../src/audit/detect/source-factor.ts';
import type { AuditedItem, TitleCell } from '../../src/audit/game-book.ts';
import { LISTED_FROM } from '../../src/audit/suspect.ts';
import { auditedItem, foundBy, gameRows, jitter, priceCell, titleCell } from './rows.ts';

/** Twenty cards with a plain and a holo printing that sell for the same in two sources, at two grades: prices say nothing. */
const cards = Array.from({ length: 20 }, (_, at): [plain: AuditedItem, holo: AuditedItem] => [
  auditedItem({ number: `${at + 1}` }),
  auditedItem({ number: `${at + 1}`, variation: 'Holo' }),
]);
const GRADES = ['psa-10', 'psa-9'];
const priced = cards.flat().map((item, at) => ({
  item,
  cells: GRADES.flatMap((gradeKey) =>
    ['ebay', 'shop'].map((source) => priceCell(item, 20 * Math.exp(jitter(at)), { source, gradeKey })),
  ),
}));
const [plain, holo] = cards[2]!;
const [stranger, holoStranger] = cards[7]!;
const SIGNED = auditedItem({ number: '9†', name: 'Card 9' });
const reprint = auditedItem({ number: '9', setId: 2, name: 'Card 9' });

/** Titles of all other cards name their own item, in both sources and at both grades; `leftOut` of them leave "Holo" out. */
function others(leftOut = 0): TitleCell[] {
  return cards
    .filter((card) => !card.includes(plain) && !card.includes(stranger))
    .flatMap(([one, holo]) =>
      ['ebay', 'shop'].flatMap((source) =>
        GRADES.flatMap((gradeKey) => [
          titleCell(one, one, 5, { source, gradeKey }),
          titleCell(holo, holo, 5 - leftOut, { source, gradeKey }),
          titleCell(holo, one, leftOut, { source, gradeKey }),
        ]),
      ),
    )
    .filter(({ titles }) => titles > 0);
}

const rows = (titles: readonly TitleCell[], leftOut?: number) =>
  gameRows(
    [...priced, ...[SIGNED, reprint].map((item) => ({ item, cells: [priceCell(item, 20)] }))],
    [...others(leftOut), ...titles],
  );
const listed = (detect: typeof sourceFactors, titles: readonly TitleCell[], leftOut?: number) =>
  foundBy(detect, rows(titles, leftOut)).filter(({ score }) => score >= LISTED_FROM);
const nine = cards[8]![0];

describe('titles of a source that name another item', () => {
  test.each<[string, TitleCell[], boolean, number?]>([
    ['three name the other printing', [titleCell(plain, holo, 3)], true],
    ['two name another card', [titleCell(plain, stranger, 2)], true],
    ['two name printings of another card', [titleCell(plain, stranger, 1), titleCell(plain, holoStranger, 1)], true],
    ['one names another card', [titleCell(plain, stranger, 1)], false],
    ['two name another card, and four the item', [titleCell(plain, stranger, 2), titleCell(plain, plain, 4)], false],
    ['two name two other cards', [titleCell(plain, stranger, 1), titleCell(plain, cards[9]![0], 1)], false],
    ['none names another item', [titleCell(plain, plain, 5)], false],
    ['three leave "Holo" out, which sellers do', [titleCell(holo, plain, 3)], false, 2],
    ['three have "Holo", which sellers do not add', [titleCell(plain, holo, 3)], true, 2],
    ['three leave a sign of the number out', [titleCell(SIGNED, nine, 3)], false, 2],
    ['three name a reprint with the same number', [titleCell(nine, reprint, 3)], false, 2],
  ])('%s', (_, titles, isListed, leftOut) => {
    expect(listed(sourceFactors, titles, leftOut).map(({ subject }) => subject)).toEqual(
      isListed ? [titles[0]!.itemId] : [],
    );
  });

  test('withhold what the source has of the item, and are the evidence', () => {
    const [found] = listed(sourceFactors, [
      titleCell(plain, stranger, 3),
      titleCell(plain, plain, 5, { source: 'shop' }),
    ]);
    expect(found!.series).toEqual(['psa-10', 'psa-9'].map((gradeKey) => ({ itemId: plain.itemId, gradeKey })));
    expect(found!.evidence[0]).toEqual({
      text: 'Card 3 #3, English, plain: 3 titles from ebay name Card 8 #8, none names this one.',
      data: { titles: 3, titlesOfOther: 3, fits: stranger.itemId },
    });
  });

  test('that name the item, in each source, speak against its prices', () => {
    const found = (titles: TitleCell[]) =>
      foundBy(
        sourceFactors,
        gameRows(
          priced.map(({ item, cells }) => ({
            item,
            cells: cells.map((cell) =>
              item === plain && cell.source === 'ebay' ? { ...cell, logPrice: cell.logPrice + Math.log(5) } : cell,
            ),
          })),
          [...others(), ...titles],
        ),
      ).filter(({ score }) => score >= LISTED_FROM);
    expect(found([]).map(({ subject }) => subject)).toEqual([plain.itemId]);
    expect(found(['ebay', 'shop'].map((source) => titleCell(plain, plain, 6, { source })))).toEqual([]);
  });
});

test.each([
  [2, true],
  [12, false],
])(
  'three titles of one of %i printings that name another one: the more there are, the less it says',
  (count, isListed) => {
    const printings = Array.from({ length: count }, (_, at) => auditedItem({ number: '1', variation: `Kind ${at}` }));
    const all = gameRows(
      printings.map((item) => ({ item, cells: [priceCell(item, 20)] })),
      [titleCell(printings[0]!, printings[1]!, 3)],
    );
    const found = foundBy(sourceFactors, all).filter(({ score }) => score >= LISTED_FROM);
    expect(found.map(({ subject }) => subject)).toEqual(isListed ? [printings[0]!.itemId] : []);
  },
);

describe('titles of a grade that name another item', () => {
  const atNine = { gradeKey: 'psa-9' };
  test.each<[string, TitleCell[], boolean]>([
    ['four name the other printing', [titleCell(plain, holo, 4, atNine), titleCell(plain, plain, 4)], true],
    ['three do', [titleCell(plain, holo, 3, atNine), titleCell(plain, plain, 4)], true],
    ['two do', [titleCell(plain, holo, 2, atNine), titleCell(plain, plain, 4)], false],
    [
      'four do at one grade, where others name the item',
      [titleCell(plain, holo, 4, atNine), titleCell(plain, plain, 8, atNine)],
      false,
    ],
  ])('%s', (_, titles, isListed) => {
    expect(listed(offCurve, titles).map(({ subject }) => subject)).toEqual(isListed ? [`${plain.itemId} psa-9`] : []);
  });
});

test('a source that has another card explains its grades, and a swap explains both', () => {
  const audited = (titles: readonly TitleCell[]) =>
    auditGame({ ...rows(titles), shared: [], idsOf: new Map() }).map(({ kind, subject }) => [kind, subject]);
  const ofSource = GRADES.map((gradeKey) => titleCell(plain, stranger, 4, { gradeKey }));
  expect(audited(ofSource)).toEqual([['source_factor', plain.itemId]]);
  const swapped = [titleCell(plain, holo, 4), titleCell(holo, plain, 4)];
  expect(audited(swapped)).toEqual([['swapped_siblings', [plain.itemId, holo.itemId].sort().join(' ')]]);
});

test('a shifted set does not make it usual that titles name another card', () => {
  const shifted = Array.from({ length: 30 }, (_, at) =>
    auditedItem({ number: `${at + 1}`, setId: 3, name: `Other ${at}` }),
  );
  const base = rows([
    titleCell(plain, stranger, 2),
    ...shifted.flatMap((item, at) => (shifted[at + 1] ? [titleCell(item, shifted[at + 1]!, 3)] : [])),
  ]);
  const sold = shifted.map((item, at) => priceCell(item, 20 * Math.exp(jitter(at))));
  const found = auditGame({
    ...{ ...base, items: [...base.items, ...shifted], cells: [...base.cells, ...sold] },
    ...{ shared: [], idsOf: new Map() },
  });
  expect(found.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['shifted_set', '3 English'],
    ['source_factor', plain.itemId],
  ]);
});
