import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newIndexBuilder, rosterKey, type SearchItem } from '../../../src/search/index/build.ts';
import { listAt } from '../../../src/search/index/lists.ts';
import type { SearchIndex } from '../../../src/search/index/search-index.ts';
import { placeOf } from '../../../src/search/index/vocabulary.ts';
import { aSearchSet, type SmallItem, smallIndex } from '../query/small-index.ts';

const names = ['Mew', 'Mew ex', 'Charizard', 'ミュウ', ''];
const item: fc.Arbitrary<SmallItem> = fc.record({
  name: fc.constantFrom(...names),
  printedName: fc.constantFrom(null, 'ミュウ', 'リザードンex'),
  set: fc.constantFrom(aSearchSet(), aSearchSet({ id: 2, name: 'Jungle', code: null, game: 'mtg' })),
  number: fc.constantFrom(null, '1', '4/102', 'OP05-119'),
  language: fc.constantFrom('English', 'Japanese'),
  variation: fc.constantFrom(null, 'Holo'),
});

describe('an index', () => {
  test('has each item under each of its values, best first, and each word under each value that has it', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), (items) => {
        const { index } = smallIndex(items);
        expect(index.size).toBe(items.length);
        for (const column of [index.names, index.printed, index.sets, index.variations]) {
          const listed = Array.from({ length: column.count }, (_, value) => [...listAt(column.items, value)]);
          expect(listed.flat().sort((a, b) => a - b)).toEqual(items.map((_, at) => at));
          for (const [value, all] of listed.entries()) {
            expect(all).toEqual(all.toSorted((a, b) => a - b));
            for (const one of all) expect(column.of[one]).toBe(value);
          }
        }
        for (const [at, { set, language }] of items.entries()) {
          expect(index.gameOfSet[index.sets.of[at]!]).toBe(set!.game);
          expect(index.languages[index.languageOf[at]!]).toBe(language);
        }
        const mew = placeOf(index.vocabulary, 'mew');
        const having = mew < 0 ? [] : [...listAt(index.names.byWord, mew)];
        for (const [at, { name }] of items.entries())
          expect(having.includes(index.names.of[at]!)).toBe(name.startsWith('Mew'));
        if (mew >= 0) {
          expect(index.vocabulary.items[mew]).toBe(items.filter(({ name }) => name.startsWith('Mew')).length);
        }
      }),
    );
  });

  test('knows the printings of one card by the best of them', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), (items) => {
        const { index } = smallIndex(items);
        const card = ({ set, number, name }: SmallItem) => JSON.stringify([set!.id, number ?? '', name]);
        for (const [at, one] of items.entries()) {
          expect(index.cardOf[at]).toBe(items.findIndex((other) => card(other) === card(one)));
        }
      }),
    );
  });

  test('gives back every id', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid(), { maxLength: 20 }), (ids) => {
        const builder = newIndexBuilder([], []);
        for (const id of ids) builder.add(plainItem(id));
        const { idOf } = builder.finish();
        expect(ids.map((_, at) => idOf(at))).toEqual(ids);
      }),
    );
  });

  test('keeps nothing that it was built from', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heldBytes = () => {
      // Twice: what the first run finalises, the second frees.
      for (let i = 0; i < 2; i++) collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const count = 50_000;
    const before = heldBytes();
    const index = ((): SearchIndex => {
      const builder = newIndexBuilder([], []);
      for (let i = 0; i < count; i++) {
        const hex = i.toString(16).padStart(12, '0');
        builder.add({ ...plainItem(`00000000-0000-4000-8000-${hex}`), number: `${i % 300}` });
      }
      return builder.finish();
    })();
    // Of an item its columns alone take 80 bytes; a map of its cards would add more than that again.
    expect((heldBytes() - before) / count).toBeLessThan(150);
    expect(index.size).toBe(count);
  });

  test('of nothing finds nothing', () => {
    const { index, find } = smallIndex([]);
    expect(index.size).toBe(0);
    for (const q of ['charizard', 'ピカチュウ', 'pokemon', '4', '2018']) expect(find(q)).toEqual([]);
  });
});

function plainItem(id: string): SearchItem {
  return {
    ...{ id, set: aSearchSet(), number: null, name: 'x', printedName: null, characters: [], language: 'English' },
    ...{ variation: null, rarity: null, year: null, extras: [], isImaged: true, tagIds: [] },
  };
}

test('names of characters are folded, those of other scripts are NFKC in lower case', () => {
  expect(rosterKey(' Mr. Mime ')).toBe('mr-mime');
  expect(rosterKey('Flabébé')).toBe('flabebe');
  expect(rosterKey(' ﾋﾟｶﾁｭｳ ')).toBe('ピカチュウ');
  expect(rosterKey('???')).toBe('');
});
