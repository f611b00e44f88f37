import { canonicalWord, numberKey } from '../../catalog/words/compare.ts';
import { pairsOf } from '../index/index-words.ts';
import { listAt, listSize } from '../index/lists.ts';
import type { Column, SearchIndex } from '../index/search-index.ts';
import { corrections, placeOf, prefixRange } from '../index/vocabulary.ts';
import type { QueryReading, Token } from './read-query.ts';

/** How well each value of each column has a token: 0 not at all, 1 as its very word. */
export type TokenMatch = Record<ColumnName, Float32Array> & {
  /** The values that are not 0, by column. */
  touched: Record<ColumnName, number[]>;
  /** A year, or its last two digits; else 0. */
  year: number;
  /** From 1, which half the catalog has, to 5, which one item has. */
  weight: number;
  isKnown: boolean;
};

export type NumberMatch = { from: number; to: number; confidence: ReadonlyMap<number, number> };

export type Matched = { tokens: TokenMatch[]; numbers: NumberMatch[] };

const COLUMNS = ['names', 'printed', 'sets', 'variations', 'rarities', 'extras'] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** What is tried for a token beside its very word. */
export type Effort = { prefixes: boolean; misspellings: boolean };

const MAX_PREFIX_WORDS = 3000;
const MISSPELT = [1, 0.8, 0.6];
const CODE_SURENESS = 0.95;

/** As many of these as a query has tokens are kept for an index: its columns are long, and queries come one by one. */
const SLOTS = new WeakMap<SearchIndex, TokenMatch[]>();

/** Compares every token and number of a reading with the values of the columns. What it returns holds until the next. */
export function matchReading(index: SearchIndex, reading: QueryReading, efforts: readonly Effort[]): Matched {
  return {
    tokens: reading.tokens.map((token, i) => matchToken(index, token, efforts[i]!, slot(index, i))),
    numbers: reading.spans.flatMap(({ from, to, key }) => {
      const numbers = index.numbers.byKey.get(key);
      if (numbers === undefined) return [];
      return [{ from, to, confidence: new Map(numbers.map(({ number, confidence }) => [number, confidence])) }];
    }),
  };
}

function matchToken(index: SearchIndex, token: Token, effort: Effort, match: TokenMatch): TokenMatch {
  if (token.isScript) matchScript(index, token.text, match);
  else for (const [place, quality] of wordsFor(index, token.text, effort)) noteWord(index, match, place, quality);
  // `00` is 2000: 0 is not a year.
  const year = /^(?:19\d\d|20\d\d|\d\d)$/.test(token.text) ? Number(token.text) || 2000 : 0;
  const isKnown = COLUMNS.some((column) => match.touched[column].length > 0);
  const isLight = token.isOptional || token.game !== null;
  const weight = isLight ? 0.15 : isKnown ? weightOf(index, match) : 1;
  return Object.assign(match, { year, weight: year > 0 ? Math.max(weight, 2) : weight, isKnown });
}

/** The `i`-th match of the index, emptied. */
function slot(index: SearchIndex, i: number): TokenMatch {
  const slots = SLOTS.get(index) ?? [];
  SLOTS.set(index, slots);
  const match = slots[i] ?? newMatch(index);
  slots[i] = match;
  for (const name of COLUMNS) {
    for (const value of match.touched[name]) match[name][value] = 0;
    match.touched[name].length = 0;
  }
  return match;
}

function newMatch(index: SearchIndex): TokenMatch {
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, new Float32Array(index[name].count)]));
  const touched = { names: [], printed: [], sets: [], variations: [], rarities: [], extras: [] };
  return { ...(columns as Record<ColumnName, Float32Array>), touched, year: 0, weight: 0, isKnown: false };
}

/** The words of the vocabulary that a token may mean, with how sure that is. */
function wordsFor(index: SearchIndex, text: string, effort: Effort): [place: number, quality: number][] {
  const { vocabulary } = index;
  const found = new Map<number, number>();
  const add = (place: number, quality: number): void => {
    if (place >= 0 && quality > (found.get(place) ?? 0)) found.set(place, quality);
  };
  add(placeOf(vocabulary, text), 1);
  add(placeOf(vocabulary, canonicalWord(text)), 1);
  if (/\d/.test(text)) add(placeOf(vocabulary, numberKey(text)), CODE_SURENESS);
  if (found.size === 0 || effort.prefixes) {
    const [from, to] = prefixRange(vocabulary, text);
    for (let place = from; place < Math.min(to, from + MAX_PREFIX_WORDS); place++) {
      add(place, prefixQuality(text, vocabulary.words[place]!));
    }
  }
  if (found.size === 0 || effort.misspellings) {
    for (const { place, distance } of corrections(vocabulary, canonicalWord(text))) add(place, MISSPELT[distance]!);
  }
  return [...found];
}

/** A few letters say little about the word they begin: then what is asked for most comes first. */
function prefixQuality(prefix: string, word: string): number {
  return prefix.length < 4 ? 0.6 : 0.5 + (0.4 * prefix.length) / word.length;
}

function noteWord(index: SearchIndex, match: TokenMatch, place: number, quality: number): void {
  for (const name of COLUMNS) {
    const qualities = match[name];
    for (const value of listAt(index[name].byWord, place)) note(qualities, match.touched[name], value, quality);
  }
}

function note(qualities: Float32Array, touched: number[], value: number, quality: number): void {
  if (qualities[value] === 0) touched.push(value);
  if (qualities[value]! < quality) qualities[value] = quality;
}

/** Values with the run in one of theirs; the more of it the query has, the surer. */
function matchScript(index: SearchIndex, run: string, match: TokenMatch): void {
  for (const name of COLUMNS) {
    const column: Column = index[name];
    for (const value of valuesWithPairs(index, column, run)) {
      const having = column.scripts.get(value)?.filter((one) => one.includes(run)) ?? [];
      if (having.length === 0) continue;
      const shortest = Math.min(...having.map((one) => one.length));
      note(match[name], match.touched[name], value, 0.5 + (0.5 * run.length) / shortest);
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

function weightOf(index: SearchIndex, { touched }: TokenMatch): number {
  let items = 0;
  for (const name of COLUMNS) for (const value of touched[name]) items += listSize(index[name].items, value);
  return 1 + 4 * Math.max(0, 1 - Math.log(1 + items) / Math.log(2 + index.size));
}
