import { isNearly } from '../../../lib/nearly.ts';
import type { PrintWord } from '../label-print.ts';
import type { LabelRow } from '../label-text.ts';

/** Words that grades are named with, as they are printed; a plus may follow. */
const GRADE_WORDS = new Set(
  `GEM MT MINT NM NM-MT NM/MT NM/MINT NM-MINT NEAR EX EX-MT EX/MT EX/NM EX-NM EXCELLENT EXCELLENT-NM EXCELLENT-MINT VG VG-EX VG/EX
  VERY GOOD FAIR POOR PR PRISTINE PERFECT BLACK LABEL AUTHENTIC ALTERED MINT-MINT NEARMINT NEARMINT-MINT`.split(/\s+/),
);
/** Words of blurred print, whose hyphen or gap is missed. */
const JOINED: Readonly<Record<string, string>> = {
  NMMT: 'NM-MT',
  EXMT: 'EX-MT',
  VGEX: 'VG-EX',
  GEMMT: 'GEM MT',
  GEMMINT: 'GEM MINT',
};
/** Those that name no grade alone. */
const PARTS = new Set(['GEM', 'NEAR', 'VERY', 'BLACK', 'LABEL']);
const NUMBER = /^(?:10|[1-9](?:[.,]5)?)$/;

/** A run of words in a row that names a grade: as graders write it, its words, and whether it is all of its row. */
type GradeWords = { text: string; words: PrintWord[]; isRow: boolean };

/** Words as short as this are seen in noise, too. */
const SHORT = 3;
const SURE = 60;

/** Runs of words in a row that name a grade. */
export function gradeWordsOf(row: LabelRow): GradeWords[] {
  const runs: GradeWords[] = [];
  let isOpen = false;
  for (const word of row.words) {
    const isUnsure = word.text.length <= SHORT && word.confidence < SURE;
    const known = isUnsure ? null : gradeWord(word.text);
    if (known === null) isOpen = false;
    else if (isOpen) {
      const run = runs.at(-1)!;
      run.text += ` ${known}`;
      run.words.push(word);
    } else {
      runs.push({ text: known, words: [word], isRow: false });
      isOpen = true;
    }
  }
  for (const run of runs) run.isRow = run.words.length === row.words.length;
  return runs.filter(({ text }) => !text.split(' ').every((word) => PARTS.has(word)));
}

/** The word of a grade that a read word is, a letter misread at most; null for any other. */
function gradeWord(text: string): string | null {
  const upper = text.toUpperCase().replace(/^[^A-Z]+|[^A-Z+]+$/g, '');
  const bare = upper.replace(/\++$/, '');
  const plus = upper.length > bare.length ? '+' : '';
  if (Object.hasOwn(JOINED, bare)) return JOINED[bare]! + plus;
  if (GRADE_WORDS.has(bare)) return bare.replace('NEARMINT', 'NEAR MINT') + plus;
  if (bare.length < 5) return null;
  for (const known of GRADE_WORDS)
    if (known.length >= 5 && isNearly(bare, known)) return known.replace('NEARMINT', 'NEAR MINT') + plus;
  return null;
}

/** A grade's number that a word is: `9`, `8.5` (its point may be missed), `10`; null for any other word. */
export function gradeNumberOf(text: string): string | null {
  const read = text
    .replace(/[|\][()'"“”‘’:;_~=-]/g, '')
    .replace(/^(?:1[0Oo]|[1lI]0|IO)$/, '10')
    .replace(/^([1-9])5$/, '$1.5');
  return NUMBER.test(read) ? read.replace(',', '.') : null;
}
