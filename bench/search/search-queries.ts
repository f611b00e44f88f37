import { foldWords } from '../../src/catalog/words/fold.ts';
import { listAt } from '../../src/search/index/lists.ts';
import type { SearchIndex } from '../../src/search/index/search-index.ts';
import { readJudged } from '../../test/support/judged/judged-set.ts';

/** What the search benches ask for. */
export type Queries = { judged: string[]; typos: string[]; prefixes: string[] };

/** The judged queries, those of them with typing errors, and every two letters that a word of the catalog begins with. */
export function searchQueries({ vocabulary }: SearchIndex): Queries {
  const judged = readJudged();
  const prefixes = new Set(vocabulary.words.filter((word) => /^[a-z]{2}/.test(word)).map((word) => word.slice(0, 2)));
  return {
    judged: judged.map(({ q }) => q),
    typos: judged.filter(({ category }) => category === 'typo').map(({ q }) => q),
    prefixes: [...prefixes],
  };
}

/** A query as PostgreSQL's text search takes it: every word a prefix, all of them needed; null where no word is left. */
export function tsQuery(q: string): string | null {
  const words = foldWords(q);
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ');
}

const PAIRS = 300;

/** Pairs of tags of different kinds that an item has, of items all over the catalog. */
export function tagPairs({ size, tags, isImaged }: SearchIndex): string[][] {
  const names: string[] = [];
  for (const [name, places] of tags.places) for (const place of places) names[place] = name;
  const tagsOf = new Map<number, string[]>();
  const step = Math.floor(size / (4 * PAIRS));
  names.forEach((name, place) => {
    for (const item of listAt(tags.items, place)) {
      if (item % step === 0 && isImaged[item] === 1) tagsOf.set(item, [...(tagsOf.get(item) ?? []), name]);
    }
  });
  const pairs = [...tagsOf].flatMap(([item, all]) => {
    const first = all[item % all.length]!;
    const others = all.filter((name) => name.split(':')[0] !== first.split(':')[0]);
    return others.length === 0 ? [] : [[first, others[(item >> 3) % others.length]!]];
  });
  return pairs.filter((_, i) => i % Math.max(1, Math.floor(pairs.length / PAIRS)) === 0).slice(0, PAIRS);
}
