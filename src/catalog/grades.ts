/**
 * The closed table of priced grades: what a grade is called on the wire, in a slug, in a label, and how labels, files and
 * listings spell it. A grade that is not here (Authentic, altered, a qualifier, another company) is outside the scale.
 */

export type Company = 'PSA' | 'BGS' | 'CGC' | 'RAW';

/** Slug token of a grade: `psa-10`, `bgs-9-5`, `cgc-10-gem-mint`, `raw-A`. */
export type GradeKey = string;

export type GradeRow = {
  key: GradeKey;
  company: Company;
  /** As on the wire: the number and the company's name for it (`8.5 NM-MT+`), a letter for ungraded cards. */
  grade: string;
  /** As people read it: `PSA 8.5`, `BGS 10 Pristine`, `CGC 10`, `Raw A`. */
  label: string;
  /** The number on the slab; null for ungraded cards. */
  number: number | null;
  /** Canonical words (see `canonicalWords`) that name this grade; the number must agree when both are given. */
  spellings: readonly string[];
  /** Rises with the condition within a company. */
  rank: number;
};

type Naming = [number: number, name: string, ...spellings: string[]];

// Named as the contract names them; PSA has no 9.5. Good and below have half grades except 1.
const LOWER: readonly Naming[] = [
  [1, 'Poor', 'poor'],
  [1.5, 'Fair', 'fair'],
  [2, 'Good', 'good'],
  [2.5, 'Good+', 'good+'],
  [3, 'Very Good', 'vg'],
  [3.5, 'Very Good+', 'vg+'],
  [4, 'Very Good-Excellent', 'vg ex'],
  [4.5, 'Very Good-Excellent+', 'vg ex+'],
  [5, 'Excellent', 'ex'],
  [5.5, 'Excellent+', 'ex+'],
  [6, 'Excellent-Mint', 'ex mint', 'ex nm'],
  [6.5, 'Excellent-Mint+', 'ex mint+', 'ex nm+'],
  [7, 'Near Mint', 'nm'],
  [7.5, 'Near Mint+', 'nm+'],
];
const PSA_UPPER: readonly Naming[] = [
  [8, 'NM-MT', 'nm mint'],
  [8.5, 'NM-MT+', 'nm mint+'],
  [9, 'Mint', 'mint'],
];
const BGS_CGC_UPPER: readonly Naming[] = [
  [8, 'NM/Mint', 'nm mint'],
  [8.5, 'NM/Mint+', 'nm mint+'],
  [9, 'Mint', 'mint'],
];

/** The grade an ungraded card's stated condition is read as: near mint, light, moderate, heavy play. */
const RAW_CONDITIONS: readonly (readonly [letter: string, ...spellings: string[]])[] = [
  ['D', 'd', 'hp', 'heavy play', 'heavily played', 'heavy played', 'poor'],
  ['C', 'c', 'mp', 'moderate play', 'moderately played', 'moderate played', 'played', 'vg', 'good'],
  ['B', 'b', 'lp', 'light play', 'lightly played', 'light played', 'slightly played', 'sp', 'ex', 'ex+', 'ex mint'],
  ['A', 'a', 'nm', 'nm+', 'mint', 'mint+', 'm', 'nm mint', 'nm mint+', 'nm m', 'nm or better', 'mint nm', 'gem mint'],
];

export const GRADES: readonly GradeRow[] = buildTable();

const BY_KEY = new Map(GRADES.map((row) => [row.key, row]));

function buildTable(): GradeRow[] {
  const rows: GradeRow[] = [];
  const add = (company: Company, namings: readonly Naming[]): void => {
    for (const [number, name, ...spellings] of namings) {
      const key = `${company.toLowerCase()}-${String(number).replace('.', '-')}`;
      rows.push(row(key, company, `${number} ${name}`, `${company} ${number}`, number, spellings));
    }
  };
  const row = (
    key: string,
    company: Company,
    grade: string,
    label: string,
    number: number | null,
    spellings: string[],
  ): GradeRow => ({ key, company, grade, label, number, spellings, rank: rows.length });
  const top = (key: string, company: Company, name: string, label: string, spellings: string[]): void => {
    rows.push(row(key, company, `10 ${name}`, `${company} ${label}`, 10, spellings));
  };

  add('PSA', [...LOWER, ...PSA_UPPER]);
  top('psa-10', 'PSA', 'Gem Mint', '10', ['gem mint', 'gem']);
  add('BGS', [...LOWER, ...BGS_CGC_UPPER, [9.5, 'Gem Mint', 'gem mint', 'gem']]);
  top('bgs-10', 'BGS', 'Pristine', '10 Pristine', ['pristine']);
  top('bgs-10-5', 'BGS', 'Black Label', '10 Black Label', [
    'black label',
    'pristine black label',
    'black label pristine',
  ]);
  // CGC called 9.5 "Gem Mint" until 2023 and calls it "Mint +" now; Gem Mint 10 is below Pristine 10 and Perfect 10.
  add('CGC', [...LOWER, ...BGS_CGC_UPPER, [9.5, 'Mint +', 'mint+', 'gem mint']]);
  top('cgc-10-gem-mint', 'CGC', 'Gem Mint', '10', ['gem mint', 'gem']);
  top('cgc-10', 'CGC', 'Pristine', '10 Pristine', ['pristine']);
  top('cgc-10-5', 'CGC', 'Perfect', '10 Perfect', ['perfect']);
  for (const [letter, ...spellings] of RAW_CONDITIONS) {
    rows.push(row(`raw-${letter}`, 'RAW', letter, `Raw ${letter}`, null, spellings));
  }
  return rows;
}

/** The row of a slug token (`raw-a` is accepted for `raw-A`), or null when the table has none. */
export function gradeByKey(key: string): GradeRow | null {
  return (
    BY_KEY.get(key) ?? BY_KEY.get(key.replace(/^raw-([a-d])$/, (_, letter) => `raw-${letter.toUpperCase()}`)) ?? null
  );
}

const COMPANY_WORDS = new Map<string, Company>([
  ['PSA', 'PSA'],
  ['BGS', 'BGS'],
  ['BVG', 'BGS'],
  ['BECKETT', 'BGS'],
  ['CGC', 'CGC'],
  ['RAW', 'RAW'],
  ['UNGRADED', 'RAW'],
]);

/** The company of a word on a label or in a file (`Beckett`, `bvg`, `Ungraded`), or null for one without prices. */
export function companyOf(text: string): Company | null {
  return COMPANY_WORDS.get(text.trim().toUpperCase()) ?? null;
}

/**
 * Reads how a file or a label spells a grade: `10`, `10.0`, `GEM MT 10`, `9.5-Gem Mint`, `PRISTINE 10`, `Near Mint`,
 * `NM/MINT+ 8.5`, a token, a label. A bare 10 is Pristine at BGS and Gem Mint at CGC.
 * Null when the words and the number disagree, when they are not enough (CGC "Gem Mint" was 9.5 once), or when anything
 * else is there: a qualifier, "Authentic", "altered", a second number.
 */
export function gradeOf(company: string, text: string): GradeRow | null {
  const known = companyOf(company);
  if (known === null) return null;
  const exact = gradeByKey(text.trim());
  if (exact !== null) return exact.company === known ? exact : null;
  const { words, numbers } = canonicalWords(text, known);
  if (numbers.length > 1) return null;
  const number = numbers[0] ?? null;
  if (known === 'RAW' && number !== null) return null;
  const rows = GRADES.filter(
    (row) =>
      row.company === known &&
      (number === null || row.number === number) &&
      (words === '' || row.spellings.includes(words)),
  );
  if (rows.length === 1) return rows[0]!;
  return words === '' && number === 10 ? gradeByKey(known === 'BGS' ? 'bgs-10' : 'cgc-10-gem-mint') : null;
}

const SYNONYMS: Record<string, string> = {
  mt: 'mint',
  gm: 'gem',
  excellent: 'ex',
  exc: 'ex',
  nr: 'near',
  nrmt: 'nm',
  nmmt: 'nm mint',
  exmt: 'ex mint',
  vgex: 'vg ex',
  gd: 'good',
  fr: 'fair',
  pr: 'poor',
};

/**
 * The words of a grade in canonical form (`nm mint+`, `vg ex`, `gem mint`) and its numbers. The company's own name is
 * dropped; a plus stays with the word before it.
 */
export function canonicalWords(text: string, company: Company): { words: string; numbers: number[] } {
  const tokens = text.toLowerCase().match(/\d+(?:\.\d+)?|[a-z]+|\+/g) ?? [];
  const numbers: number[] = [];
  let words = '';
  for (const token of tokens) {
    if (/^\d/.test(token)) numbers.push(Number(token));
    else if (token === '+' || token === 'plus') words += '+';
    else if (companyOf(token) !== company) words += ` ${Object.hasOwn(SYNONYMS, token) ? SYNONYMS[token] : token}`;
  }
  words = words
    .trim()
    .replace(/\bnear mint\b/g, 'nm')
    .replace(/\bvery good\b/g, 'vg');
  return { words, numbers };
}
