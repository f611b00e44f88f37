import type { Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';
import { canonicalWord, joinMarks, numberKey } from '../../catalog/words/compare.ts';
import { foldWords } from '../../catalog/words/fold.ts';
import { gameIn, languagesIn } from '../../catalog/words/named.ts';
import { readDenials } from './denials.ts';
import { blank, readGrade, type TitleGrade } from './read-grade.ts';
import { rejectionIn, type TitleRejection } from './rejections.ts';
import { HARMLESS_PHRASES } from './words.ts';

/** A number that may be the card's, in the form numbers are compared in (see `numberKey`). */
export type NumberReading = {
  key: string;
  /** Marked as a number (`#114`, `130/098`) or a code with letters, not just digits among the words. */
  strong: boolean;
};

export type TitleReading = {
  title: string;
  grading: Omit<TitleGrade, 'rest'>;
  game: Game | null;
  /** The title as printed when it has other than ASCII letters, for names in other scripts; else empty. */
  printed: string;
  /** Comparable words in order, grade and serial numbers left out; at most 64. */
  words: string[];
  /** The words as codes of sets are compared (`numberKey`). */
  codes: ReadonlySet<string>;
  numbers: NumberReading[];
  /** Print runs stated (`/50`, `13/25`). In a game with numbers as `130/098` the denominators are set sizes. */
  runs: number[];
  years: number[];
  languages: (Language | 'Chinese')[];
  /** Languages that the title says it is not in, as words in lower case. */
  deniedLanguages: string[];
  rejection: TitleRejection | null;
};

const MAX_LETTERS = 400;
const MAX_WORDS = 64;
const MAX_NUMBERS = 12;

/**
 * Reads a listing's title: who graded it and how, the card's number, years, languages, and what it may not be. Never
 * throws; nothing here knows the catalog. `knownGame` outranks the title's.
 */
export function readTitle(title: string, knownGame: Game | null = null): TitleReading {
  const short = title.slice(0, MAX_LETTERS);
  const { left: text, languages: deniedLanguages } = readDenials(plainText(short));
  const { rest, ...grading } = readGrade(text);
  const game = knownGame ?? gameIn(spaced(text));
  const rejection = rejectionIn(rest, text, game);
  let left = rest;
  const numbers = new Map<string, NumberReading>();
  const add = (text: string, strong: boolean): void => {
    const key = numberKey(text);
    numbers.set(key, { key, strong });
  };
  const runs = new Set<number>();
  const fractions = readFractions(left, game, runs, add);
  left = fractions.left;
  const years: number[] = [];
  left = left.replace(/(?<![\d#.])((?:19|20)\d\d)(?:\s*[-/]\s*(?:20)?\d\d)?(?![\d.])/g, (whole, year: string) => {
    years.push(Number(year));
    return blank(whole);
  });
  left = left.replace(/#\s*(?:'?d\s+|'d)?([a-z0-9]+(?:[-/][a-z0-9]+)*)/g, (whole, code: string) => {
    add(code, true);
    return blank(whole);
  });
  left = left.replace(/\bno\.?\s?(\d{1,3})\b/g, (whole, digits: string) => {
    add(digits, true);
    return blank(whole);
  });
  const marked = numbers.size > 0;
  for (const [code] of left.matchAll(
    /\b[a-z]{1,5}\d{0,2}-[a-z]{0,3}\d{1,4}[a-z]?\b|\b[a-z]{1,4}-[a-z]{1,4}\b|\b[a-z]{1,5}\d{1,4}[a-z]?\b|\b\d{1,4}[a-z]\b/g,
  )) {
    if (!/^(?:\d+(?:st|nd|rd|th|x)|x\d+|[a-z]\d)$/.test(code)) add(code, true);
  }
  if (!marked) {
    for (const [digits] of left.matchAll(/(?<![\w.$/])\d{1,4}(?![\w/]|\.\d|%)/g)) add(digits, false);
  }
  const words = foldWords(joinMarks(left.replace(HARMLESS_PHRASES, keepSet)))
    .map(canonicalWord)
    .slice(0, MAX_WORDS);
  return {
    title,
    grading,
    game,
    printed: /[^\x00-\x7f]/.test(short) ? short.normalize('NFKC') : '',
    words,
    codes: new Set(words.map(numberKey)),
    numbers: [...numbers.values()].slice(0, MAX_NUMBERS),
    runs: [...runs],
    years,
    languages: languagesIn(spaced(text)),
    deniedLanguages,
    rejection: rejection ?? (fractions.several ? { reason: 'lot', word: 'several numbers' } : null),
  };
}

/**
 * Reads `130/098`, `SV41/SV94`, `189/S-P`, and in titles that lost their marks `24 165` and `SV41 SV94`. In sports such a
 * pair is a copy of a print run (`13/25`, `/499`), everywhere else a number and its set's size.
 */
function readFractions(
  text: string,
  game: Game | null,
  runs: Set<number>,
  add: (text: string, strong: boolean) => void,
): { left: string; several: boolean } {
  const bySize = new Map<string, Set<string>>();
  let left = text.replace(
    /(?:#\s?(?:'?d\s)?)?(?<![\w.])([a-z]{0,5}\d{1,4}[a-z]?)(?:\/|\s\/\s)([a-z]{0,5}\d{1,4}|[a-z]{1,3}-p)(?![\w/])/g,
    (whole, number: string, size: string) => {
      if (game === 'sports') {
        if (isSeason(number, size)) return whole;
        runs.add(Number(size));
      } else {
        add(number, true);
        if (size.endsWith('-p')) add(`${number}/${size}`, true);
        bySize.set(size, (bySize.get(size) ?? new Set()).add(numberKey(number)));
      }
      return blank(whole);
    },
  );
  left = left.replace(/#?\s?(?<![\w.])\/\s?(\d{1,5})\b/g, (whole, size: string) => {
    runs.add(Number(size));
    return blank(whole);
  });
  if (bySize.size === 0 && game !== 'sports') {
    left = left.replace(
      /(?<![\w.#$/-])(?:(\d{1,3}) (\d{2,3})|([a-z]{2,4}\d{1,3}) ([a-z]{2,4}\d{1,3}))(?![\w./])/,
      (whole, a?: string, _?: string, c?: string, d?: string) => {
        const number = (a ?? c)!;
        if (c !== undefined && c.replace(/\d/g, '') !== d!.replace(/\d/g, '')) return whole;
        add(number, true);
        return blank(whole);
      },
    );
  }
  return { left, several: [...bySize.values()].some((numbers) => numbers.size > 1) };
}

/** `2020/21`: a season, not the 2020th copy of 21. */
function isSeason(year: string, next: string): boolean {
  return /^(?:19|20)\d\d$/.test(year) && next.length === 2 && (Number(year) + 1) % 100 === Number(next);
}

/** Lower case without accents, emoji and typographic marks; digits, slashes, points and hashes stay as they are. */
function plainText(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’‘`´ʼ]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[“”]/g, '"')
    .replace(/[\u0000-\u001f]|\p{Extended_Pictographic}|\ufe0f/gu, ' ');
}

function spaced(text: string): string {
  return foldWords(text).join(' ');
}

/** Of the phrases whose words mislead only "Black Star" names sets: it stays. */
function keepSet(phrase: string): string {
  return phrase === 'black star' ? phrase : ' ';
}
