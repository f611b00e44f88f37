import { evaluate } from './evaluate.ts';
import { fitLanguage, fitName, fitsYear, hasWord, namesSet } from './fits.ts';
import type { IndexedItem, MatchIndex } from './match-index.ts';
import type { UnmatchedReason } from './match-title.ts';
import type { TitleReading } from './read-title.ts';
import { isNoise } from './words.ts';

/** Why a title is not taken for an item; `fits`: it fits, and is not the only one, or the grade cannot be read. */
export type CandidateReason =
  | 'fits'
  | 'number_differs'
  | 'name_missing'
  | Extract<
      UnmatchedReason,
      'number_missing' | 'card_unknown' | 'set_unknown' | 'year_differs' | 'language_differs' | 'variation_unknown'
    >;

/** An item that a title may mean. */
export type Candidate = { itemId: string; why: CandidateReason };

const MAX_CANDIDATES = 5;

/**
 * Up to five items that a title without a match may mean, the likeliest first: those whose name it has, and those whose
 * set and number it has, as where it has the name in another language, by how much of the title they account for.
 */
export function candidatesOf(reading: TitleReading, index: MatchIndex): Candidate[] {
  const words = new Set(reading.words);
  const found: (Candidate & { score: number })[] = [];
  for (const word of words) {
    for (const item of index.byRarest.get(word) ?? []) {
      if (reading.game !== null && reading.game !== item.set.game) continue;
      const name = fitName(item, reading, words);
      if (name === null) continue;
      const why = reasonOf(item, reading, words, index);
      found.push({ itemId: item.id, why, score: scoreOf(item, name.words, why, reading, words) });
    }
  }
  const named = new Set(found.map(({ itemId }) => itemId));
  for (const { key } of reading.numbers) {
    for (const item of index.byNumber.get(key) ?? []) {
      if (reading.game !== null && reading.game !== item.set.game) continue;
      if (named.has(item.id) || !namesSet(item.set, [], reading, words, false)) continue;
      found.push({ itemId: item.id, why: 'name_missing', score: scoreOf(item, [], 'name_missing', reading, words) });
    }
  }
  found.sort((a, b) => b.score - a.score || (a.itemId < b.itemId ? -1 : 1));
  return found.slice(0, MAX_CANDIDATES).map(({ itemId, why }) => ({ itemId, why }));
}

function reasonOf(item: IndexedItem, reading: TitleReading, words: Set<string>, index: MatchIndex): CandidateReason {
  const number = reading.numbers.find(({ key }) => key === item.number.key);
  if (number === undefined && item.number.key !== '')
    return reading.numbers.length === 0 ? 'number_missing' : 'number_differs';
  const fit = evaluate(item, number ?? { key: '', strong: false }, reading, words, index);
  if (typeof fit !== 'string') return 'fits';
  return fit === 'other_card' ? 'card_unknown' : fit;
}

/**
 * The number counts most, then the set, then language and year; words of the title that are the item's decide between equals.
 * Number and set without the name come after name and number, and before name and set. A name such as "Set" is hardly meant.
 */
function scoreOf(
  item: IndexedItem,
  name: string[],
  why: CandidateReason,
  reading: TitleReading,
  words: Set<string>,
): number {
  const { set, variation } = item;
  let explained = 0;
  for (const word of words) if (hasWord(item, word)) explained++;
  const unsaid = variation.words.filter((word) => !words.has(word)).length;
  const points = [
    why === 'fits' && 8,
    why !== 'number_differs' && why !== 'number_missing' && 4,
    namesSet(set, name, reading, words, false) && 3,
    fitLanguage(item, reading) !== null && 1,
    fitsYear(item, reading) && 1,
    why === 'name_missing' && -3.5,
    why !== 'name_missing' && isNoise(item.name.rarest) && -3,
  ].reduce<number>((sum, one) => sum + Number(one), 0);
  return points + explained / 4 - unsaid / 8;
}
