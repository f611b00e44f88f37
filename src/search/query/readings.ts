import type { Game } from '../../catalog/games.ts';
import { canonicalWord } from '../../catalog/words/compare.ts';
import { listSize } from '../index/lists.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { gameBit, placeOf, type Vocabulary } from '../index/vocabulary.ts';
import { type QueryReading, readQuery } from './read-query.ts';

const MAX_READINGS = 8;
/** Meanings of a synonym rank above the words themselves; translations below printed names. */
const MEANT = 2;
const TRANSLATED = -8;
/** Of several meanings the first is the likeliest. */
const LATER_MEANING = 0.6;
/** Words that were joined or split here. */
const RESPELT = -2;

/** A way to read a query; `bonus` is added to the relevance of what it finds. */
export type Way = { reading: QueryReading; bonus: number };

/**
 * The ways to read a query that the synonyms and the words of the catalog know of: as typed, with the first meaning
 * of every phrase, and with each meaning of one.
 */
export function waysToRead(index: SearchIndex, q: string): Way[] {
  const literal = readQuery(q);
  const synonyms = [...synonymsIn(index, literal)];
  const first = synonyms.filter(({ from }, i) => synonyms[i - 1]?.from !== from);
  const together = first.filter(({ from }, i) => i === 0 || from >= first[i - 1]!.to);
  const ways: Way[] = [{ reading: literal, bonus: 0 }];
  for (const parts of [
    together,
    ...synonyms.map((one) => [one]),
    ...[...respellings(index, literal)].map((one) => [one]),
  ]) {
    const games = new Set([literal.game, ...parts.map(({ game }) => game)].filter((game) => game !== null));
    if (parts.length === 0 || games.size > 1 || ways.length === MAX_READINGS) continue;
    if (parts === together && parts.length === 1) continue;
    const game = [...games][0] ?? null;
    if (game !== null && hasWordsElsewhere(index, literal, parts, game)) continue;
    const reading = readQuery(replaced(literal, parts));
    const bonus = Math.min(...parts.map((part) => part.bonus));
    ways.push({ reading: { ...reading, game: game ?? reading.game }, bonus });
  }
  return ways;
}

/** True when a word that is not replaced is of other games only: "umbreon alt" is not about another game's alt. */
function hasWordsElsewhere(
  { vocabulary }: SearchIndex,
  { tokens }: QueryReading,
  parts: readonly Replacement[],
  game: Game,
): boolean {
  return tokens.some(({ text, isOptional, isLanguage }, i) => {
    if (isOptional || isLanguage || /\d/.test(text) || parts.some(({ from, to }) => i >= from && i < to)) return false;
    const place = placeOf(vocabulary, canonicalWord(text));
    return place >= 0 && (vocabulary.games[place]! & gameBit(game)) === 0;
  });
}

/** Tokens `from` to before `to` read as `text`. */
type Replacement = { from: number; to: number; text: string; bonus: number; game: QueryReading['game'] };

/** The longest phrase at each place, with each of its expansions. */
function* synonymsIn(index: SearchIndex, { tokens }: QueryReading): Generator<Replacement> {
  for (let from = 0; from < tokens.length; from++) {
    const entries = (index.synonyms.get(tokens[from]!.text) ?? []).filter(({ words }) =>
      words.every((word, i) => tokens[from + i]?.text === word),
    );
    const longest = Math.max(...entries.map(({ words }) => words.length));
    for (const { words, expansions, isTranslation, game } of entries) {
      if (words.length < longest) continue;
      const bonus = isTranslation || words.every((word) => isPrinted(index, word)) ? TRANSLATED : MEANT;
      for (const [i, text] of expansions.entries()) {
        yield { from, to: from + words.length, text, bonus: bonus - LATER_MEANING * i, game };
      }
    }
  }
}

/** True for a word of names in other languages. */
function isPrinted({ vocabulary, printed, names }: SearchIndex, word: string): boolean {
  const place = placeOf(vocabulary, word);
  return place >= 0 && listSize(printed.byWord, place) > 0 && listSize(names.byWord, place) === 0;
}

/** Two words that the catalog has as one (`pika chu`), and one that it has as two (`blueeyes`, `charizard4`). */
function* respellings({ vocabulary }: SearchIndex, { tokens }: QueryReading): Generator<Replacement> {
  for (let from = 0; from < tokens.length; from++) {
    const { text, isScript, isOptional } = tokens[from]!;
    if (isScript || isOptional) continue;
    const next = tokens[from + 1];
    if (
      next !== undefined &&
      !next.isScript &&
      text.length + next.text.length > 3 &&
      isWord(vocabulary, text + next.text)
    ) {
      yield { from, to: from + 2, text: text + next.text, bonus: RESPELT, game: null };
    }
    const parts = isWord(vocabulary, text) ? null : partsOf(vocabulary, text);
    if (parts !== null) yield { from, to: from + 1, text: parts.join(' '), bonus: RESPELT, game: null };
  }
}

const MIN_PART = 3;

/** The two words that a word is made of, both as frequent as possible; letters are always split from digits. */
function partsOf(vocabulary: Vocabulary, word: string): [string, string] | null {
  const lettersThenDigits = /^([a-z]{3,})(\d+)$/.exec(word);
  if (lettersThenDigits !== null && isWord(vocabulary, lettersThenDigits[1]!)) {
    return [lettersThenDigits[1]!, lettersThenDigits[2]!];
  }
  let best: [string, string] | null = null;
  let most = 0;
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const parts: [string, string] = [word.slice(0, at), word.slice(at)];
    const items = Math.min(...parts.map((part) => itemsWith(vocabulary, part)));
    if (items > most) {
      most = items;
      best = parts;
    }
  }
  return best;
}

function itemsWith(vocabulary: Vocabulary, word: string): number {
  const place = placeOf(vocabulary, word);
  return place < 0 ? itemsAt(vocabulary, canonicalWord(word)) : vocabulary.items[place]!;
}

function itemsAt(vocabulary: Vocabulary, word: string): number {
  const place = placeOf(vocabulary, word);
  return place < 0 ? 0 : vocabulary.items[place]!;
}

function isWord(vocabulary: Vocabulary, word: string): boolean {
  return itemsWith(vocabulary, word) > 0;
}

/** The query with parts replaced; a piece that is replaced in part keeps its other words. */
function replaced({ pieces, tokens }: QueryReading, parts: readonly Replacement[]): string {
  const partAt = (token: number) => parts.find(({ from, to }) => token >= from && token < to);
  const changed = new Set(tokens.filter((_, i) => partAt(i) !== undefined).map(({ piece }) => piece));
  return pieces
    .flatMap((original, piece) => {
      if (!changed.has(piece)) return [original];
      return tokens.flatMap((token, i) => {
        if (token.piece !== piece) return [];
        const part = partAt(i);
        if (part === undefined) return [token.text];
        return part.from === i ? [part.text] : [];
      });
    })
    .join(' ');
}
