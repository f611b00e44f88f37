import { GAMES, type Game } from '../../catalog/games.ts';

/** The words of a catalog: found whole, by their first letters, or by a misspelling. Pure; words are kept sorted. */

export type Vocabulary = {
  /** Sorted by code unit. */
  words: readonly string[];
  /** How many items have the word. */
  items: Int32Array;
  /** The games whose items have it: one bit each, in the order of `GAMES`. */
  games: Uint16Array;
  /** For each pair of letters, the words that have it, rising; padded with a space in front. */
  pairs: ReadonlyMap<string, Int32Array>;
};

export function gameBit(game: Game): number {
  return 1 << GAMES.indexOf(game);
}

/** How often a word occurs, and in which games. */
export type WordUse = { items: number; games: number };

export function vocabularyOf(uses: ReadonlyMap<string, WordUse>): Vocabulary {
  const words = [...uses.keys()].sort();
  const lists = new Map<string, number[]>();
  const items = new Int32Array(words.length);
  const games = new Uint16Array(words.length);
  for (const [place, word] of words.entries()) {
    const use = uses.get(word)!;
    items[place] = use.items;
    games[place] = use.games;
    for (const pair of pairsIn(word)) {
      const list = lists.get(pair);
      if (list === undefined) lists.set(pair, [place]);
      else list.push(place);
    }
  }
  const pairs = new Map([...lists].map(([pair, list]) => [pair, new Int32Array(list)]));
  return { words, items, games, pairs };
}

/** The place of a word, or -1. */
export function placeOf({ words }: Vocabulary, word: string): number {
  const place = firstFrom(words, word);
  return words[place] === word ? place : -1;
}

/** The places of the words that begin with `prefix`: from the first to before the last. */
export function prefixRange({ words }: Vocabulary, prefix: string): [from: number, to: number] {
  return [firstFrom(words, prefix), firstFrom(words, `${prefix}\uffff`)];
}

function firstFrom(words: readonly string[], word: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Correction = { place: number; distance: number };

const MAX_CORRECTIONS = 8;

/** How many typing errors a word of this length is forgiven. */
export function errorsForgiven(letters: number): number {
  if (letters < 4) return 0;
  return letters < 8 ? 1 : 2;
}

/**
 * The other words nearest to one that may be misspelled, the most frequent first: those with one typing error, or where
 * there are none, with two. Only words that share enough pairs of letters are compared: k errors leave at least
 * `letters + 1 - 3 k` of the padded pairs (a swap can break three).
 */
export function corrections(vocabulary: Vocabulary, word: string): Correction[] {
  const pairs = pairsIn(word);
  for (let errors = 1; errors <= errorsForgiven(word.length); errors++) {
    const near = wordsSharing(vocabulary, pairs, Math.max(1, pairs.length - 3 * errors)).filter(
      (place) => typingErrors(word, vocabulary.words[place]!, errors) === errors,
    );
    if (near.length === 0) continue;
    near.sort((a, b) => vocabulary.items[b]! - vocabulary.items[a]!);
    return near.slice(0, MAX_CORRECTIONS).map((place) => ({ place, distance: errors }));
  }
  return [];
}

/** The words with at least `needed` of the pairs. */
function wordsSharing({ words, pairs: wordsWith }: Vocabulary, pairs: readonly string[], needed: number): number[] {
  const shared = new Uint8Array(words.length);
  const found: number[] = [];
  for (const pair of pairs) {
    const places = wordsWith.get(pair) ?? NONE;
    for (let i = 0; i < places.length; i++) if (++shared[places[i]!]! === needed) found.push(places[i]!);
  }
  return found;
}

const NONE = new Int32Array(0);

function pairsIn(word: string): string[] {
  const padded = ` ${word}`;
  const pairs = new Set<string>();
  for (let i = 1; i < padded.length; i++) pairs.add(padded.slice(i - 1, i + 1));
  return [...pairs];
}

// Reused by every comparison: three rows of the table, as long as the longest word met.
let rows = [new Uint8Array(32), new Uint8Array(32), new Uint8Array(32)] as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Letters missing, added, changed or swapped with their neighbor between two words: optimal string alignment distance
 * (Damerau 1964 with each letter touched once). More than `limit`, at most 254, is returned as `limit + 1`.
 */
export function typingErrors(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  if (b.length >= rows[0].length) {
    const length = 2 * b.length;
    rows = [new Uint8Array(length), new Uint8Array(length), new Uint8Array(length)];
  }
  let [beforeLast, last, row] = rows;
  // A table entry beyond the limit is returned as one more: what follows from it is beyond the limit too.
  const most = limit + 1;
  for (let j = 0; j <= b.length; j++) last[j] = Math.min(j, most);
  for (let i = 1; i <= a.length; i++) {
    row[0] = Math.min(i, most);
    let least = row[0]!;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let errors = last[j - 1]! + (same ? 0 : 1);
      if (last[j]! + 1 < errors) errors = last[j]! + 1;
      if (row[j - 1]! + 1 < errors) errors = row[j - 1]! + 1;
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped && beforeLast[j - 2]! + 1 < errors) errors = beforeLast[j - 2]! + 1;
      row[j] = Math.min(errors, most);
      if (row[j]! < least) least = row[j]!;
    }
    if (least > limit) return most;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length]!;
}
