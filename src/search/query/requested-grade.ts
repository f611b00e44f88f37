import { type GradeRow, gradeByKey, gradeOf } from '../../catalog/grades.ts';
import { readGrade } from '../../sales/match/read-grade.ts';

/** The tens of Beckett and CGC: in a title a bare one is ambiguous, but a query means the grade of that name. */
const WORDS = 'gem[- ]?(?:mint|mt)|pristine|perfect|black label';
const TEN = new RegExp(String.raw`\b(bgs|bvg|beckett|cgc)[\s-]*(?:(${WORDS})\s+)?10(?![\d.])(?:\s+(${WORDS})\b)?`);
const GRADER = /\b(?:psa|bgs|bvg|beckett|cgc|sgc)\b/;
/** Without one of these words a query is not about ungraded cards, whatever condition it names. */
const UNGRADED = /\b(?:raw|ungraded)\b/;
const UNGRADED_LETTER = /\b(?:raw|ungraded)\s+([a-d])(?![\w.])/;

/** The grade that a query in plain lower case names (`charizard psa 10`, `… bgs 9.5`, `… raw`), or null. */
export function requestedGradeOf(text: string): GradeRow | null {
  const letter = UNGRADED_LETTER.exec(text);
  if (letter !== null) return gradeByKey(`raw-${letter[1]}`);
  const reading = readGrade(text);
  if (reading.company === 'RAW') return UNGRADED.test(text) ? reading.grade : null;
  return reading.grade ?? (reading.problem === 'grade_ambiguous' ? requestedTen(text) : null);
}

function requestedTen(text: string): GradeRow | null {
  const [whole, company, before = '', after = ''] = TEN.exec(text) ?? [];
  if (whole === undefined || GRADER.test(text.replace(whole, ' '))) return null;
  return gradeOf(company!, `10 ${before || after}`);
}

/** The query without the letter of an ungraded condition, which would be looked for as a word. */
export function withoutRawLetter(text: string): string {
  return text.replace(UNGRADED_LETTER, (whole, letter: string) => whole.slice(0, -letter.length));
}
