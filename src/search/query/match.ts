import { canonicalWord, numberKey } from '../../catalog/words/compare.ts';
import { pairsOf } from '../index/index-words.ts';
import { listAt, listSize } from '../index/lists.ts';
import type { Column, SearchIndex } from '../index/search-index.ts';
import { corrections, placeOf, prefixRange } from '../index/vocabulary.ts';
import type { QueryReading, Token } from './read-query.ts';

/** How well the values of each column that have a token match it, up to 1 for the exact word. */
export type TokenMatch = Qualities & {
  /** A year, or its last two digits; else 0. */
  year: number;
  /** From 1, which half the catalog has, to 5, which one item has. */
  weight: number;
};

/** By column: value to quality, above 0. */
type Qualities = Record<ColumnName, Map<number, number>>;

/** Tokens `from` to before `to` as printed numbers of the catalog, with the confidence of each, 0 to 1. */
export type NumberMatch = { from: number; to: number; printed: readonly { number: number; confidence: number }[] };

export type Matched = { tokens: TokenMatch[]; numbers: NumberMatch[] };

const COLUMNS = ['names', 'printed', 'sets', 'variations', 'rarities', 'extras'] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** What is tried for a token besides its exact word; misspellings never where it `isExact`. */
export type Effort = { prefixes: boolean; misspellings: boolean; isExact?: boolean };

const MAX_PREFIX_WORDS = 3000;
const MISSPELT = [1, 0.8, 0.6];
const CODE_CONFIDENCE = 0.95;

/** What tokens of a query have been found to match: the ways to read it have most of them in common. */
export type KnownMatches = Map<string, TokenMatch>;

/** Compares every token and number of a reading with the values of the columns. */
export function matchReading(
  index: SearchIndex,
  reading: QueryReading,
  efforts: readonly Effort[],
  known: KnownMatches,
): Matched {
  return {
    tokens: reading.tokens.map((token, i) => {
      const { prefixes, misspellings, isExact = false } = efforts[i]!;
      const key = [token.text, token.isScript, isLight(token), prefixes, misspellings, isExact].join();
      let match = known.get(key);
      if (match === undefined) {
        match = matchToken(index, token, efforts[i]!);
        known.set(key, match);
      }
      return match;
    }),
    numbers: reading.spans.flatMap(({ from, to, key }) => {
      const printed = index.numbers.byKey.get(key);
      return printed === undefined ? [] : [{ from, to, printed }];
    }),
  };
}

function matchToken(index: SearchIndex, token: Token, effort: Effort): TokenMatch {
  const found: Qualities = {
    names: new Map(),
    printed: new Map(),
    sets: new Map(),
    variations: new Map(),
    rarities: new Map(),
    extras: new Map(),
  };
  if (token.isScript) matchScript(index, token.text, found);
  else for (const [place, quality] of wordsFor(index, token.text, effort)) noteWord(index, found, place, quality);
  // `00` is 2000: 0 is not a year.
  const year = /^(?:19\d\d|20\d\d|\d\d)$/.test(token.text) ? Number(token.text) || 2000 : 0;
  const isKnown = COLUMNS.some((column) => found[column].size > 0);
  const weight = isLight(token) ? 0.15 : isKnown ? weightOf(index, found) : 1;
  return { ...found, year, weight: year > 0 ? Math.max(weight, 2) : weight };
}

/** Of little weight: it says what kind of card is meant, not which. */
function isLight({ isOptional, game }: Token): boolean {
  return isOptional || game !== null;
}

/** The words of the vocabulary that a token may mean, by place, with the confidence of each. */
function wordsFor(index: SearchIndex, text: string, effort: Effort): Map<number, number> {
  const { vocabulary } = index;
  const found = new Map<number, number>();
  const add = (place: number, quality: number): void => {
    if (place >= 0 && quality > (found.get(place) ?? 0)) found.set(place, quality);
  };
  add(placeOf(vocabulary, text), 1);
  add(placeOf(vocabulary, canonicalWord(text)), 1);
  if (/\d/.test(text)) add(placeOf(vocabulary, numberKey(text)), CODE_CONFIDENCE);
  if (found.size === 0 || effort.prefixes) {
    const [from, to] = prefixRange(vocabulary, text);
    for (let place = from; place < Math.min(to, from + MAX_PREFIX_WORDS); place++) {
      add(place, prefixQuality(text, vocabulary.words[place]!));
    }
  }
  if (!effort.isExact && (found.size === 0 || effort.misspellings)) {
    for (const { place, distance } of corrections(vocabulary, canonicalWord(text))) add(place, MISSPELT[distance]!);
  }
  return found;
}

/** A few letters say little about the word they begin: the items in most demand then come first. */
function prefixQuality(prefix: string, word: string): number {
  return prefix.length < 4 ? 0.6 : 0.5 + (0.4 * prefix.length) / word.length;
}

function noteWord(index: SearchIndex, found: Qualities, place: number, quality: number): void {
  for (const name of COLUMNS) {
    for (const value of listAt(index[name].byWord, place)) note(found[name], value, quality);
  }
}

function note(qualities: Map<number, number>, value: number, quality: number): void {
  if (quality > (qualities.get(value) ?? 0)) qualities.set(value, quality);
}

/** Values with the run in one of theirs; the larger its share of the shortest, the better. */
function matchScript(index: SearchIndex, run: string, found: Qualities): void {
  for (const name of COLUMNS) {
    const column: Column = index[name];
    for (const value of valuesWithPairs(index, column, run)) {
      const lengths = column.scripts.get(value)?.flatMap((one) => (one.includes(run) ? [one.length] : [])) ?? [];
      if (lengths.length > 0) note(found[name], value, 0.5 + (0.5 * run.length) / Math.min(...lengths));
    }
  }
}

/** The values with the rarest of the run's pairs; of a single character, those with a pair that it begins. */
function valuesWithPairs({ vocabulary }: SearchIndex, column: Column, run: string): Iterable<number> {
  const pairs = pairsOf(run);
  if (pairs.length === 1 && pairs[0] === run && [...run].length === 1) {
    const [from, to] = prefixRange(vocabulary, run);
    const values = new Set<number>();
    for (let place = from; place < to; place++) for (const value of listAt(column.byWord, place)) values.add(value);
    return values;
  }
  const places = pairs.map((pair) => placeOf(vocabulary, pair));
  if (places.includes(-1)) return [];
  const rarest = places.reduce((a, b) => (listSize(column.byWord, a) <= listSize(column.byWord, b) ? a : b));
  return listAt(column.byWord, rarest);
}

function weightOf(index: SearchIndex, found: Qualities): number {
  let items = 0;
  for (const name of COLUMNS) for (const value of found[name].keys()) items += listSize(index[name].items, value);
  return 1 + 4 * Math.max(0, 1 - Math.log(1 + items) / Math.log(2 + index.size));
}
