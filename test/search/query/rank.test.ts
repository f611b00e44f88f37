import { describe, expect, test } from 'vitest';
import { aSearchSet, smallIndex } from './small-index.ts';

/** Words that differ in every letter, so that no query finds them but by the word they share. */
function word(i: number): string {
  return [...i.toString(26)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .join('')
    .padStart(4, 'q');
}

test('of more than 300 equals the 300 in most demand are found, whatever their names', () => {
  const items = Array.from({ length: 400 }, (_, i) => ({ name: `Dragon ${word(i)}` }));
  // Among those in least demand are more cards with the names of those in most demand.
  for (let i = 0; i < 20; i++) items[399 - i] = items[i]!;
  expect(smallIndex(items).find('dragon')).toEqual(Array.from({ length: 300 }, (_, i) => i));
});

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const FOSSIL = aSearchSet({ id: 9, name: 'Fossil', code: 'fo1', year: 1999 });
const NEO = aSearchSet({ id: 8, name: 'Neo', code: null, year: 2000 });

describe('where cards are looked for', () => {
  const inSet = { name: 'Aerodactyl', number: '99', set: FOSSIL };
  const varied = { name: 'Kabuto', number: '98', variation: 'Fossil Stamp' };

  test('in sets too, while fewer than twelve cards have every word in their names', () => {
    const named = (count: number) => many(count, (i) => ({ name: 'Fossil', number: String(i) }));
    expect(smallIndex([...named(11), inSet]).find('fossil')).toContain(11);
    expect(smallIndex([...named(12), inSet]).find('fossil')).not.toContain(12);
  });

  test('in variations, rarities, artists and teams only where no card has every word in its name or set', () => {
    expect(smallIndex([inSet, varied]).find('fossil')).toEqual([0]);
    expect(smallIndex([{ ...inSet, set: NEO }, varied]).find('fossil')).toEqual([1]);
    expect(smallIndex([{ name: 'Kabuto', rarity: 'Fossil' }]).find('fossil')).toEqual([0]);
    expect(smallIndex([{ name: 'Kabuto', extras: ['Fossil'] }]).find('fossil')).toEqual([0]);
  });

  test('in the language, the year or the game that is named, where no word is of the catalog', () => {
    const cards = [
      { name: 'Kabuto', set: FOSSIL },
      { name: 'Lugia', set: NEO },
      { name: 'Lugia', set: NEO, language: 'Japanese' as const },
      { name: 'Dragon', set: aSearchSet({ id: 7, game: 'yugioh', name: 'Legend', code: null, year: 2002 }) },
    ];
    const { find } = smallIndex(cards);
    expect(find('japanese')).toEqual([2]);
    expect(find('2000')).toEqual([1, 2]);
    expect(find('yugioh')).toEqual([3]);
    expect(find('qwertyuiop')).toEqual([]);
    expect(find('japanese', [0, 1])).toEqual([]);
  });

  test('of a game named alone, among the 300 allowed ones in most demand', () => {
    const { find } = smallIndex(many(700, (i) => ({ name: `Dragon ${word(i)}` })));
    expect(find('pokemon')).toEqual(many(300, (i) => i));
    expect(find('pokemon', [650, 660])).toEqual([650, 660]);
  });

  test('by a number only among cards with a word of the query in name or set, where it has words', () => {
    const cards = [
      { name: 'Kabuto', number: '77', set: NEO },
      { name: 'Lugia', number: '77', set: FOSSIL },
      { name: 'Lugia', number: '5', set: NEO },
    ];
    const { find } = smallIndex(cards);
    expect(find('77')).toEqual([0, 1]);
    expect(find('kabuto 77')).toEqual([0]);
    expect(find('fossil 77')[0]).toBe(1);
    expect(find('the 77')).toEqual([0, 1]);
  });
});

test('a card that has less than half of what the best has is not found', () => {
  const cards = [
    { name: 'Dark Raichu' },
    { name: 'Raichu' },
    { name: 'Dark Muk' },
    ...many(40, () => ({ name: 'Muk' })),
  ];
  expect(smallIndex(cards).find('dark raichu')).toEqual([0, 1, 2]);
  expect(smallIndex([...cards, ...many(30, () => ({ name: 'Raichu' }))]).find('dark raichu')).not.toContain(50);
});

test('a word that thousands have finds the cards in most demand, those with more of the query first', () => {
  const cards = many(3000, (i) => ({ name: i === 2900 ? 'Dragon Emperor' : 'Dragon', number: String(i) }));
  const { find } = smallIndex(cards);
  expect(find('dragon').slice(0, 250)).toEqual(many(250, (i) => i));
  expect(find('dragon emperor')[0]).toBe(2900);
  expect(find('dragon 2950')[0]).toBe(2950);
});

describe('of the cards with a word', () => {
  /** So many dragons, the last of them without the second word of its name, which makes it the better answer to "dragon". */
  const dragons = (count: number) => many(count, (i) => ({ name: i === count - 1 ? 'Dragon' : `Dragon ${word(i)}` }));

  test('all are scored where they are 600 at most, else the 300 in most demand', () => {
    expect(smallIndex(dragons(600)).find('dragon')[0]).toBe(599);
    expect(smallIndex(dragons(601)).find('dragon')).toEqual(many(300, (i) => i));
  });

  test('also where they are less than a 64th of the catalog', () => {
    const some = dragons(601);
    for (let i = 0; i < 20; i++) some[600 - i] = some[i]!;
    some[300] = { name: 'Dragon' };
    const cards = many(601 * 65, (i) => (i % 65 === 64 ? some[(i - 64) / 65]! : { name: 'Kabuto' }));
    expect(smallIndex(cards).find('dragon')).toEqual(many(300, (i) => 65 * i + 64));
  });

  test('the 300 are those of them that are allowed', () => {
    const { find } = smallIndex(dragons(700));
    expect(find('dragon', [3, 699])).toEqual([699, 3]);
  });

  test('those with all words are scored however low the demand', () => {
    const cards = many(1401, (i) => ({ name: i === 1400 ? 'Dark Dragon' : i % 2 === 0 ? 'Dark' : 'Dragon' }));
    expect(smallIndex(cards).find('dark dragon')[0]).toBe(1400);
  });
});

describe('a card counts once', () => {
  const named = { name: 'Fossil', printedName: 'Fossil' };
  const inSet = { name: 'Aerodactyl', number: '99', set: FOSSIL };

  test('though its name and its printed name have the word, when it is decided whether sets are searched', () => {
    expect(smallIndex([...many(11, () => named), inSet]).find('fossil')).toContain(11);
  });

  test('only with every word of the query', () => {
    const cards = [...many(20, (i) => ({ name: 'Kabuto', number: String(i) })), { ...inSet, name: 'Muk' }];
    expect(smallIndex(cards).find('kabuto fossil')).toContain(20);
  });
});

describe('a number', () => {
  const kabutos = many(40, (i) => ({ name: 'Kabuto', number: String(100 + i) }));
  const lugia = { name: 'Lugia', number: '77' };

  test.each(['kabuto 77', '77 kabuto'])('finds no card without a word of the query: %s', (q) => {
    expect(smallIndex([...kabutos, lugia]).find(q)).toEqual(many(40, (i) => i));
  });

  test('that one of the named cards has leaves out those that have only a word that all have', () => {
    const cards = [...kabutos, { name: 'Kabuto', number: '77' }];
    expect(smallIndex(cards).find('kabuto 77')).toEqual([40]);
  });

  const last = (details: object) => many(700, (i) => ({ name: word(i), number: String(i), ...details }));

  test('finds the card however low the demand, by one word of several, in its name, printed name or set', () => {
    const other = { name: 'Aerodactyl', number: '9999', set: FOSSIL };
    expect(smallIndex([...last({ name: 'Dragon' }), other]).find('dragon fossil 695')[0]).toBe(695);
    expect(smallIndex(last({ printedName: 'Glurak' })).find('glurak 695')[0]).toBe(695);
    expect(smallIndex(last({ set: FOSSIL })).find('fossil 695')[0]).toBe(695);
  });
});

describe('where only a game or a year is named', () => {
  test('the 300 in most demand are scored', () => {
    const { find } = smallIndex(many(700, (i) => ({ name: word(i), variation: i < 400 ? 'Foil' : null })));
    expect(find('pokemon')).toEqual(many(300, (i) => i));
  });

  test('where a name is found, other cards of the year are not', () => {
    const cards = [...many(40, () => ({ name: 'Kabuto', set: NEO })), { name: 'Lugia', set: NEO }];
    expect(smallIndex(cards).find('kabuto 2000')).toEqual(many(40, (i) => i));
  });
});
