import type { Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';
import { canonicalWord, numberText } from '../../catalog/words/compare.ts';
import { foldWords } from '../../catalog/words/fold.ts';
import { GAME_PHRASES, isLanguageWord, languagesIn } from '../../catalog/words/named.ts';
import { readGrade } from '../../sales/match/read-grade.ts';
import { joinSigns, katakana, SCRIPT_RUN, scriptRuns } from '../index/index-words.ts';
import { withoutRawLetter } from './requested-grade.ts';

/** One word of a query. */
export type Token = {
  /** Folded, as typed; of another script, NFKC in lower case. */
  text: string;
  isScript: boolean;
  /** Missing it costs next to nothing: small words, words of grading. */
  isOptional: boolean;
  /** It names a language, and an item in it has the word. */
  isLanguage: boolean;
  /** It names a game, and the items of that game have the word. */
  game: Game | null;
  /** The piece of the query that it is in. */
  piece: number;
};

/** Tokens `from` to before `to` read as a printed number. */
type NumberSpan = { from: number; to: number; key: string };

/** One way to read a query. */
export type QueryReading = {
  /** The only game it is about, or null. */
  game: Game | null;
  /** The query in pieces without spaces, grades left out. */
  pieces: string[];
  tokens: Token[];
  spans: NumberSpan[];
  /** After the slash of `4/102`: keys of the last number of the set. */
  setSizes: string[];
  /** The languages it names; empty: any. */
  languages: ReadonlySet<Language>;
};

export const MAX_TOKENS = 14;

const SMALL_WORDS = new Set(
  `a an and the of in on to for with by de la le les des du el los las der die das e y et und numbered card cards tcg ccg single singles price prices value worth cost sold sale listing
  listings buy no number num psa bgs bvg cgc sgc beckett graded grade slab slabbed gem mint mt nm lp mp hp pristine raw
  rookie rookies rc ungraded near lightly moderately heavily played condition black label perfect simplified traditional`.split(
    /\s+/,
  ),
);

/** A grade stated without its company. */
const BARE_GRADE = /\b(?:gem[- ]?(?:mint|mt)|mint|pristine)\s+(?:10|9(?:\.5)?)\b/g;

/**
 * Reads a query word by word: grader and grade are set aside, numbers are recognized with or without their dashes,
 * words that name a language or a game are marked. Never throws; knows no catalog.
 */
export function readQuery(q: string): QueryReading {
  const text = queryText(q);
  const ungraded = withoutRawLetter(text).replace(BARE_GRADE, ' ');
  const grading = readGrade(ungraded);
  // What may be a raw card's condition may as well be part of a number (`BCAR-NM`).
  const rest = grading.company === 'RAW' ? ungraded : grading.rest;
  const tokens: Token[] = [];
  const numbers: Piece[] = [];
  const setSizes: string[] = [];
  const pieces = rest.split(BETWEEN).flatMap((chunk) => chunk.split(SCRIPT_PARTS).filter(Boolean));
  pieces.forEach((text, piece) => {
    if (scriptRuns(text).length > 0) {
      tokens.push({ ...PLAIN, text, isScript: true, piece });
      return;
    }
    const from = tokens.length;
    const [number, size] = text.split('/', 2) as [string, string | undefined];
    // `4/102` is number 4 of a set of 102, `/50` and `1/1` are how many copies there are.
    const isFraction = size !== undefined && number !== size && /\d/.test(number) && /\d|-p$/.test(size);
    if (isFraction) setSizes.push(numberText(size));
    for (const word of foldWords(isFraction ? number : text)) tokens.push(tokenOf(word, piece));
    const mayBeNumber = tokens.length > from && (isFraction || size === undefined);
    if (mayBeNumber) numbers.push({ text: number, from, to: tokens.length });
  });
  const read = tokens.slice(0, MAX_TOKENS);
  const spans = numberSpans(numbers).filter(({ to }) => to <= read.length);
  const game = markGame(read);
  const named = languagesIn(foldWords(rest).join(' '));
  const languages = new Set(
    named.flatMap((one): Language[] => (one === 'Chinese' ? ['Chinese Simplified', 'Chinese Traditional'] : [one])),
  );
  return { game, pieces, tokens: read, spans, setSizes, languages };
}

const PLAIN = { isScript: false, isOptional: false, isLanguage: false, game: null };
const BETWEEN = /[\s,;()[\]"]+/;
const SCRIPT_PARTS = new RegExp(`(${SCRIPT_RUN})`, 'u');

type Piece = { text: string; from: number; to: number };

function tokenOf(word: string, piece: number): Token {
  return { ...PLAIN, text: word, piece, isOptional: SMALL_WORDS.has(word), isLanguage: isLanguageWord(word) };
}

/** A query in plain lower case, marks and signs as the catalog's texts have them. */
export function queryText(q: string): string {
  return joinSigns(plainText(q)).toLowerCase();
}

function plainText(q: string): string {
  return katakana(q.normalize('NFKC').toLowerCase())
    .replace(/\p{C}/gu, ' ')
    .replace(/[’‘`´ʼ]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-');
}

/** Every piece with a digit may be a number, and so may a code and the digits behind it (`op05 119`, `swsh 066`). */
function numberSpans(pieces: readonly Piece[]): NumberSpan[] {
  const spans: NumberSpan[] = [];
  const add = (from: number, to: number, text: string): void => {
    const key = numberText(text);
    if (key !== '') spans.push({ from, to, key });
  };
  pieces.forEach((piece, i) => {
    if (piece.text.length > 16) return;
    if (/\d/.test(piece.text) || /^[a-z]{1,4}-[a-z]{1,4}$/.test(piece.text)) add(piece.from, piece.to, piece.text);
    const next = pieces[i + 1];
    if (next === undefined || next.from !== piece.to) return;
    if (/^[a-z]{1,6}\d{0,3}$/.test(piece.text) && /^#?[a-z]{0,3}\d{1,4}[a-z]?$/.test(next.text)) {
      add(piece.from, next.to, `${piece.text}-${next.text}`);
      if (!/\d/.test(piece.text)) add(piece.from, next.to, `${piece.text}${next.text.replace('#', '')}`);
    }
  });
  return spans;
}

/**
 * Marks the words that name a game and returns it; the first named counts. Makers of sports cards do not name one: they
 * printed other games too.
 */
function markGame(tokens: Token[]): Game | null {
  const words = tokens.map(({ text }) => canonicalWord(text));
  for (const [phrase, game] of GAME_PHRASES) {
    const parts = phrase.split(' ').map(canonicalWord);
    const at = words.findIndex((_, i) => parts.every((part, j) => words[i + j] === part));
    if (at < 0) continue;
    for (let i = at; i < at + parts.length; i++) tokens[i] = { ...tokens[i]!, game };
    return game;
  }
  return null;
}
