import type { Game } from '../catalog/games.ts';
import { listAt, listSize, placeIn } from './lists.ts';
import type { ColumnName, Matched } from './match.ts';
import type { Reading } from './read-query.ts';
import { type Found, type Scored, scorer } from './score.ts';
import type { Column, SearchIndex } from './search-index.ts';
import { gameBit } from './vocabulary.ts';

/** The best items of one reading, the best first, and how it went. */
type Ranking = {
  found: Found[];
  /** How many items have every token. */
  complete: number;
};

const WINDOW = 300;
/** Fewer items with every word than this, and more places are looked in. */
export const FEW = 12;
/** Of more items with a word than `MANY` only those asked for most are looked at, `ENOUGH` of them. */
const MANY = 600;
const ENOUGH = 300;
/** Of so few values the most asked for items are found by their lists; of more by going through all items. */
const FEW_VALUES = 300;
const NEARLY = 0.95;
const ALL_GAMES = 0xffff;

/**
 * Scores the items that can be good answers: those with the number and those whose names have most of the words; where
 * few of these have every word, those of the sets; where none, those of the variations, rarities, artists and teams.
 * `allowed` is 1 for the items that may be answers.
 */
export function rank(index: SearchIndex, reading: Reading, matched: Matched, allowed: Uint8Array | null): Ranking {
  const score = scorer(index, reading, matched);
  const seen = seenIn(index);
  const kept = newKept();
  let complete = 0;
  let most = 0;
  const take = (item: number): boolean => {
    if (allowed !== null && allowed[item] === 0) return false;
    if (seen.marks[item] === seen.round) return true;
    seen.marks[item] = seen.round;
    const one = score(item);
    if (one === null) return false;
    if (one.hit > most) most = one.hit;
    if (one.hit >= most / 2) keep(kept, one);
    if (one.isComplete) complete++;
    return true;
  };
  takeNumbers(index, reading, matched, take);
  const look: Look = { take, isFiltered: allowed !== null };
  const takeFrom = (name: ColumnName) => takeBest(index, name, reading.game, matched, look);
  takeFrom('names');
  takeFrom('printed');
  if (complete < FEW) takeFrom('sets');
  if (complete === 0) for (const name of ['variations', 'rarities', 'extras'] as const) takeFrom(name);
  if (kept.count === 0) takeMarked(index, reading, matched, take);
  return { found: best(kept, most), complete };
}

/** The items with a number of the query; where it has words too, those with one of them in their name or set. */
function takeNumbers(index: SearchIndex, { tokens }: Reading, matched: Matched, take: Take): void {
  for (const { from, to, sureness } of matched.numbers) {
    const words = matched.tokens.filter((_, i) => (i < from || i >= to) && !tokens[i]!.isOptional);
    const isNamed = (item: number): boolean => {
      const [name, printed, set] = [index.names.of[item]!, index.printed.of[item]!, index.sets.of[item]!];
      return words.some((word) => word.names[name]! + word.printed[printed]! + word.sets[set]! > 0);
    };
    for (const number of sureness.keys()) {
      for (const item of listAt(index.numbers.items, number)) if (words.length === 0 || isNamed(item)) take(item);
    }
  }
}

/** Scores an item; false where it cannot be an answer, so that the most asked for of those that can are taken. */
type Take = (item: number) => boolean;
type Look = { take: Take; isFiltered: boolean };

const SEEN = new WeakMap<SearchIndex, { marks: Int32Array; round: number }>();

/** Items already taken in this round are marked with its number: nothing is cleared between rounds. */
function seenIn(index: SearchIndex): { marks: Int32Array; round: number } {
  const seen = SEEN.get(index) ?? { marks: new Int32Array(index.size), round: 0 };
  SEEN.set(index, seen);
  seen.round = (seen.round + 1) | 0;
  return seen;
}

/** The items of the values that have most of the words; of very many, those asked for most. */
function takeBest(index: SearchIndex, name: ColumnName, game: Game | null, { tokens }: Matched, look: Look): void {
  const column = index[name];
  const games = game === null ? ALL_GAMES : gameBit(game);
  const weightOf = new Map<number, number>();
  let best = 0;
  for (const match of tokens) {
    for (const value of match.touched[name]) {
      if ((column.games[value]! & games) === 0) continue;
      const weight = (weightOf.get(value) ?? 0) + match.weight * match[name][value]!;
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
  takeItems(index, column, nearly, look);
  takeItems(index, column, half, look);
}

function takeItems(index: SearchIndex, column: Column, values: readonly number[], { take, isFiltered }: Look): void {
  let items = 0;
  for (const value of values) items += listSize(column.items, value);
  if (items > MANY && (isFiltered || values.length > FEW_VALUES)) {
    const isWanted = new Uint8Array(column.count);
    for (const value of values) isWanted[value] = 1;
    for (let item = 0, taken = 0; item < index.size && taken < ENOUGH; item++) {
      if (isWanted[column.of[item]!] === 1 && take(item)) taken++;
    }
    return;
  }
  const before = items > MANY ? itemThatEnough(column, values, index.size) : index.size;
  for (const value of values) {
    const { start, all } = column.items;
    for (let i = start[value]!; i < start[value + 1]! && all[i]! < before; i++) take(all[i]!);
  }
}

/** The item before which the lists of some values have about `ENOUGH`. */
function itemThatEnough(column: Column, values: readonly number[], size: number): number {
  let low = 0;
  let high = size;
  while (high - low > size / 1000) {
    const middle = (low + high) >> 1;
    let items = 0;
    for (const value of values) items += placeIn(listAt(column.items, value), middle);
    if (items < ENOUGH) low = middle;
    else high = middle;
  }
  return high;
}

/** Where no word is of the catalog: what is in the language, of the year or of the game that the query names. */
function takeMarked(index: SearchIndex, reading: Reading, { tokens }: Matched, take: Take): void {
  const years = tokens.map(({ year }) => year).filter((year) => year > 0);
  const languages = index.languages.map((language) => reading.languages.has(language));
  if (years.length === 0 && reading.game === null && !languages.includes(true)) return;
  for (let item = 0, taken = 0; item < index.size && taken < ENOUGH; item++) {
    const isMarked =
      languages[index.languageOf[item]!] ||
      years.includes(index.yearOf[item]!) ||
      reading.game === index.gameOfSet[index.sets.of[item]!];
    if (isMarked && take(item)) taken++;
  }
}

/** Scored items in columns that every ranking uses again: objects by the thousand would keep the collector busy. */
type Kept = { count: number; items: Int32Array; relevances: Float64Array; hits: Float64Array };

const KEPT: Kept = {
  count: 0,
  items: new Int32Array(1024),
  relevances: new Float64Array(1024),
  hits: new Float64Array(1024),
};

function newKept(): Kept {
  KEPT.count = 0;
  return KEPT;
}

function keep(kept: Kept, { item, relevance, hit }: Scored): void {
  if (kept.count === kept.items.length) {
    kept.items = grown(kept.items, new Int32Array(2 * kept.count));
    kept.relevances = grown(kept.relevances, new Float64Array(2 * kept.count));
    kept.hits = grown(kept.hits, new Float64Array(2 * kept.count));
  }
  kept.items[kept.count] = item;
  kept.relevances[kept.count] = relevance;
  kept.hits[kept.count] = hit;
  kept.count++;
}

function grown<Column extends Int32Array | Float64Array>(from: Column, into: Column): Column {
  into.set(from);
  return into;
}

/** The items with at least half of what the best has, the most relevant first. */
function best({ count, items, relevances, hits }: Kept, most: number): Found[] {
  const places: number[] = [];
  for (let i = 0; i < count; i++) if (hits[i]! >= most / 2) places.push(i);
  places.sort((a, b) => relevances[b]! - relevances[a]! || items[a]! - items[b]!);
  return places.slice(0, WINDOW).map((i) => ({ item: items[i]!, relevance: relevances[i]! }));
}
