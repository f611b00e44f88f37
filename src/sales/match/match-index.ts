import type { Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';
import { ERA_WORDS, numberKey, textWords } from '../../catalog/words/compare.ts';
import { addTo, groupBy } from '../../lib/group-by.ts';
import type { TitleAlias, TitleAliases } from './aliases.ts';
import { GENERIC_SET_WORDS, isNoise } from './words.ts';

/** What the matcher has to know of an item. */
export type MatchItem = {
  id: string;
  game: Game;
  setName: string;
  setCode: string | null;
  /** Other names of the set that titles use. */
  setAliases?: string[];
  number: string | null;
  name: string;
  printedName?: string | null;
  /** English names of the characters on the card, for a name in another script (`カメックスex`: Blastoise). */
  characters?: string[];
  language: Language;
  variation: string | null;
  rarity?: string | null;
  year: number | null;
};

/** A set as it is compared: each of its names is a list of words, of which all must be in a title. */
export type MatchSet = {
  game: Game;
  /** Words of each name without those that sellers leave out. */
  names: string[][];
  /** Every word of its names, generic ones too. */
  allWords: Set<string>;
  code: string | null;
  /** Words of the variations of its items. */
  variationWords: Set<string>;
  /** Languages of its items. */
  languages: Set<Language>;
  /** The year in its name; it distinguishes sets of sports. */
  year: number | null;
};

/**
 * A name as it is compared: words that a title must have, and the texts that name the card by themselves when the words
 * do not (another script). Words are empty when nothing of the name is Latin and no character is known.
 */
export type MatchName = {
  words: string[];
  /** The word that the fewest names have: a title without it does not name the card. Empty without words. */
  rarest: string;
  texts: string[];
};

/** A variation as it is compared. */
export type MatchVariation = {
  words: string[];
  /** Words before the colon: the insert or section that a parallel belongs to; all of them without a colon. */
  section: Set<string>;
  /** Copies there are (`/50`); 0 when it is not numbered. */
  run: number;
};

/**
 * A printed number as it is compared; `prefix` is the code it opens with (`OP05` of OP05-119, `SWSH` of SWSH066),
 * `isParted` when a dash separates it from the rest.
 */
type MatchNumber = { key: string; prefix: string; isParted: boolean };

/** An item as it is compared; items with equal sets, names, variations and rarities share them. */
export type IndexedItem = {
  id: string;
  /** Its place among the items. */
  at: number;
  set: MatchSet;
  name: MatchName;
  number: MatchNumber;
  /** `PLAIN` for the plain printing. */
  variation: MatchVariation;
  /** Words of the rarity; empty without one. */
  rarity: string[];
  language: Language;
  year: number | null;
};

export type MatchIndex = {
  items: IndexedItem[];
  /** Items of a number key, in order; the key '' has those without a number. */
  byNumber: Map<string, IndexedItem[]>;
  /** Items by the rarest word of their names, in order. */
  byRarest: Map<string, IndexedItem[]>;
  /** Words that are the whole name of a card: next to another name they are a second card or another one. */
  soleNames: Map<Game, Set<string>>;
  /** Words that name some set of a game and are not noise. */
  setVocabulary: Map<Game, Set<string>>;
  aliases: TitleAliases;
};

export const PLAIN: MatchVariation = { words: [], section: new Set(), run: 0 };

/** Builds the index; 500,000 items take a few seconds. The items themselves are not kept. */
export function buildMatchIndex(items: Iterable<MatchItem>, aliases: readonly TitleAlias[] = []): MatchIndex {
  const variations = interner(matchVariation);
  const rarities = interner(textWords);
  const names = interner<MatchItem, MatchName>(matchName, (item) =>
    [item.name, item.printedName ?? '', ...(item.characters ?? [])].join('\n'),
  );
  const numbers = interner<string, MatchNumber>(matchNumber);
  const sets = interner<MatchItem, MatchSet>(matchSet, (item) =>
    [item.game, item.setName, item.setCode ?? '', ...(item.setAliases ?? [])].join('\n'),
  );
  const soleNames = new Map<Game, Set<string>>();
  const indexed: IndexedItem[] = [];
  for (const item of items) {
    const { id, game, language, year } = item;
    const set = sets.of(item);
    const name = names.of(item);
    const [sole, ...others] = name.words;
    if (sole !== undefined && others.length === 0 && isDistinctive(sole)) addTo(soleNames, game, sole);
    const variation = item.variation === null ? PLAIN : variations.of(item.variation);
    for (const word of variation.words) set.variationWords.add(word);
    set.languages.add(language);
    const rarity = rarities.of(item.rarity ?? '');
    const number = numbers.of(item.number ?? '');
    indexed.push({ id, at: indexed.length, set, name, number, variation, rarity, language, year });
  }
  markRarest(names.values());
  return {
    items: indexed,
    byNumber: groupBy(indexed, ({ number }) => number.key),
    byRarest: groupBy(indexed, ({ name }) => name.rarest),
    soleNames,
    setVocabulary: vocabulary(sets.values()),
    aliases: groupBy(aliases, ({ said }) => said[0]!),
  };
}

function matchNumber(number: string): MatchNumber {
  const parted = /^([a-z]+\d*)-/i.exec(number);
  const prefix = parted?.[1] ?? /^([a-z]{2,})\d/i.exec(number)?.[1] ?? '';
  return { key: numberKey(number), prefix: numberKey(prefix), isParted: parted !== null };
}

/** Makes one value for equal keys. */
function interner<K, V>(make: (key: K) => V, keyOf: (key: K) => unknown = (key) => key) {
  const known = new Map<unknown, V>();
  return {
    values: () => [...known.values()],
    of(key: K): V {
      const id = keyOf(key);
      const value = known.get(id) ?? make(key);
      known.set(id, value);
      return value;
    },
  };
}

function matchName({ name, printedName, characters = [] }: MatchItem): MatchName {
  const texts = [name, ...(printedName ? [printedName] : [])].map((text) => text.normalize('NFKC'));
  if (!/[^\P{L}\p{Script=Latin}\p{Script=Greek}]/u.test(name)) return { words: textWords(name), rarest: '', texts };
  // What is Latin in such a name (`ex`) names no card: it counts only next to the character.
  const named = characters.flatMap(textWords);
  return { words: named.length === 0 ? [] : [...named, ...textWords(name)], rarest: '', texts };
}

function matchVariation(text: string): MatchVariation {
  return {
    words: textWords(text),
    section: new Set(textWords(text.split(':')[0]!)),
    run: Number(/\/(\d+)\b/.exec(text)?.[1] ?? 0),
  };
}

function matchSet({ game, setName, setCode, setAliases = [] }: MatchItem): MatchSet {
  const year = /\b(?:19|20)\d\d\b/.exec(setName);
  const names = [setName, ...setAliases].map(textWords);
  const code = setCode === null ? '' : numberKey(setCode);
  const distinctiveOf = (words: string[]): string[] => {
    const named = words.filter((word) => !isYearWord(word, game) && numberKey(word) !== code);
    // The promos of all eras are called alike: there the era distinguishes them.
    const isPromo = words.includes('promo');
    const rest = named.filter((word) => !GENERIC_SET_WORDS.has(word) || (isPromo && ERA_WORDS.has(word)));
    const beyondBase = rest.filter((word) => word !== 'base');
    return beyondBase.some((word) => word.length > 2) ? beyondBase : rest.length > 0 ? rest : named;
  };
  return {
    game,
    names: names.map(distinctiveOf).filter((words) => words.length > 0),
    allWords: new Set(names.flat()),
    code: code || null,
    variationWords: new Set(),
    languages: new Set(),
    year: year === null ? null : Number(year[0]),
  };
}

/** `2018-19` in a release's name: compared as a year, not as words. */
function isYearWord(word: string, game: Game): boolean {
  return /^(?:19|20)\d\d$/.test(word) || (game === 'sports' && /^\d\d$/.test(word));
}

function markRarest(names: MatchName[]): void {
  const frequency = new Map<string, number>();
  for (const { words } of names) for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  for (const name of names) {
    for (const word of name.words) {
      const rarer = frequency.get(word)! - (frequency.get(name.rarest) ?? Number.POSITIVE_INFINITY);
      if (rarer < 0 || (rarer === 0 && word.length > name.rarest.length)) name.rarest = word;
    }
  }
}

function isDistinctive(word: string): boolean {
  return !isNoise(word) && !GENERIC_SET_WORDS.has(word) && !/^\d$/.test(word);
}

function vocabulary(sets: MatchSet[]): Map<Game, Set<string>> {
  const words = new Map<Game, Set<string>>();
  for (const { game, names } of sets) {
    for (const word of names.flat()) if (isDistinctive(word)) addTo(words, game, word);
  }
  return words;
}
