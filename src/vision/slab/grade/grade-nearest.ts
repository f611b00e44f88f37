import { GRADES } from '../../../catalog/grades.ts';
import { editDistance } from '../../../lib/nearly.ts';
import type { SlabCompany } from '../label-words.ts';

/** Of the letters of a grade's words, so many may be misread in print of a few pixels. */
const MISREAD = 0.45;
const OTHERWISE: Readonly<Record<string, string>> = {
  nm: 'near mint',
  ex: 'excellent',
  vg: 'very good',
  mint: 'mt',
};

/**
 * The words of a grade that a row of blurred print comes nearest to, whose place is that of a grade; null where
 * none is near, or two are equally near. They name a grade only together with a number that is read beyond doubt.
 */
export function nearestGradeWords(company: SlabCompany, text: string): string | null {
  const read = text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
  const off = new Map<string, number>();
  for (const { spellings } of GRADES.filter((row) => row.company === company)) {
    for (const words of spellings.map((spelling) => spelling.replace('+', ''))) {
      for (const form of formsOf(words.split(' '))) {
        const distance = editDistance(read, form);
        if (distance <= MISREAD * form.length) off.set(words, Math.min(distance, off.get(words) ?? distance));
      }
    }
  }
  const [first, second] = [...off].sort(([, a], [, b]) => a - b);
  if (first === undefined || second?.[1] === first[1]) return null;
  return first[0].toUpperCase() + (/\+\W*$/.test(text) ? '+' : '');
}

/** Each word in short and spelled out: `ex nm`, `excellent nm`, … */
function formsOf([word, ...rest]: string[]): string[] {
  if (word === undefined) return [''];
  const ends = formsOf(rest);
  return [word, OTHERWISE[word]].flatMap((one) => (one === undefined ? [] : ends.map((end) => `${one} ${end}`.trim())));
}
