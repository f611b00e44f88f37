import { companyOf, type GradeRow, gradeByKey, gradeOf } from '../../catalog/grades.ts';
import { isHoped, withoutUngraded } from './hopes.ts';

/** The grader and grade that a title states. */
export type TitleGrade = {
  /** `PSA`, `BGS`, `CGC`, `RAW`, or another grader as it is called (`TAG`, `SGC`); null when it is unknown. */
  company: string | null;
  /** The priced grade; null when there is none, for the reason in `problem`. */
  grade: GradeRow | null;
  problem: GradeProblem | null;
  /** An ungraded card whose condition is not stated: read as A. */
  conditionAssumed: boolean;
  /** The title with what was read blanked out, so that a grade is never taken for a card number. */
  rest: string;
};

/** What a title states, or a row next to it; a null or missing part is not stated beyond doubt. */
type StatedGrade = { company: string | null; gradeKey: string | null | undefined };

/** True when a row states another company than its title, or another grade: one of the two is wrong, and nothing says which. */
export function contradictsTitle(row: StatedGrade, title: StatedGrade & { isConditionAssumed: boolean }): boolean {
  if (title.company === null || title.isConditionAssumed) return false;
  return row.company !== title.company || (row.gradeKey ?? title.gradeKey) !== (title.gradeKey ?? row.gradeKey);
}

export type GradeProblem =
  /** A grader without prices here. */
  | 'company_unsupported'
  /** Graded outside the scale: Authentic, a qualifier, a graded autograph. */
  | 'outside_scale'
  /** Two readings: bare `CGC 10` and `BGS 10`, a grade cut off, two different grades, "PSA 10?". */
  | 'grade_ambiguous'
  /** It was graded, but the title does not state the grade. */
  | 'grade_unread';

/** Words that are a grader's name only with a grade right behind: TAG TEAM, Portgas D. Ace. */
const SHY_COMPANIES = 'tag|ace|ags|ars|mnt|isa';
const COMPANIES = `psa|bgs|bvg|beckett|cgc|sgc|hga|gma|csg|bccg|ksa|${SHY_COMPANIES}`;
const NUMBER = String.raw`(?:10(?:\.0)?|[1-9](?:\.[05])?)(?![\d/]|\.\d|\w)`;
const TOP_WORDS = `(?:gem[- ]?(?:mint|mt)(?:[- ]mt)?|gm[- ]mint|pristine(?: black label)?|black label|perfect|gem)`;
const LOW_WORDS = String.raw`(?:mint\+?|near mint(?:-mint)?\+?|n(?:r|ear)?m(?:in)?t?(?:[-/ ]m(?:in)?t)?\+?|ex[- /]?(?:mt|nm)\+?|vg(?:[- /]ex)?\+?|good\+?|fair|poor|excellent\+?)`;

const GRADED = new RegExp(
  String.raw`\b(${COMPANIES})(?:\s+(?:graded|grading|grade))?[\s:;,()\[\]-]*` +
    String.raw`(?:(${TOP_WORDS}|${LOW_WORDS})[\s:,-]*(${NUMBER})|(${NUMBER})(?:\s*[-:,]?\s*(${TOP_WORDS}|${LOW_WORDS})(?!\w))?)`,
  'g',
);
const GRADED_BACKWARDS = new RegExp(String.raw`\b(${TOP_WORDS}|mint)\s+(${NUMBER})\s*[-(\[]*\s*(${COMPANIES})\b`, 'g');
const TOP_ONLY = new RegExp(String.raw`\b(${COMPANIES})[\s:-]+(${TOP_WORDS})(?!\w)`, 'g');
const AUTHENTIC = new RegExp(String.raw`\b(${COMPANIES})\s*[-/ ]\s*(auth|authentic|altered|authenticated|dna)\b`);
const AUTO_GRADE = new RegExp(String.raw`\bauto(?:graph)?(?:\s+grade)?[\s:-]*${NUMBER}`);
const CUT_OFF = new RegExp(String.raw`\b(${COMPANIES})\s*([1-9])\.(?!\d)`);
const QUALIFIER = new RegExp(String.raw`\bpsa\s*${NUMBER}[\s(]*(?:oc|mc|mk|st|pd|of)\b`);
const SLABBED = new RegExp(
  String.raw`\b(?:graded|slab|slabbed|pristine|black label|gem[- ]?(?:mint|mt)|${COMPANIES.replace(`|${SHY_COMPANIES}`, '')})\b`,
);
/** A title that opens with the shy grader, or is worded as slab labels are: the year, then the number, then the name. */
const LABEL_STYLE = /^\s*tag\b(?! (?:team|bolt|all))|^\s*(?:19|20)\d\d #\w+ /;
const POPULATION = /\b(?:psa|cgc|bgs)? ?pop(?:ulation)?[ .:]*#?\d+(?: of \d+)?\b/g;

const RAW_CONDITIONS: [RegExp, string][] = [
  [/\b(?:near mint|nrmt|nm|mint)\b\+?/g, 'raw-A'],
  [/\b(?:lp|lightly played|light play|excellent|slightly played)\b/g, 'raw-B'],
  [/\b(?:mp|moderately played|moderate play)\b/g, 'raw-C'],
  [/\b(?:heavily played|heavy play)\b/g, 'raw-D'],
];
const RAW_OUTSIDE = /\b(?:damaged?|dmg|creased?|altered|trimmed|water damage|poor)\b/;

const DENIED_CONDITION = /\b(?:not|isn'?t|no) (?:quite |really )?(?:near )?(?:mint|nm)\b/;

/**
 * Reads company and grade from a title in lower case (marks and accents already plain). Every grade next to a
 * grader's name is collected; more than one different grade is not an answer. A title without any word of grading is an
 * ungraded card.
 */
export function readGrade(title: string): TitleGrade {
  const text = title.replace(/(\w)(psa|cgc|bgs|tag) population/g, '$1 $2 population').replace(POPULATION, blank);
  const found = new Map<string, GradeRow | null>();
  const companies = new Set<string>();
  let rest = text;
  let cut = false;
  const take = (whole: string, word: string, grade: string, words: string): void => {
    const company = companyName(word);
    const row = settle(company, grade, words, text);
    found.set(`${company} ${row?.key ?? grade}`, row);
    companies.add(company);
    rest = rest.replace(whole, blank);
  };
  for (const [whole, word, before, after, plain, behind] of text.matchAll(GRADED)) {
    take(whole, word!, after ?? plain!, before ?? behind ?? '');
  }
  if (found.size === 0) {
    for (const [whole, words, grade, word] of text.matchAll(GRADED_BACKWARDS)) take(whole, word!, grade!, words!);
  }
  if (found.size === 0) {
    for (const [whole, word, words] of text.matchAll(TOP_ONLY)) take(whole, word!, '', words!);
  }
  const truncated = CUT_OFF.exec(text);
  if (truncated !== null) {
    const [whole, word, digit] = truncated;
    cut = gradeOf(companyName(word!), `${digit}.5`) !== null;
    companies.add(companyName(word!));
    rest = rest.replace(whole, blank);
  }
  const answer = (company: string | null, grade: GradeRow | null, problem: GradeProblem | null): TitleGrade => ({
    company,
    grade,
    problem,
    conditionAssumed: false,
    rest,
  });
  const company = companies.size === 1 ? [...companies][0]! : null;
  const authentic = AUTHENTIC.exec(text);
  if (authentic !== null) {
    rest = rest.replace(authentic[0], blank);
    return answer(company ?? companyName(authentic[1]!), null, 'outside_scale');
  }
  if (company !== null && companyOf(company) === null) return answer(company, null, 'company_unsupported');
  if (found.size > 0 && (AUTO_GRADE.test(rest) || QUALIFIER.test(text))) return answer(company, null, 'outside_scale');
  if (cut || found.size > 1 || isHoped(text)) return answer(company, null, 'grade_ambiguous');
  const ungraded = withoutUngraded(text);
  if (ungraded !== null) {
    const isContradicted = found.size > 0 || SLABBED.test(ungraded);
    return isContradicted ? answer(company, null, 'grade_ambiguous') : readCondition(text);
  }
  if (found.size === 1) {
    const grade = [...found.values()][0]!;
    return answer(company, grade, grade === null ? 'grade_ambiguous' : null);
  }
  if (SLABBED.test(text) || LABEL_STYLE.test(text)) return answer(null, null, 'grade_unread');
  return readCondition(text);
}

/**
 * The row of a grade, with the words next to it. Bare `CGC 10` and `BGS 10` are not settled: of 336 slabs whose label says
 * no more, 15% were the more expensive Pristine, and of 43 at BGS 14% Black Labels. Nor is `Perfect`, which sellers call Pristine
 * slabs too: of 31 so called all were.
 */
function settle(company: string, number: string, words: string, title: string): GradeRow | null {
  const ten = number === '' || Number(number) === 10;
  if (ten && company !== 'PSA') {
    const named = [
      /\bblack label\b/.test(title) ? 'black label' : /\bpristine\b/.test(title) ? 'pristine' : '',
      /\bgem[- ]?(?:mint|mt)\b/.test(title) ? 'gem mint' : '',
    ].filter(Boolean);
    if (named.length !== 1 || words === 'perfect') return null;
    return gradeOf(company, `${number} ${named[0]}`);
  }
  // "PSA 9 EX Team Rocket": only the names of the top grades contradict a number, the others are words of sets as well.
  const top = new RegExp(`^${TOP_WORDS}$`).test(words) ? words : '';
  return gradeOf(company, `${number} ${top}`);
}

function companyName(word: string): string {
  return companyOf(word) ?? word.toUpperCase();
}

function readCondition(text: string): TitleGrade {
  let rest = text;
  const letters = new Set<string>();
  for (const [words, key] of RAW_CONDITIONS) {
    if (words.test(rest)) letters.add(key);
    words.lastIndex = 0;
    rest = rest.replace(words, blank);
  }
  const outside = RAW_OUTSIDE.test(text);
  const isDenied = DENIED_CONDITION.test(text);
  const key = letters.size === 0 ? 'raw-A' : [...letters][0]!;
  const problem = outside ? 'outside_scale' : letters.size > 1 || isDenied ? 'grade_ambiguous' : null;
  return {
    company: 'RAW',
    grade: problem === null ? gradeByKey(key) : null,
    problem,
    conditionAssumed: letters.size === 0 && problem === null,
    rest,
  };
}

/** Spaces in the place of what was read, so that positions stay. */
export function blank(text: string): string {
  return ' '.repeat(text.length);
}
