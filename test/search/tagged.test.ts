import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GAMES } from '../../src/catalog/games.ts';
import { characterCalled, itemsPassing } from '../../src/search/tagged.ts';
import { aSearchSet, aSearchTag, smallIndex } from './query/small-index.ts';

const SETS = GAMES.slice(0, 3).map((game, at) => aSearchSet({ id: at + 1, game }));
const SLUGS = ['a', 'b', 'c'];
/** Each slug as a global tag and as one of each of two games; the last is not of the index. */
const TAGS = SLUGS.flatMap((slug, s) =>
  [null, GAMES[0]!, GAMES[1]!].map((game, g) => aSearchTag({ id: s * 3 + g + 1, slug, game })),
);

const item = fc.record({
  set: fc.constantFrom(...SETS),
  isImaged: fc.boolean(),
  tagIds: fc.uniqueArray(fc.integer({ min: 1, max: TAGS.length + 1 }), { maxLength: 6 }),
});
const filter = fc.record({
  slugs: fc.array(fc.constantFrom(...SLUGS, 'unknown', ''), { minLength: 1, maxLength: 8 }),
  game: fc.constantFrom(null, ...GAMES.slice(0, 4)),
});

test('a filter passes the imaged items of the game that have every tag, each by a tag global or of their game', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), filter, (items, { slugs, game }) => {
      const { index } = smallIndex(
        items.map((one) => ({ ...one, name: 'Card' })),
        { tags: TAGS },
      );
      const tags = slugs.map((slug) => (slug === '' ? '' : `mood:${slug}`));
      const passing = [...itemsPassing(index, { tags, character: null, game })];
      const expected = items.flatMap(({ set, isImaged, tagIds }, place) => {
        const own = TAGS.filter((tag) => tagIds.includes(tag.id) && (tag.game === null || tag.game === set.game));
        const hasAll = slugs.every((slug) => own.some((tag) => tag.slug === slug));
        return hasAll && isImaged && (game === null || set.game === game) ? [place] : [];
      });
      expect(passing).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

describe('a character', () => {
  const tags = [
    aSearchTag({ id: 1, kind: 'character', slug: 'farfetch-d', name: "Farfetch'd", aliases: ['Porenta', 'カモネギ'] }),
    aSearchTag({ id: 2, kind: 'character', slug: 'porenta', name: 'Porenta', game: 'digimon' }),
    aSearchTag({ id: 3, kind: 'mood', slug: 'mew', name: 'Mew' }),
    aSearchTag({ id: 4, kind: 'character', slug: 'pik', name: '???', aliases: ['', ' ', '?'] }),
  ];
  const { index } = smallIndex(
    [
      { name: "Farfetch'd", tagIds: [1] },
      { name: 'Porenta', set: aSearchSet({ id: 2, game: 'digimon' }), tagIds: [2], isImaged: false },
    ],
    { tags },
  );
  const itemsOf = (name: string) => {
    const character = characterCalled(index, name);
    return character && [...itemsPassing(index, { tags: [], character, game: null })].slice(0, 9);
  };

  test.each(['farfetch-d', "Farfetch'd", 'FARFETCH’D', 'カモネギ', 'ｶﾓﾈｷﾞ'])('is called %s', (name) => {
    expect(itemsOf(name)).toEqual([0]);
  });

  test('of several games called the same is each of them, with an image or without', () => {
    expect(itemsOf('porenta')).toEqual([0, 1]);
  });

  test.each(['mew', 'farfetch', '', ' ', '?', '???', '__proto__', 'constructor'])('is not called "%s"', (name) => {
    expect(characterCalled(index, name)).toBeNull();
  });
});
