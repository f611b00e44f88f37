import { describe, expect, test } from 'vitest';
import { swappedSiblings } from '../../src/audit/detect/swapped-siblings.ts';
import type { PriceCell } from '../../src/audit/game-book.ts';
import { LISTED_FROM } from '../../src/audit/suspect.ts';
import { auditedItem, foundBy, gameRows, jitter, priceCell, scoreOf } from './rows.ts';

/** Twenty cards with a plain and a holo printing; holo usually sells for `ratio` times the price. `ofCard` may say otherwise. */
function holoSet(ratio: number, ofCard: (at: number) => { plain: number; holo: number; sales?: number } | null) {
  return gameRows(
    Array.from({ length: 20 }, (_, at) => {
      const price = 20 * (1 + (at % 5)) * Math.exp(jitter(at));
      const { plain, holo, sales = 6 } = ofCard(at) ?? { plain: price, holo: price * ratio * Math.exp(jitter(at + 7)) };
      return [
        { item: auditedItem({ number: `${at + 1}` }), usd: plain, sales },
        { item: auditedItem({ number: `${at + 1}`, variation: 'Holo' }), usd: holo, sales },
      ];
    })
      .flat()
      .map(({ item, usd, sales }) => ({ item, cells: [priceCell(item, usd, { sales })] })),
  );
}

const HOLO_3 = '1/3/English/Holo 1/3/English/plain';

describe('swapped siblings', () => {
  test.each([
    ['a holo at a quarter of its plain printing, where holos sell for four times the price', 4, 0.25, 'withheld'],
    ['a holo at twice the price, where holos sell for four times', 4, 2, 'not listed'],
    ['a holo at the price of the plain one', 4, 1, 'not listed'],
    ['a holo at four fifths, where both sell for about the same', 1.1, 0.8, 'not listed'],
  ])('%s', (_, usual, ratio, outcome) => {
    const found = foundBy(
      swappedSiblings,
      holoSet(usual, (at) => (at === 2 ? { plain: 40, holo: 40 * ratio } : null)),
    );
    const score = scoreOf(found, HOLO_3);
    if (outcome === 'withheld') expect(score).toBeGreaterThan(LISTED_FROM);
    else expect(score).toBeLessThan(LISTED_FROM);
    const others = found.filter(({ subject, score }) => subject !== HOLO_3 && score >= LISTED_FROM);
    expect(others).toEqual([]);
  });

  test('too little evidence: nothing is known of the kinds besides the card itself', () => {
    const [one, other] = [auditedItem({ number: '1' }), auditedItem({ number: '1', variation: 'Holo' })];
    const rows = gameRows([one, other].map((item, at) => ({ item, cells: [priceCell(item, at === 0 ? 100 : 10)] })));
    expect(foundBy(swappedSiblings, rows).filter(({ score }) => score >= LISTED_FROM)).toEqual([]);
  });

  test('the evidence states the ratio, the usual one, and the cards that it rests on', () => {
    const found = foundBy(
      swappedSiblings,
      holoSet(4, (at) => (at === 2 ? { plain: 40, holo: 10 } : null)),
    );
    const [evidence] = found.find(({ subject }) => subject === HOLO_3)!.evidence;
    expect(evidence!.text).toMatch(
      /^Card 3 #3: English, Holo sells for 0\.25 times the price of English, plain; the usual/,
    );
    expect(evidence!.data).toMatchObject({ ratio: 0.25, cardsOfSet: 19 });
  });

  test('a source whose ratio is the inverse of the others’ is found without a usual ratio', () => {
    const items = [auditedItem({ number: '1' }), auditedItem({ number: '1', variation: 'Holo' })];
    const cells = (item: (typeof items)[number], elsewhere: number, here: number): PriceCell[] => [
      priceCell(item, elsewhere),
      priceCell(item, here, { source: 'other' }),
    ];
    const rows = gameRows([
      { item: items[0]!, cells: cells(items[0]!, 30, 100) },
      { item: items[1]!, cells: cells(items[1]!, 100, 30) },
    ]);
    const [found] = foundBy(swappedSiblings, rows);
    expect(found!.score).toBeGreaterThan(LISTED_FROM);
    expect(found!.evidence[0]!.data).toHaveProperty('source');
  });
});

describe('swaps of one source', () => {
  /** Holos sell for four times the price in both sources; of card 3, one source has the prices `other` and `otherHolo`. */
  const scored = (other: number, otherHolo: number | null, names = ['Card 3', 'Card 3']) => {
    const priced = Array.from({ length: 12 }, (_, at) => {
      const price = 20 * Math.exp(jitter(at));
      const isOdd = at === 2;
      const of = (variation: string | null, usd: number, elsewhere: number | null) => {
        const name = isOdd ? names[variation === null ? 0 : 1]! : `Card ${at + 1}`;
        const item = auditedItem({ number: `${at + 1}`, variation, name });
        const second = elsewhere === null ? [] : [priceCell(item, elsewhere, { source: 'other', gradeKey: 'psa-9' })];
        return { item, cells: [priceCell(item, usd), priceCell(item, usd / 2, { gradeKey: 'psa-9' }), ...second] };
      };
      return isOdd
        ? [of(null, price, other), of('Holo', 4 * price, otherHolo)]
        : [of(null, price, price / 2), of('Holo', 4 * price, 2 * price)];
    });
    const found = foundBy(swappedSiblings, gameRows(priced.flat()));
    return found.find(({ subject }) => subject === HOLO_3);
  };
  test.each<[string, ReturnType<typeof scored>, boolean]>([
    ['the prices of each other', scored(40, 10), true],
    [
      'the prices of each other, of a card that two catalogs spell in two ways',
      scored(40, 10, ['Mew ☆ δ', 'Mew ★ δ']),
      true,
    ],
    ['their own prices', scored(10, 40), false],
    ['a discount of a fifth on both', scored(8, 32), false],
    ['a holo at twice its price', scored(10, 80), false],
  ])('%s', (_, found, isListed) => {
    if (isListed) expect(found!.score).toBeGreaterThan(LISTED_FROM);
    else expect(found!.score).toBeLessThan(LISTED_FROM);
    if (isListed) expect(found!.evidence[0]!.data).toMatchObject({ source: 'other', ratio: 0.25, ratioElsewhere: 4 });
  });

  test('where the source has one of the two alone, the evidence is the usual ratio', () => {
    expect(scored(40, null)!.evidence[0]!.data).not.toHaveProperty('source');
  });
});

test('of three printings of a card, those that are swapped are named', () => {
  const cards = Array.from({ length: 15 }, (_, at) =>
    ['plain', 'Holo', 'Gold'].map((kind, place) => {
      const prices = at === 2 ? [20, 500, 100] : [20, 100, 500];
      const item = auditedItem({ number: `${at + 1}`, variation: kind === 'plain' ? null : kind });
      return { item, cells: [priceCell(item, prices[place]! * Math.exp(jitter(at + 3 * place)))] };
    }),
  );
  const found = foundBy(swappedSiblings, gameRows(cards.flat())).filter(({ score }) => score >= LISTED_FROM);
  expect(found.map(({ subject }) => subject)).toEqual(['1/3/English/Gold 1/3/English/Holo']);
  expect(found[0]!.score).toBeLessThanOrEqual(1);
});
