import { canonicalWords, GRADES } from '../../../catalog/grades.ts';
import type { Box } from '../../quad.ts';
import type { SlabCompany } from '../label-words.ts';

/** A grade as it was read: its words and its number, each where it was legible, and its row on the company's scale. */
export type LabelGrade = { words: string | null; number: string | null; key: string | null };

/** A grade, and where on the label its words or its number are. */
export type PlacedGrade = LabelGrade & { at: Box };

/** Its words and its number agree. */
export function isSure(grade: LabelGrade | null): boolean {
  return grade?.key != null && grade.number !== null;
}

/**
 * What the words of a grade and all readings of its number come to. Fails closed, because any of them may be misread or
 * be a part only ("NM" of "NM-MT", "5" of "7.5"):
 * 1. Words that are also a part of another grade's need a number that agrees; words of one grade only name it alone.
 * 2. A number picks among the grades whose words these are or are a part of. Without any, see `gradeByNumber`.
 * 3. One reading of the number is enough with whole words of two parts or with a plus, else it takes two that agree.
 * 4. Any other legible number contradicts the words.
 * 5. A reading that would pick another of these grades contradicts the number, however often that was read.
 */
export function settleGrade(company: SlabCompany, words: string, numbers: readonly string[]): LabelGrade {
  const read = canonicalWords(words, company).words;
  const rows = GRADES.filter((row) => row.company === company && row.spellings.some((it) => isPartOf(read, it)));
  // PSA alone shortens POOR: on other labels it is what was legible of PRISTINE, whose 10 passes for a 1.
  if (company !== 'PSA' && /^PR$/i.test(words.trim())) return { words, number: null, key: null };
  const named = rows.filter(({ spellings }) => spellings.includes(read));
  // Any upright line passes for a one, and ten loses its zero.
  const legible = numbers.filter((number) => number !== '1' || named.some((row) => row.number === 1));
  const twice = legible.find((number, at) => legible.indexOf(number) < at) ?? null;
  const isConclusive = /[ +]/.test(read) || rows.length === 1;
  const [number = null, among = []] =
    twice !== null
      ? [twice, rows]
      : isConclusive
        ? [legible.find((it) => named.some((row) => row.number === Number(it))), named]
        : [];
  const fits = among.filter((row) => number !== null && row.number === Number(number));
  const isDisputed = rows.some(
    (row) => row.number !== Number(number) && legible.some((it) => Number(it) === row.number),
  );
  // Of several tens the words say which.
  const row = fits.length === 1 ? fits[0] : fits.find((it) => named.includes(it));
  if (row !== undefined && !isDisputed) return { words, number, key: row.key };
  const isAlone = rows.length === 1 && named.length === 1 && legible.length === 0;
  return { words, number: null, key: isAlone ? named[0]!.key : null };
}

/** True when a spelling has these words in a row; a plus may have been missed. */
function isPartOf(words: string, spelling: string): boolean {
  const [some, all] = [words.split(' '), spelling.split(' ')];
  return all.some((_, from) => some.every((word, at) => all[from + at] === word || all[from + at] === `${word}+`));
}
