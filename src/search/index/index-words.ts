import { canonicalWord, joinMarks, numberKey, numberText } from '../../catalog/words/compare.ts';
import { foldWords } from '../../catalog/words/fold.ts';

/** Words as search compares them: of catalog texts and of queries alike. */

/** Runs of letters that do not fold to ASCII: kana, kanji, hangul, Thai, Cyrillic, Hebrew… */
export const SCRIPT_RUN = String.raw`[^\x00-\x7f\p{Script=Latin}\p{P}\p{S}\p{Z}\p{C}\p{N}]+`;
const SCRIPT_RUNS = new RegExp(SCRIPT_RUN, 'gu');

/** Runs of another script in a text, NFKC and lower case, hiragana as katakana; `リザードンex` gives `リザードン`. */
export function scriptRuns(text: string): string[] {
  return katakana(text.normalize('NFKC').toLowerCase()).match(SCRIPT_RUNS) ?? [];
}

/** Hiragana and katakana are equivalent in a query: each hiragana code point is 96 before its katakana. */
export function katakana(text: string): string {
  return text.replace(/[ぁ-ゖ]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 96));
}

/** What a run is found by: its pairs of characters, or the one it has. */
export function pairsOf(run: string): string[] {
  const signs = [...run];
  if (signs.length < 2) return signs;
  return signs.slice(1).map((sign, i) => signs[i]! + sign);
}

/** Comparable Latin words of a catalog text, each once. */
export function latinWords(text: string): string[] {
  return [...new Set(foldWords(joinSigns(text)).map(canonicalWord))];
}

/**
 * Joins what is one word: possessives and spellings as the matcher does, initials (`J.J. Watt` is `JJ Watt`), and the
 * pluses that alone distinguish some rarities (`LR+` is `LRplus`).
 */
export function joinSigns(text: string): string {
  return joinMarks(text)
    .replace(/\b(?:[a-z]\.){2,}/gi, (initials) => `${initials.replaceAll('.', '')} `)
    .replace(/(?<=\p{L})\++/gu, (pluses) => 'plus'.repeat(pluses.length));
}

/** The words that a set's code is typed as: `OP-05` is `op05` and `op5`, `sv03.5` is `sv035` and `sv35`. */
export function codeWords(code: string): string[] {
  const joined = foldWords(code).join('');
  return [...new Set([joined, numberKey(code)])].filter((word) => word !== '');
}

/** How sure a key is to mean the printed number: whole, without its language, or only what follows the set's code. */
const NUMBER_WHOLE = 1;
const NUMBER_PLAIN = 0.95;
const NUMBER_TAIL = 0.6;

const LANGUAGE_INFIX = /^([A-Z0-9]{2,6})-(?:EN|DE|FR|IT|SP|PT|JP|KR|AE|SC|TC|[EFGISPKJ])(\d+)$/;

/** The keys that a printed number is found by: `LOB-EN001` as `lob-en1`, `lob-1` and `1`; `OP05-119` as `op5-119` and `119`. */
export function numberKeys(number: string): [key: string, confidence: number][] {
  const keys = new Map<string, number>();
  const add = (text: string, confidence: number): void => {
    const key = numberText(text);
    if (key !== '' && !keys.has(key)) keys.set(key, confidence);
  };
  add(number, NUMBER_WHOLE);
  const plain = LANGUAGE_INFIX.exec(number.toUpperCase());
  // The number after a slash is the size of the set.
  const [own] = number.split('/', 1) as [string];
  // Typed in one word it keeps the zeros inside: `OP01-003` is `op1003`, never the set `op13`.
  for (const dashed of [own, ...(plain === null ? [] : [`${plain[1]}-${plain[2]}`])]) {
    add(dashed, NUMBER_PLAIN);
    add(dashed.replace(/-/g, ''), NUMBER_PLAIN);
  }
  const tail = /(\d+[a-z]?)$/i.exec(own);
  if (tail !== null) add(tail[1]!, NUMBER_TAIL);
  return [...keys];
}
