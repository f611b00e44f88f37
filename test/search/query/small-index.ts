import { newIndexBuilder, type SearchItem, type SearchSet, type SearchTag } from '../../../src/search/index/build.ts';
import type { SearchIndex } from '../../../src/search/index/search-index.ts';
import { rankText } from '../../../src/search/query/rank-text.ts';
import { parseSynonyms } from '../../../src/search/query/synonyms.ts';

export type SmallItem = Partial<Omit<SearchItem, 'id'>> & { name: string };

/** An index of a few items, those in most demand first; `at` is the place of an item in the list. */
export type SmallIndex = {
  index: SearchIndex;
  /** Items that a query finds (of `among`, where it is given), by their places in the list. */
  find(q: string, among?: readonly number[]): number[];
};

export function aSearchSet(details: Partial<SearchSet> = {}): SearchSet {
  return { id: 1, game: 'pokemon', name: 'Base Set', code: 'base1', year: 1999, ...details };
}

export function aSearchTag(details: Partial<SearchTag> = {}): SearchTag {
  return { id: 1, kind: 'mood', slug: 'happy', name: 'Happy', game: null, aliases: [], ...details };
}

/** Items are English Pokémon cards of Base Set with images and nothing more, by default. */
export function smallIndex(
  items: readonly SmallItem[],
  { tags = [], synonyms = '' }: { tags?: readonly SearchTag[]; synonyms?: string } = {},
): SmallIndex {
  const builder = newIndexBuilder(tags, parseSynonyms(synonyms).rules);
  items.forEach((item, at) => {
    builder.add({
      id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      set: aSearchSet(),
      number: String(at + 1),
      printedName: null,
      characters: [],
      language: 'English',
      variation: null,
      rarity: null,
      year: null,
      extras: [],
      isImaged: true,
      tagIds: [],
      ...item,
    });
  });
  const index = builder.finish();
  return { index, find: (q, among) => rankText(index, q, among === undefined ? null : Int32Array.from(among)) };
}
