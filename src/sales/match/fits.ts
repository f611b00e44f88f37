import type { IndexedItem, MatchName, MatchSet } from './match-index.ts';
import type { TitleReading } from './read-title.ts';
import { isMark, isNameModifier } from './words.ts';

/** The single checks of an item: does the title have its name, set, year, language, variation? */

type NameFit = { words: string[]; missing: number };

/**
 * The rarest word of the name must be there, and at least half of them, with everything that makes it another card (GX,
 * Dark). A name without Latin letters must be in the title as it is printed.
 */
export function fitName({ name, set }: IndexedItem, reading: TitleReading, words: Set<string>): NameFit | null {
  if (!words.has(name.rarest)) return isPrinted(name, reading) ? { words: name.words, missing: 0 } : null;
  let missing = 0;
  for (const word of name.words) {
    if (words.has(word) || word === 'and') continue;
    if (isNameModifier(word, set.game)) return null;
    missing++;
  }
  return missing * 2 <= name.words.length ? { words: name.words, missing } : null;
}

function isPrinted({ texts }: MatchName, { printed }: TitleReading): boolean {
  return texts.some((text) => /[^\x00-\x7f]/.test(text) && printed.includes(text));
}

/**
 * True when the title has a code of the set or all words of one of its names, not counting a word twice that the card's
 * name needs too ("Team Rocket's Mewtwo" does not name the set Team Rocket). Half of a long name is enough next to
 * a number with letters (`SV41` of "Hidden Fates Shiny Vault").
 */
export function namesSet(
  set: MatchSet,
  name: string[],
  reading: TitleReading,
  words: Set<string>,
  isCode: boolean,
): boolean {
  if (saysCode(set, reading) && set.code!.length > 1 && /[a-z]/.test(set.code!)) return true;
  return set.names.some((names) => {
    const present = names.filter((word) => words.has(word));
    const beyondName = present.some((word) => !name.includes(word) || repeats(word, reading));
    const enough = isCode && names.length > 2 ? names.length / 2 : names.length;
    return beyondName && present.length >= enough;
  });
}

/** A release of sports is identified by its year; elsewhere a year may be off by one, as slabs and sellers date cards. */
export function fitsYear(item: IndexedItem, { years }: TitleReading): boolean {
  const year = item.set.year ?? item.year;
  if (item.set.game === 'sports') return year !== null && years.includes(year);
  return yearsApart(item, { years }) <= 1;
}

/** How many years the nearest year of a title is from the item's; 0 where one is unknown. */
export function yearsApart(item: IndexedItem, { years }: Pick<TitleReading, 'years'>): number {
  const year = item.set.year ?? item.year;
  return year === null || years.length === 0 ? 0 : Math.min(...years.map((stated) => Math.abs(stated - year)));
}

/** Unsaid, it is English, or Japanese in a set without English cards that is named by its code or more than one word. */
export function fitLanguage({ language, set }: IndexedItem, reading: TitleReading): number | null {
  const { languages, deniedLanguages } = reading;
  if (deniedLanguages.some((denied) => language.toLowerCase().startsWith(denied))) return null;
  if (languages.includes(language)) return 0;
  if (languages.length > 0) {
    const scripts = [...set.languages].filter((it) => it.startsWith('Chinese'));
    return languages.includes('Chinese') && scripts.length === 1 && scripts[0] === language ? 0 : null;
  }
  if (language === 'English') return 1;
  const isStatedSet = saysCode(set, reading) || set.names.some((names) => names.length > 1);
  return language === 'Japanese' && isStatedSet && !set.languages.has('English') ? 2 : null;
}

/** Words of variations that sellers leave out: there is no other 1st Edition than the shadowless one. */
const UNSAID = new Set(['edition', 'stamp', 'symbol', 'parallel', 'unlimited', 'the', 'of', 'and']);

/**
 * How many of the variation's words the title leaves out, or null when one is missing that matters. A print run must
 * agree when both state one, a numbered copy is never the unnumbered card, and a run below 100 is always stated: a red
 * refractor without `/5` is hardly one. A number with a section's own code (`CPA-EP`) names the section.
 */
export function fitVariation(
  { set, variation, rarity }: IndexedItem,
  saysSection: boolean,
  reading: TitleReading,
  words: Set<string>,
): number | null {
  const { game, allWords } = set;
  const { run } = variation;
  if (game === 'sports' && !reading.runs.includes(run) && (reading.runs.length > 0 || (run > 0 && run < 100)))
    return null;
  const isUnsaid = (word: string): boolean =>
    UNSAID.has(word) ||
    (run > 0 && word === String(run)) ||
    (saysSection && variation.section.has(word) && !isMark(word, game)) ||
    // There is no other reverse than the holo one.
    (word === 'holo' && (rarity.includes('holo') || variation.words.includes('reverse')));
  // "Quarter Century Art Collection" names no Quarter Century Secret Rare.
  const isOfSet = (word: string): boolean => game === 'yugioh' && allWords.has(word) && !repeats(word, reading);
  const missing = variation.words.filter((word) => !words.has(word) || isOfSet(word));
  return missing.every(isUnsaid) ? missing.length : null;
}

/** True when the title has the code of the set. */
export function saysCode({ code }: MatchSet, { codes }: TitleReading): boolean {
  return code !== null && codes.has(code);
}

/** True when the word is of the item's name, set, variation or rarity. Thousands of items are compared with a title: no set of words is made. */
export function hasWord({ name, set, variation, rarity }: IndexedItem, word: string): boolean {
  return set.allWords.has(word) || name.words.includes(word) || variation.words.includes(word) || rarity.includes(word);
}

/** True when a title has the word twice. */
export function repeats(word: string, { words }: TitleReading): boolean {
  return words.indexOf(word) !== words.lastIndexOf(word);
}
