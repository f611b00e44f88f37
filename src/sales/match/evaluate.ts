import type { MatchIndex, MatchSet } from './match-index.ts';
import type { NumberReading, TitleReading } from './read-title.ts';
import { isLanguageWord, isMark, isNameModifier, isNoise, numberKey } from './words.ts';

/** An item that a title may mean. */
export type Fit = {
  item: number;
  /** Words of the title that the item accounts for. */
  explained: Set<string>;
  /** Words of the item that the title leaves out. */
  assumed: number;
  /** 0 when the title states the language, 1 for English, 2 for Japanese by default. */
  languageRank: number;
};

/** `other_card`: the number is there, the name is not. */
export type Misfit =
  | 'other_card'
  | 'card_unknown'
  | 'set_unknown'
  | 'year_differs'
  | 'language_differs'
  | 'variation_unknown';

/**
 * Holds one item that has `number` against a title: name, set, year, language, variation, and then whether a word is left
 * that points at another printing.
 */
export function evaluate(
  item: number,
  number: NumberReading,
  reading: TitleReading,
  words: Set<string>,
  index: MatchIndex,
): Fit | Misfit {
  const set = index.sets[index.setOf[item]!]!;
  if (reading.game !== null && reading.game !== set.game) return 'other_card';
  const name = fitName(item, reading, words, index);
  if (name === null) return 'other_card';
  const { prefix } = index.numbers[index.numberOf[item]!]!;
  const isCode = number.strong && /[a-z]/.test(number.key) && (prefix !== '' || /\d/.test(number.key));
  const byPrefix = isCode && prefix !== '' && (prefix === set.code || (prefix.length > 1 && set.allWords.has(prefix)));
  if (!byPrefix && !namesSet(set, name.words, reading, words, isCode)) return 'set_unknown';
  if (number.key === '' && name.missing > 0) return 'card_unknown';
  if (!fitsYear(set, index.yearOf[item]!, reading)) return 'year_differs';
  const languageRank = fitLanguage(item, set, reading, index);
  if (languageRank === null) return 'language_differs';

  const variation = index.variationOf[item]! < 0 ? [] : index.texts[index.variationOf[item]!]!.words;
  const rarity = index.rarityOf[item]! < 0 ? [] : index.texts[index.rarityOf[item]!]!.words;
  const assumed = fitVariation(variation, rarity, item, isCode, reading, words, index);
  if (assumed === null) return 'variation_unknown';
  const own = new Set([...name.words, ...set.allWords, ...variation, ...rarity]);
  const explained = new Set<string>();
  for (const word of words) {
    if (own.has(word) || numberKey(word) === set.code) explained.add(word);
    else if (isNumberWord(word) || isLanguageWord(word)) continue;
    else if (isMark(word, set.game) || (set.variationWords.has(word) && !isNoise(word))) return 'variation_unknown';
    else if (isNameModifier(word, set.game) && !opensSet(word, set, reading)) return 'card_unknown';
    else if (!byPrefix && index.setVocabulary.get(set.game)!.has(word)) return 'set_unknown';
  }
  return { item, explained, assumed: assumed + name.missing, languageRank };
}

type NameFit = { words: string[]; missing: number };

/**
 * The rarest word of the name must be there, and at least half of them, with everything that makes it another card (GX,
 * Dark). A name without Latin letters must stand in the title as it is printed.
 */
function fitName(item: number, reading: TitleReading, words: Set<string>, index: MatchIndex): NameFit | null {
  const name = index.texts[index.nameOf[item]!]!;
  if (name.words.length === 0) {
    const printed = index.printedNameOf[item]!;
    const texts = [name.text, ...(printed < 0 ? [] : [index.texts[printed]!.text])];
    return texts.some((text) => reading.title.normalize('NFKC').includes(text)) ? { words: [], missing: 0 } : null;
  }
  const frequency = (word: string): number => index.nameFrequency.get(word) ?? 0;
  let rarest = name.words[0]!;
  let missing = 0;
  for (const word of name.words) {
    const rarer = frequency(word) - frequency(rarest);
    if (rarer < 0 || (rarer === 0 && word.length > rarest.length)) rarest = word;
    if (words.has(word) || word === 'and') continue;
    if (isNameModifier(word, index.sets[index.setOf[item]!]!.game)) return null;
    missing++;
  }
  return words.has(rarest) && missing * 2 <= name.words.length ? { words: name.words, missing } : null;
}

/**
 * True when the title has a code of the set or all words of one of its names, not counting a word twice that the card's
 * name needs too ("Team Rocket's Mewtwo" does not name the set Team Rocket). Half of a long name is enough beside a
 * number with letters (`SV41` of "Hidden Fates Shiny Vault").
 */
function namesSet(set: MatchSet, name: string[], reading: TitleReading, words: Set<string>, isCode: boolean): boolean {
  if (set.code !== null && /[a-z]/.test(set.code) && set.code.length > 1) {
    if (reading.words.some((word) => numberKey(word) === set.code)) return true;
  }
  return set.names.some((names) => {
    const present = names.filter((word) => words.has(word));
    const beyondName = present.some(
      (word) => !name.includes(word) || reading.words.filter((other) => other === word).length > 1,
    );
    const enough = isCode && names.length > 2 ? names.length / 2 : names.length;
    return beyondName && present.length >= enough;
  });
}

/** A release of sports is told by its year; elsewhere a year may be off by one, as slabs and sellers date cards. */
function fitsYear(set: MatchSet, itemYear: number, { years }: TitleReading): boolean {
  const year = set.year ?? itemYear;
  if (set.game === 'sports') return year !== 0 && years.includes(year);
  return year === 0 || years.length === 0 || years.some((told) => Math.abs(told - year) <= 1);
}

function fitLanguage(item: number, set: MatchSet, { languages }: TitleReading, index: MatchIndex): number | null {
  const language = index.languages[index.languageOf[item]!]!;
  if (languages.includes(language)) return 0;
  if (languages.length > 0) {
    const scripts = index.languages.filter((it, at) => it.startsWith('Chinese') && set.languages.has(at));
    return languages.includes('Chinese') && scripts.length === 1 && scripts[0] === language ? 0 : null;
  }
  if (language === 'English') return 1;
  const english = index.languages.indexOf('English');
  return language === 'Japanese' && !(english >= 0 && set.languages.has(english)) ? 2 : null;
}

/** Words of variations that sellers leave out: there is no other 1st Edition than the shadowless one. */
const UNSAID = new Set(['edition', 'stamp', 'symbol', 'parallel', 'unlimited', 'the', 'of', 'and']);

/**
 * How many of the variation's words the title leaves out, or null when one is missing that matters. A print run must
 * agree when both tell one; a numbered copy is never the unnumbered card. Beside a code number (`CPA-EP`), the words of
 * the section, before the colon, may be missing.
 */
function fitVariation(
  variation: string[],
  rarity: string[],
  item: number,
  isCode: boolean,
  reading: TitleReading,
  words: Set<string>,
  index: MatchIndex,
): number | null {
  const { game } = index.sets[index.setOf[item]!]!;
  const text = index.variationOf[item]! < 0 ? '' : index.texts[index.variationOf[item]!]!.text;
  const run = Number(/\/(\d+)\b/.exec(text)?.[1] ?? 0);
  if (game === 'sports' && reading.runs.length > 0 && !reading.runs.includes(run)) return null;
  const section = new Set(
    isCode
      ? text
          .toLowerCase()
          .split(':')[0]!
          .match(/[a-z]+/g)
      : [],
  );
  let missing = 0;
  for (const word of variation) {
    if (words.has(word) || (run > 0 && word === String(run))) continue;
    const inSection = [...section].some((part) => part.startsWith(word)) && !isMark(word, game);
    if (!UNSAID.has(word) && !inSection && !(word === 'holo' && rarity.includes('holo'))) return null;
    missing++;
  }
  return missing;
}

function isNumberWord(word: string): boolean {
  return /^\d+$/.test(word);
}

/** "EX Holon Phantoms": before the set's name it is the name of the era. */
function opensSet(word: string, set: MatchSet, reading: TitleReading): boolean {
  const at = reading.words.indexOf(word);
  return set.names.some((names) => names[0] === reading.words[at + 1]);
}
