import type { Box } from '../quad.ts';
import type { PrintWord } from './label-print.ts';

/** Words in a row, left to right. */
export type LabelRow = { words: PrintWord[]; box: Box };

const MIN_CONFIDENCE = 30;

/** Rows of words, from the top; what is hardly a word is left out. */
export function rowsOf(words: readonly PrintWord[]): LabelRow[] {
  const rows: LabelRow[] = [];
  const sure = words.filter(({ text, confidence }) => confidence >= MIN_CONFIDENCE && /[A-Za-z0-9#]/.test(text));
  for (const word of [...sure].sort((a, b) => a.x - b.x)) {
    const middle = word.y + word.height / 2;
    const row = rows.find(({ words: there }) => {
      const last = there.at(-1)!;
      const tall = Math.max(last.height, word.height);
      return Math.abs(last.y + last.height / 2 - middle) < tall * 0.4 && word.x - last.x - last.width < tall * 2.2;
    });
    if (row === undefined) rows.push({ words: [word], box: word });
    else row.words.push(word);
  }
  for (const row of rows) row.box = around(row.words);
  return rows.sort((a, b) => a.box.y - b.box.y);
}

export function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
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
