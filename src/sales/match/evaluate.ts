import { numberKey } from '../../catalog/words/compare.ts';
import { isLanguageWord } from '../../catalog/words/named.ts';
import {
  fitLanguage,
  fitName,
  fitsYear,
  fitVariation,
  hasWord,
  namesSet,
  repeats,
  saysCode,
  yearsApart,
} from './fits.ts';
import type { IndexedItem, MatchIndex, MatchSet } from './match-index.ts';
import type { NumberReading, TitleReading } from './read-title.ts';
import { isMark, isNameModifier, isNoise, isProductWord } from './words.ts';

/** An item that a title may mean. */
export type Fit = {
  item: IndexedItem;
  /** Words of the title that the item accounts for. */
  explained: Set<string>;
  /** Words of the item that the title leaves out. */
  assumed: number;
  /** Words of its variation that the title has twice, because the set's name has them too. */
  repeated: number;
  /** Years between the title's and its own, 0 where one is unknown. */
  yearsOff: number;
  /** 0 when the title states the language, 1 for English, 2 for Japanese by default. */
  languageRank: number;
};

/** `other_card`: the number is there, the name is not. */
type Misfit = 'other_card' | 'card_unknown' | 'set_unknown' | 'year_differs' | 'language_differs' | 'variation_unknown';

/**
 * Compares one item that has `number` with a title: name, set, year, language, then whether a word is left that points at
 * another printing, and at last whether the words of its variation are there.
 */
export function evaluate(
  item: IndexedItem,
  number: NumberReading,
  reading: TitleReading,
  words: Set<string>,
  index: MatchIndex,
): Fit | Misfit {
  const { set } = item;
  if (reading.game !== null && reading.game !== set.game) return 'other_card';
  const name = fitName(item, reading, words);
  if (name === null) return 'other_card';
  const { prefix, isParted } = item.number;
  const isCode = number.strong && /[a-z]/.test(number.key) && (prefix !== '' || /\d/.test(number.key));
  const byPrefix = prefix === set.code || (prefix.length > 1 && set.allWords.has(prefix));
  if (!number.strong && set.allWords.has(number.key) && !repeats(number.key, reading)) return 'other_card';
  if (!byPrefix && !namesSet(set, name.words, reading, words, isCode)) return 'set_unknown';
  if (continuesSet(set, number, reading)) return 'set_unknown';
  if (number.key === '' && name.missing > 0) return 'card_unknown';
  if (!fitsYear(item, reading)) return 'year_differs';
  const languageRank = fitLanguage(item, reading);
  if (languageRank === null) return 'language_differs';

  const { rarity } = item;
  const variation = item.variation.words;
  const isShadowless = variation.includes('1st');
  const isNonholo = rarity.length > 0 && !rarity.includes('holo') && !variation.includes('holo');
  const isOwn = (word: string) =>
    hasWord(item, word) || (isShadowless && word === 'shadowless') || (isNonholo && word === 'nonholo');
  const isPromo = hasWord(item, 'promo');
  const isCoded = saysCode(set, reading);
  const explained = new Set<string>();
  for (const word of words) {
    if (isOwn(word) || (isCoded && numberKey(word) === set.code)) {
      explained.add(word);
      continue;
    }
    const misfit = pointsElsewhere(word, set, { isPromo, byPrefix }, reading, index);
    if (misfit !== null) return misfit;
  }
  const assumed = fitVariation(item, isCode && isParted, reading, words);
  if (assumed === null) return 'variation_unknown';
  const repeated = variation.filter((word) => set.allWords.has(word) && repeats(word, reading)).length;
  const yearsOff = yearsApart(item, reading);
  return { item, explained, assumed: assumed + name.missing, repeated, yearsOff, languageRank };
}

/**
 * What a word says that the item does not account for: another card, another printing or another set; null when nothing.
 * A promo's product and the set it came with may be named, and next to a number that has the set's code any set may.
 */
function pointsElsewhere(
  word: string,
  set: MatchSet,
  { isPromo, byPrefix }: { isPromo: boolean; byPrefix: boolean },
  reading: TitleReading,
  index: MatchIndex,
): Misfit | null {
  if (/^\d+$/.test(word) || isLanguageWord(word) || (isPromo && isProductWord(word))) return null;
  if (isOtherCard(word, set, index) && !isSetAbbreviation(word, reading)) return 'card_unknown';
  if (isMark(word, set.game) || (set.variationWords.has(word) && !isNoise(word))) return 'variation_unknown';
  const namesSet = index.setVocabulary.get(set.game)?.has(word) ?? false;
  if (isNameModifier(word, set.game) && !opensSet(word, set, reading) && !(isPromo && namesSet)) return 'card_unknown';
  return namesSet && !byPrefix && !isPromo ? 'set_unknown' : null;
}

/** Species are single words that mean nothing else; in the other games such names are everyday words. */
function isOtherCard(word: string, { game }: MatchSet, index: MatchIndex): boolean {
  return (game === 'pokemon' || game === 'digimon') && (index.soleNames.get(game)?.has(word) ?? false);
}

/** PSA's labels open a set with its abbreviation and language: `MEW EN-151`. */
function isSetAbbreviation(word: string, { words }: TitleReading): boolean {
  return words[words.indexOf(word) + 1] === 'en';
}

/** "Base Set 2", "Base II": a number after the set's name makes it the next set, unless it is the card's number. */
function continuesSet(set: MatchSet, number: NumberReading, { words }: TitleReading): boolean {
  return words.some(
    (word, at) =>
      /^(?:[2-9]|ii|iii|iv)$/.test(word) &&
      set.allWords.has(words[at - 1]!) &&
      !set.allWords.has(word) &&
      (number.strong || number.key !== word),
  );
}

/** "EX Holon Phantoms": before the set's name it is the name of the era. */
function opensSet(word: string, set: MatchSet, reading: TitleReading): boolean {
  const at = reading.words.indexOf(word);
  return set.names.some((names) => names[0] === reading.words[at + 1]);
}
