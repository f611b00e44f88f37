import { WINDOW } from '../cursor.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { errorsForgiven } from '../index/vocabulary.ts';
import { type Effort, type KnownMatches, matchReading } from './match.ts';
import { FEW, rank } from './rank.ts';
import type { QueryReading } from './read-query.ts';
import { type Way, waysToRead } from './readings.ts';

/** How many of the likeliest ways to read a query may have misspelled words in them; there are up to eight. */
const LOOSE_WAYS = 2;

/**
 * The items that a query finds (of `among`, where it is given), best first, at most 300: by relevance, then by the
 * demand for the card, its printings together. Items of the same relevance to within half a point are equals.
 *
 * Words are first taken as typed. Where no item has them all any may be misspelled; where few items have, the last of a
 * short query may be the beginning of a longer one.
 */
export function rankText(index: SearchIndex, q: string, among: Int32Array | null = null): number[] {
  return rankedText(index, q, among).map(({ item }) => item);
}

/** An item that was found, and its relevance in half points. */
export type RankedItem = { item: number; band: number };

/** As `rankText`, with how well each item fits. */
export function rankedText(
  index: SearchIndex,
  q: string,
  among: Int32Array | null = null,
  { isExact = false } = {},
): RankedItem[] {
  const allowed = among === null ? null : new Uint8Array(index.size);
  for (const item of among ?? []) allowed![item] = 1;
  const relevance = new Map<number, number>();
  const ways = waysToRead(index, q).filter(({ reading }) => reading.tokens.length > 0);
  const known: KnownMatches = new Map();
  const seen = new Uint8Array((index.size >> 3) + 1);
  let complete = 0;
  function look({ reading, bonus }: Way, efforts: readonly Effort[]): void {
    const tried = isExact ? efforts.map((effort) => ({ ...effort, misspellings: false, isExact })) : efforts;
    const ranking = rank(index, reading, matchReading(index, reading, tried, known), { allowed, seen });
    complete += ranking.complete;
    for (const found of ranking.found) {
      const fit = found.relevance + bonus;
      if (fit > (relevance.get(found.item) ?? Number.NEGATIVE_INFINITY)) relevance.set(found.item, fit);
    }
  }
  for (const way of ways)
    look(
      way,
      way.reading.tokens.map(() => AS_TYPED),
    );
  if (complete === 0) for (const way of ways.slice(0, LOOSE_WAYS)) look(way, looseEfforts(way.reading));
  else if (complete < FEW && ways[0]!.reading.tokens.length <= SHORT) look(ways[0]!, unfinished(ways[0]!.reading));

  return [...relevance]
    .map(([item, fit]) => ({ item, band: Math.round(2 * fit), card: index.cardOf[item]! }))
    .sort((a, b) => b.band - a.band || a.card - b.card || a.item - b.item)
    .slice(0, WINDOW);
}

const AS_TYPED: Effort = { prefixes: false, misspellings: false };
/** A query of this many words is short: it may be unfinished. */
const SHORT = 2;

function looseEfforts(reading: QueryReading): Effort[] {
  return unfinished(reading).map((effort, i) => {
    const { text, isScript, isOptional } = reading.tokens[i]!;
    return { ...effort, misspellings: !isScript && !isOptional && errorsForgiven(text.length) > 0 };
  });
}

function unfinished({ tokens }: QueryReading): Effort[] {
  return tokens.map(({ text, isScript }, i) => ({
    prefixes: i === tokens.length - 1 && !isScript && !/^\d+$/.test(text),
    misspellings: false,
  }));
}
