import { WINDOW } from './cursor.ts';
import { matchReading } from './match.ts';
import { FEW, rank } from './rank.ts';
import type { Reading } from './read-query.ts';
import { waysToRead } from './readings.ts';
import type { Found } from './score.ts';
import type { SearchIndex } from './search-index.ts';
import { errorsForgiven } from './vocabulary.ts';

/** 1 for the items that may be answers. */
type Allowed = Uint8Array | null;

/** The likeliest ways to read a query may have unfinished and misspelt words in them; there are up to eight others. */
const LOOSE_WAYS = 2;

/**
 * The items that a query finds (of `among`, where it is given), best first, at most 300: by relevance, then by how much the card is asked for, its
 * printings together. Items of the same relevance to within half a point are equals.
 */
export function rankText(index: SearchIndex, q: string, among: Int32Array | null = null): number[] {
  const allowed = among === null ? null : new Uint8Array(index.size);
  for (const item of among ?? []) allowed![item] = 1;
  const relevance = new Map<number, number>();
  waysToRead(index, q).forEach(({ reading, bonus }, way) => {
    for (const found of rankReading(index, reading, allowed, way < LOOSE_WAYS)) {
      const fit = found.relevance + bonus;
      if (fit > (relevance.get(found.item) ?? Number.NEGATIVE_INFINITY)) relevance.set(found.item, fit);
    }
  });
  const band = (item: number) => Math.round(2 * relevance.get(item)!);
  return [...relevance.keys()]
    .sort((a, b) => band(b) - band(a) || index.cardOf[a]! - index.cardOf[b]! || a - b)
    .slice(0, WINDOW);
}

/** Catalog ids of the best `limit` items for a query. */
export function findText(index: SearchIndex, q: string, limit: number): string[] {
  return rankText(index, q).slice(0, limit).map(index.idOf);
}

/**
 * Words are first taken as they stand. Where few items have them all, the last may be the beginning of a longer one;
 * where none has, any may be misspelt.
 */
function rankReading(index: SearchIndex, reading: Reading, allowed: Allowed, isLoose: boolean): Found[] {
  if (reading.tokens.length === 0) return [];
  const plain = reading.tokens.map(() => ({ prefixes: false, misspellings: false }));
  const first = rank(index, reading, matchReading(index, reading, plain), allowed);
  if (first.complete >= FEW || !isLoose) return first.found;
  const last = reading.tokens.length - 1;
  const efforts = reading.tokens.map(({ text, isScript, isOptional }, i) => ({
    prefixes: i === last && !isScript && !isOptional && !/^\d+$/.test(text),
    misspellings: first.complete === 0 && !isScript && !isOptional && errorsForgiven(text.length) > 0,
  }));
  if (!efforts.some(({ prefixes, misspellings }) => prefixes || misspellings)) return first.found;
  const second = rank(index, reading, matchReading(index, reading, efforts), allowed);
  return [...first.found, ...second.found];
}
