import { describe, expect, test } from 'vitest';
import { shiftedSets } from '../../src/audit/detect/shifted-set.ts';
import { swappedSiblings } from '../../src/audit/detect/swapped-siblings.ts';
import { openGameBook, type TitleCell } from '../../src/audit/game-book.ts';
import { type FoundSuspect, LISTED_FROM } from '../../src/audit/suspect.ts';
import { cardTitleRatio } from '../../src/audit/title-tally.ts';
import { auditedItem, foundBy, gameRows, jitter, priceCell, titleCell } from './rows.ts';

const CARDS = 20;
const SWAPPED = '3';
/** Plain and holo printings of twenty cards that sell for the same: their prices say nothing. */
const items = Array.from({ length: CARDS }, (_, at) =>
  [null, 'Holo'].map((variation) => auditedItem({ number: `${at + 1}`, variation })),
);
const priced = items.flat().map((item, at) => ({ item, cells: [priceCell(item, 20 * Math.exp(jitter(at)))] }));

type Said = { own: number; other: number };
/** Titles of each printing that name it, and that name the other one; of the card in question as given. */
function titlesOf({ plain, holo }: { plain: Said; holo: Said }, usual: { plain: Said; holo: Said }, source = 'ebay') {
  return items.flatMap(([one, other], at): TitleCell[] => {
    const said = at === Number(SWAPPED) - 1 ? { plain, holo } : usual;
    return [
      titleCell(one!, one!, said.plain.own, { source }),
      titleCell(one!, other!, said.plain.other, { source }),
      titleCell(other!, other!, said.holo.own, { source }),
      titleCell(other!, one!, said.holo.other, { source }),
    ].filter(({ titles }) => titles > 0);
  });
}

const listed = (found: readonly FoundSuspect[]) => found.filter(({ score }) => score >= LISTED_FROM);
const swapsBy = (titles: readonly TitleCell[]) => listed(foundBy(swappedSiblings, gameRows(priced, titles)));
const RIGHT = { plain: { own: 5, other: 0 }, holo: { own: 5, other: 0 } };
const LEFT_OUT = { plain: { own: 5, other: 0 }, holo: { own: 1, other: 4 } };

describe('titles of two printings of a card', () => {
  test.each([
    ['every title names the other printing', { plain: { own: 0, other: 3 }, holo: { own: 0, other: 3 } }, RIGHT, true],
    ['two titles on each side do', { plain: { own: 0, other: 2 }, holo: { own: 0, other: 2 } }, RIGHT, true],
    ['one title on each side does', { plain: { own: 0, other: 1 }, holo: { own: 0, other: 1 } }, RIGHT, true],
    ['one of five does', { plain: { own: 4, other: 1 }, holo: { own: 5, other: 0 } }, RIGHT, false],
    [
      'one side has the other’s titles, and the other its own',
      { plain: { own: 0, other: 3 }, holo: { own: 4, other: 0 } },
      RIGHT,
      false,
    ],
    [
      'sellers leave "holo" out, here as elsewhere',
      { plain: { own: 5, other: 0 }, holo: { own: 0, other: 5 } },
      LEFT_OUT,
      false,
    ],
    [
      'sellers leave "holo" out, and the plain printing has it',
      { plain: { own: 1, other: 4 }, holo: { own: 0, other: 5 } },
      LEFT_OUT,
      true,
    ],
    ['there are none', { plain: { own: 0, other: 0 }, holo: { own: 0, other: 0 } }, RIGHT, false],
  ])('are swapped or not: %s', (_, said, usual, isSwapped) => {
    expect(swapsBy(titlesOf(said, usual)).map(({ subject }) => subject)).toEqual(
      isSwapped ? ['1/3/English/Holo 1/3/English/plain'] : [],
    );
  });

  test('are distinguished by source: what one leaves out says nothing of another', () => {
    const exact = titlesOf(RIGHT, RIGHT, 'exact');
    const terse = titlesOf({ plain: { own: 5, other: 0 }, holo: { own: 0, other: 5 } }, LEFT_OUT, 'terse');
    expect(swapsBy([...exact, ...terse])).toEqual([]);
  });

  test('are not excused by themselves: the only card of its kinds is judged by what is usual anywhere', () => {
    const alone = items[0]!.map((item) => ({ item, cells: [priceCell(item, 20)] }));
    const [one, other] = items[0]!;
    const titles = [titleCell(one!, other!, 6), titleCell(other!, one!, 6)];
    expect(listed(foundBy(swappedSiblings, gameRows(alone, titles)))).toHaveLength(1);
  });

  test('are evidence with their counts', () => {
    const [found] = swapsBy(titlesOf({ plain: { own: 1, other: 3 }, holo: { own: 0, other: 4 } }, RIGHT));
    expect(found!.evidence[0]).toEqual({
      text:
        'Card 3 #3: of the titles that name one of the two, 4 of 4 recorded as English, Holo name English, plain, and ' +
        '3 of 4 recorded as English, plain name English, Holo.',
      data: { titles: 4, titlesOfOther: 4, titlesThere: 4, titlesOfOtherThere: 3 },
    });
  });
});

describe('titles of a set', () => {
  const plain = items.map(([one]) => one!);
  const rows = (titles: readonly TitleCell[]) =>
    openGameBook(
      gameRows(
        plain.map((item, at) => ({ item, cells: [priceCell(item, 20 * Math.exp(jitter(at)))] })),
        titles,
      ),
    );

  test.each([
    ['each names the number after its own', 1, true],
    ['each names the number before its own', -1, true],
    ['each names its own', 0, false],
  ])('are shifted or not: %s', (_, by, isShifted) => {
    const titles = plain.flatMap((item, at) =>
      plain[at + by] === undefined ? [] : [titleCell(item, plain[at + by]!, 2)],
    );
    const found = listed(shiftedSets(rows(titles)));
    expect(found.map(({ subject }) => subject)).toEqual(isShifted ? ['1 English'] : []);
    if (isShifted) expect(found[0]!.evidence[0]!.data).toMatchObject({ titles: 38, titlesOfNext: 38, shift: by });
  });

  test('count by their number, whichever printing of it they name', () => {
    const rows = items.flat().map((item, at) => ({ item, cells: [priceCell(item, 20 * Math.exp(jitter(at)))] }));
    const titles = items.flatMap(([, holo], at) => (at + 1 < CARDS ? [titleCell(holo!, items[at + 1]![0]!, 2)] : []));
    const found = listed(shiftedSets(openGameBook(gameRows(rows, titles))));
    expect(found.map(({ subject }) => subject)).toEqual(['1 English']);
  });

  test('of a few numbers do not shift it', () => {
    const titles = plain.flatMap((item, at) => [titleCell(item, plain[at < 4 ? at + 1 : at]!, 2)]);
    expect(listed(shiftedSets(rows(titles)))).toEqual([]);
  });
});

test('more titles alike say less than as many different ones would', () => {
  const of = (titles: number) => cardTitleRatio({ titles, other: titles });
  expect(cardTitleRatio({ titles: 0, other: 0 })).toBe(0);
  expect(cardTitleRatio({ titles: 2, other: 1 })).toBeCloseTo(0, 9);
  expect(of(1)).toBeCloseTo(Math.log(0.995 / 0.005), 9);
  expect(of(4)).toBeLessThan(2 * of(1) + 2);
});
