import type { Company } from '../../catalog/grades.ts';
import type { OcrWord } from '../ocr.ts';

export type SlabCompany = Exclude<Company, 'RAW'>;

/** Words that are printed on the labels of one company only. */
const MARKS: readonly [company: SlabCompany, mark: RegExp, weight: number][] = [
  ['CGC', /\bCGC\b/i, 2],
  ['CGC', /GUARAN|ARANTY|CERTIFIED/i, 3],
  ['CGC', /UNIVERS/i, 3],
  ['BGS', /BECKET|GRADING/i, 3],
  ['BGS', /\bBGS\b/i, 2],
  ['PSA', /\bPSA\b/i, 2],
  // Its certs have ten digits, of which no other company's begin so.
  ['BGS', /(?<!\d)00\d{8}(?!\d)/, 3],
  // The columns of subgrades; CGC has them too, on some labels.
  ['BGS', /CENTERI|CORNERS|SURFACE|\bEDGES\b/, 2],
  ['PSA', /\bGEM MT\b|\bNM-MT\b|\bEX-MT\b|\bVG-EX\b/, 2],
  ['CGC', /\bNM\/M|\bEX\/NM|(?:Pok.mon|Magic|Piece|Sports|Oh!?|Lorcana) ?\(\d{4}\)/i, 2],
];

/** Which company's label words are of, and how surely. */
export type CompanyMarks = { company: SlabCompany; weight: number };

/** Null where words of no company are there. */
export function companyOfWords(words: readonly OcrWord[]): CompanyMarks | null {
  const text = words.map((word) => word.text).join(' ');
  const weights = { PSA: 0, BGS: 0, CGC: 0 };
  for (const [company, mark, weight] of MARKS) if (mark.test(text)) weights[company] += weight;
  const [first, second] = (Object.keys(weights) as SlabCompany[]).sort((a, b) => weights[b] - weights[a]);
  return weights[first!] > weights[second!] ? { company: first!, weight: weights[first!] } : null;
}
