import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  corrections,
  errorsForgiven,
  gameBit,
  placeOf,
  prefixRange,
  typingErrors,
  vocabularyOf as vocabularyOfUses,
} from '../../../src/search/index/vocabulary.ts';

/** Few letters, so that words are often near to each other. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 10 });
const longWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 4, maxLength: 10 });
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 60 });
const counted = fc.dictionary(longWord, fc.integer({ min: 1, max: 50 }), { minKeys: 1, maxKeys: 60 });

/** Of words with how many items have each. */
function vocabularyOf(counts: Readonly<Record<string, number>> | readonly string[]) {
  const entries = Array.isArray(counts) ? counts.map((word, at) => [word, at + 1] as const) : Object.entries(counts);
  return vocabularyOfUses(new Map(entries.map(([word, items]) => [word, { items, games: gameBit('mtg') }])));
}

/** Optimal string alignment by its definition: the least over all last steps. */
function naiveErrors(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [lastA, lastB] = [a.at(-1), b.at(-1)];
  const ways = [
    naiveErrors(a.slice(0, -1), b) + 1,
    naiveErrors(a, b.slice(0, -1)) + 1,
    naiveErrors(a.slice(0, -1), b.slice(0, -1)) + (lastA === lastB ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && lastA === b.at(-2) && a.at(-2) === lastB) {
    ways.push(naiveErrors(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return Math.min(...ways);
}

/** Every word that one slip of the finger makes of another. */
function slips(original: string): Set<string> {
  const made = new Set<string>();
  for (let i = 0; i <= original.length; i++) {
    const [before, after] = [original.slice(0, i), original.slice(i)];
    for (const letter of 'abcd') made.add(before + letter + after).add(before + letter + after.slice(1));
    made.add(before + after.slice(1));
    if (after.length > 1) made.add(before + after[1] + after[0] + after.slice(2));
  }
  return made;
}

describe('typing errors', () => {
  test('are what the definition counts, and one more than the limit where they are more', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(short, short, fc.integer({ min: 0, max: 3 }), (a, b, limit) => {
        expect(typingErrors(a, b, limit)).toBe(Math.min(naiveErrors(a, b), limit + 1));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['charizard', 'charizrd', 1],
    ['charizard', 'hcarizard', 1],
    ['charizard', 'charizzard', 1],
    ['charizard', 'charisard', 1],
    ['ca', 'abc', 3],
  ])('%s and %s: %i', (a, b, errors) => {
    expect(typingErrors(a, b, 3)).toBe(errors);
    expect(typingErrors(b, a, 3)).toBe(errors);
  });
});

describe('a vocabulary', () => {
  test('has each word at its place, and no other', () => {
    fc.assert(
      fc.property(words, word, (list, other) => {
        const vocabulary = vocabularyOf(list);
        for (const [at, one] of list.entries()) {
          expect(vocabulary.words[placeOf(vocabulary, one)]).toBe(one);
          expect(vocabulary.items[placeOf(vocabulary, one)]).toBe(at + 1);
        }
        if (!list.includes(other)) expect(placeOf(vocabulary, other)).toBe(-1);
      }),
    );
  });

  test('gives every word that begins so, and no other', () => {
    const scripts = fc.string({ unit: fc.constantFrom('a', 'b', 'ピ', '龍', '😀', 'z'), maxLength: 4 });
    fc.assert(
      fc.property(fc.uniqueArray(scripts, { maxLength: 40 }), scripts, (list, prefix) => {
        const { words } = vocabularyOf(list);
        const [from, to] = prefixRange(vocabularyOf(list), prefix);
        expect(words.slice(from, to)).toEqual(words.filter((one) => one.startsWith(prefix)));
      }),
    );
  });
});

describe('corrections', () => {
  test('never miss the nearest other words within the errors forgiven: all are among them, up to eight', () => {
    fc.assert(
      fc.property(counted, longWord, (counts, asked) => {
        const vocabulary = vocabularyOf(counts);
        const found = corrections(vocabulary, asked);
        const distances = vocabulary.words.map((one) => typingErrors(asked, one, 3) || Number.POSITIVE_INFINITY);
        const nearest = Math.min(...distances);
        const expected =
          nearest > errorsForgiven(asked.length) ? [] : vocabulary.words.filter((_, at) => distances[at] === nearest);
        expect(found).toHaveLength(Math.min(8, expected.length));
        for (const { place, distance } of found) {
          expect(expected).toContain(vocabulary.words[place]);
          expect(distance).toBe(nearest);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('find a word of four letters or more through every single slip that leaves four', () => {
    fc.assert(
      fc.property(longWord, (original) => {
        const vocabulary = vocabularyOf([original]);
        for (const slip of slips(original)) {
          if (slip.length >= 4 && slip !== original) expect(corrections(vocabulary, slip), slip).toHaveLength(1);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('are the most frequent first where they are as near', () => {
    const vocabulary = vocabularyOf({ pikachu: 3, pikochu: 9, raichu: 99 });
    expect(corrections(vocabulary, 'pikxchu').map(({ place }) => vocabulary.words[place])).toEqual([
      'pikochu',
      'pikachu',
    ]);
  });

  test('of words under four letters there are none, and of long words with two errors there are', () => {
    const vocabulary = vocabularyOf(['mew', 'charizard']);
    expect(corrections(vocabulary, 'mwe')).toEqual([]);
    expect(corrections(vocabulary, 'cahrizzard')).toHaveLength(1);
    expect(corrections(vocabulary, 'xhxrixard')).toEqual([]);
  });
});
