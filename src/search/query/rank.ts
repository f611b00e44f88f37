import type { Game } from '../../catalog/games.ts';
import { listAt, listSize } from '../index/lists.ts';
import type { Column, SearchIndex } from '../index/search-index.ts';
import { gameBit } from '../index/vocabulary.ts';
import type { ColumnName, Matched } from './match.ts';
import type { QueryReading } from './read-query.ts';
import { type Scored, type ScoredItem, scorer } from './score.ts';

/** The items that fit one reading, in no order, and how it went. */
type Ranking = {
  found: ScoredItem[];
  /** How many items have every token. */
  complete: number;
};

/** Fewer items with every word than this, and more columns are searched. */
export const FEW = 12;
/** Where more items than `MANY` have a word, only `ENOUGH` of them are scored: those in most demand. */
const MANY = 600;
const ENOUGH = 300;
/** Below this share of the catalog, sorting the items of a word is cheaper than a scan of the catalog for them. */
const SPARSE = 1 / 64;
const NEARLY = 0.95;
const ALL_GAMES = 0xffff;

/** What the readings of a query share: `allowed` is 1 for the items that may be answers; `seen` has a bit for each, all 0. */
export type RankMemory = { allowed: Uint8Array | null; seen: Uint8Array };

/** `take` scores an item that was not scored before; `taken` counts those that have at least a part of the query. */
type Scoring = { taken: number; take(item: number): void };

/**
 * Scores the items that can be good answers: those with the number and those whose names have most of the words; where
 * few of these have every word, those of the sets; where none, those of the variations, rarities, artists and teams.
 * Answers with the items that have at least half of what the best has of the query.
 */
export function rank(
  index: SearchIndex,
  reading: QueryReading,
  matched: Matched,
  { allowed, seen }: RankMemory,
): Ranking {
  const score = scorer(index, reading, matched);
  const found: Scored[] = [];
  const marked: number[] = [];
  let complete = 0;
  let most = 0;
  const scoring: Scoring = {
    taken: 0,
    take(item) {
      const bit = 1 << (item & 7);
      if ((seen[item >> 3]! & bit) !== 0 || allowed?.[item] === 0) return;
      seen[item >> 3]! |= bit;
      marked.push(item >> 3);
      const one = score(item);
      if (one === null) return;
      scoring.taken++;
      if (one.isComplete) complete++;
      if (one.hit > most) most = one.hit;
      if (one.hit >= most / 2) found.push(one);
    },
  };
  takeNumbers(index, reading, matched, scoring);
  const takeFrom = (name: ColumnName) => takeBest(index, name, reading.game, matched, scoring);
  takeFrom('names');
  takeFrom('printed');
  if (complete < FEW) takeFrom('sets');
  if (complete === 0) for (const name of ['variations', 'rarities', 'extras'] as const) takeFrom(name);
  if (scoring.taken === 0) takeMarked(index, reading, matched, scoring);
  for (const byte of marked) seen[byte] = 0;
  return { found: found.filter(({ hit }) => hit >= most / 2), complete };
}

/** The items with a number of the query; where it has words too, those with one of them in their name or set. */
function takeNumbers(index: SearchIndex, { tokens }: QueryReading, matched: Matched, { take }: Scoring): void {
  for (const { from, to, printed: numbers } of matched.numbers) {
    const words = matched.tokens.filter((_, i) => (i < from || i >= to) && !tokens[i]!.isOptional);
    const isNamed = (item: number): boolean => {
      const [name, printed, set] = [index.names.of[item]!, index.printed.of[item]!, index.sets.of[item]!];
      return words.some((word) => word.names.has(name) || word.printed.has(printed) || word.sets.has(set));
    };
    for (const { number } of numbers) {
      for (const item of listAt(index.numbers.items, number)) if (words.length === 0 || isNamed(item)) take(item);
    }
  }
}

/** The items of the values that have most of the words; of very many, those in most demand. */
function takeBest(
  index: SearchIndex,
  name: ColumnName,
  game: Game | null,
  { tokens }: Matched,
  scoring: Scoring,
): void {
  const column = index[name];
  const games = game === null ? ALL_GAMES : gameBit(game);
  const weightOf = new Map<number, number>();
  let best = 0;
  for (const match of tokens) {
    for (const [value, quality] of match[name]) {
      if ((column.games[value]! & games) === 0) continue;
      const weight = (weightOf.get(value) ?? 0) + match.weight * quality;
      weightOf.set(value, weight);
      if (weight > best) best = weight;
    }
  }
  const nearly: number[] = [];
  const half: number[] = [];
  for (const [value, weight] of weightOf) {
    if (weight >= NEARLY * best) nearly.push(value);
    else if (weight >= best / 2) half.push(value);
  }
  takeItems(index, column, nearly, scoring);
  takeItems(index, column, half, scoring);
}

/** The items of some values; of very many, those in most demand. */
function takeItems(index: SearchIndex, column: Column, values: readonly number[], scoring: Scoring): void {
  let items = 0;
  for (const value of values) items += listSize(column.items, value);
  if (items <= MANY) {
    for (const value of values) for (const item of listAt(column.items, value)) scoring.take(item);
    return;
  }
  const enough = scoring.taken + ENOUGH;
  if (items < SPARSE * index.size) {
    const rising = new Int32Array(items);
    let size = 0;
    for (const value of values) {
      rising.set(listAt(column.items, value), size);
      size += listSize(column.items, value);
    }
    for (const item of rising.sort()) {
      if (scoring.taken >= enough) return;
      scoring.take(item);
    }
    return;
  }
  const isWanted = new Uint8Array(column.count);
  for (const value of values) isWanted[value] = 1;
  for (let item = 0; item < index.size && scoring.taken < enough; item++) {
    if (isWanted[column.of[item]!] === 1) scoring.take(item);
  }
}

/** Where no word is of the catalog: what is in the language, of the year or of the game that the query names. */
function takeMarked(index: SearchIndex, reading: QueryReading, { tokens }: Matched, scoring: Scoring): void {
  const years = tokens.map(({ year }) => year).filter((year) => year > 0);
  const languages = index.languages.map((language) => reading.languages.has(language));
  if (years.length === 0 && reading.game === null && !languages.includes(true)) return;
  for (let item = 0; item < index.size && scoring.taken < ENOUGH; item++) {
    const isMarked =
      languages[index.languageOf[item]!] ||
      years.includes(index.yearOf[item]!) ||
      reading.game === index.gameOfSet[index.sets.of[item]!];
    if (isMarked) scoring.take(item);
  }
}
