import { type Box, boxAround, middleOf } from '../quad.ts';
import type { PrintWord } from './label-print.ts';

/** Words in a row, left to right. */
export type LabelRow = { words: PrintWord[]; box: Box };

const MIN_CONFIDENCE = 30;

/** Rows of words, from the top; what is hardly a word is left out. */
export function rowsOf(words: readonly PrintWord[]): LabelRow[] {
  const rows: LabelRow[] = [];
  const sure = words.filter(({ text, confidence }) => confidence >= MIN_CONFIDENCE && /[A-Za-z0-9#]/.test(text));
  for (const word of [...sure].sort((a, b) => a.x - b.x)) {
    const [, middle] = middleOf(word);
    const row = rows.find(({ words: there }) => {
      const last = there.at(-1)!;
      const tall = Math.max(last.height, word.height);
      return Math.abs(middleOf(last)[1] - middle) < tall * 0.4 && word.x - last.x - last.width < tall * 2.2;
    });
    if (row === undefined) rows.push({ words: [word], box: word });
    else row.words.push(word);
  }
  for (const row of rows) row.box = boxAround(row.words);
  return rows.sort((a, b) => a.box.y - b.box.y);
}

/** Confidence of a word that people are shown: short ones are seen in noise, too. */
const LEGIBLE = { short: 85, long: 60, shortLetters: 2 };

function isLegible({ text, confidence }: Pick<PrintWord, 'text' | 'confidence'>): boolean {
  const letters = lettersIn(text);
  return letters > 0 && confidence >= (letters <= LEGIBLE.shortLetters ? LEGIBLE.short : LEGIBLE.long);
}

type ReadRow = { words: readonly Pick<PrintWord, 'text' | 'confidence'>[] };

/** What the rows of a label say. */
export type LabelText = {
  /** Rows that are legible for the most part, from the top, with the words in them that are not. */
  rows: string[];
  /** The same without illegible words: what people can be shown. */
  legible: string[];
  /** Whether something is illegible between those rows. */
  hasGap: boolean;
};

/** So many letters of an illegible row are print rather than an edge. */
const GAP_LETTERS = 4;

export function labelText(rows: readonly ReadRow[]): LabelText {
  const isKept = ({ words }: ReadRow) => lettersOf(words.filter(isLegible)) > 0.5 * lettersOf(words);
  const first = rows.findIndex(isKept);
  const last = rows.findLastIndex(isKept);
  const kept = rows.filter(isKept);
  const text = (words: ReadRow['words']) => words.map((word) => word.text).join(' ');
  return {
    rows: kept.map(({ words }) => text(words)),
    legible: kept.map(({ words }) => text(words.filter(isLegible))),
    hasGap: rows.slice(first, last + 1).some((row) => !isKept(row) && lettersOf(row.words) >= GAP_LETTERS),
  };
}

function lettersOf(words: readonly Pick<PrintWord, 'text'>[]): number {
  return words.reduce((sum, { text }) => sum + lettersIn(text), 0);
}

function lettersIn(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}

/** Digits that print is misread from. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  I: '1',
  l: '1',
  i: '1',
  '|': '1',
  S: '5',
  B: '8',
  Z: '2',
};

/** No cert is shorter, and other numbers are. */
const MIN_DIGITS = 7;

/** The digits of a word that is nearly all digits, as certs are; null for any other. */
export function digitsOf(text: string): string | null {
  const plain = text.replace(/[.,:;'"“”‘’|\][()]+$|^[.,:;'"“”‘’|\][()]+/g, '');
  const digits = plain.replace(/\D/g, '').length;
  if (digits < MIN_DIGITS || digits < plain.length * 0.7) return null;
  const read = [...plain].map((char) => LOOKS_LIKE[char] ?? char).join('');
  return /^\d+$/.test(read) ? read : null;
}
