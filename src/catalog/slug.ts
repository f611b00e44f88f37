import type { Game } from './games.ts';
import { GRADES, type GradeKey } from './grades.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { foldWordsWithMarks } from './words/fold.ts';

/**
 * One way to read the last segment of a card's address. The catalog decides which one is meant: "Alex
 * English" is a player, and a name may end in words that look like a grade.
 */
export type SlugReading = {
  /** Folded number and name, never split. */
  stem: string;
  gradeKey: GradeKey | null;
  /** Null when the segment names no language: English, in every address that this service writes. */
  language: Language | null;
  id8: string | null;
};

type ItemSegment = {
  stem: string;
  language: Language;
  /** First eight hex digits of the catalog id; every canonical address carries it. */
  id8?: string | null;
  gradeKey?: GradeKey | null;
};

const LANGUAGE_TOKENS: readonly (readonly [string, Language])[] = LANGUAGES.map((name) => [foldSlug(name), name]);
const GRADE_TOKENS: readonly (readonly [string, GradeKey])[] = GRADES.map((row) => [row.key.toLowerCase(), row.key]);

/** Lower-case ASCII `[a-z0-9-]`: accents folded, signs as words, every other run one `-`; empty when nothing is left. */
export function foldSlug(text: string): string {
  return foldWordsWithMarks(text).join('-');
}

/**
 * Folded printed number and name: `4-charizard`. A name that folds to nothing (another script) is `card`. In numbers an
 * asterisk is a star, as Riftbound prints `299*` and `299`.
 */
export function itemStem(number: string | null, name: string): string {
  const foldedNumber = number === null ? '' : foldSlug(number.replaceAll('*', '★'));
  return shortened([foldedNumber, foldSlug(name) || 'card'].filter(Boolean).join('-'), MAX_STEM_CHARS);
}

/** Leaves room in a path segment (400 characters) for a grade, a language and an id. */
const MAX_STEM_CHARS = 240;

/** At most so many characters, cut after a whole word where there is one. */
function shortened(folded: string, maxChars: number): string {
  if (folded.length <= maxChars) return folded;
  const cut = folded.lastIndexOf('-', maxChars);
  return folded.slice(0, cut > 0 ? cut : maxChars);
}

/** The fold of a language's English name, as written in addresses (`chinese-traditional`). */
export function languageToken(language: Language): string {
  return foldSlug(language);
}

/**
 * Second segment of an address: folded name and code (`base-base1`), the code alone when the name folds to nothing, name
 * and year without a code (a name that has its year already, as a release's `1986-87 Fleer`, gets it once). The importer
 * distinguishes two equal segments of one game.
 */
export function setSegment(set: { name: string; code: string | null; year: number | null }): string {
  const name = shortened(foldSlug(set.name), MAX_STEM_CHARS);
  const code = set.code === null ? '' : shortened(foldSlug(set.code), 60);
  if (code !== '') return name === '' ? code : `${name}-${code}`;
  const base = name || 'set';
  return set.year === null || base.split('-').includes(String(set.year)) ? base : `${base}-${set.year}`;
}

/** Last segment of an address, `{stem}[-{company}-{grade}][-{language}][-{id8}]`; the language only when not English. */
export function itemSegment({ stem, language, id8, gradeKey }: ItemSegment): string {
  const token = language === 'English' ? '' : languageToken(language);
  return [stem, gradeKey ?? '', token, id8 ?? ''].filter(Boolean).join('-');
}

/** Site-relative address of a card. */
export function cardHref(parts: { game: Game; setSegment: string; itemSegment: string }): string {
  return `/card/${parts.game}/${parts.setSegment}/${parts.itemSegment}`;
}

/**
 * Every way to read a last segment, the most specific first: at most four, since an id, a language and a grade can each
 * only be at the end of what is left. Upper case is read as lower. Text that is not in the form of an address gives no reading.
 */
export function parseItemSegment(segment: string): SlugReading[] {
  const text = segment.toLowerCase();
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)) return [];
  const readings: SlugReading[] = [];
  const id8 = /-([0-9a-f]{8})$/.exec(text)?.[1];
  if (id8 !== undefined) readings.push(...readTail(text.slice(0, -9), id8));
  readings.push(...readTail(text, null));
  return readings;
}

// A company's name, maybe with the start of a grade behind it: what a grade that is not in the scale looks like.
const GRADE_LIKE =
  /^(.+?)-(?:psa|bgs|beckett|bvg|bccg|cgc|sgc|tag|ace|hga|gma|ags|ars|mnt|raw|graded)(?:-(?:[a-z]|[0-9]{1,2}|[a-z]+-mint|black-label|pristine|perfect))*$/;

/**
 * The stem of a segment that ends in what looks like a grade, its id and language cut off: `4-charizard` for
 * `4-charizard-sgc-10-japanese-6e7fdc9a`. Null when it does not.
 */
export function stemBeforeGrade(segment: string): string | null {
  const text = segment.toLowerCase().replace(/-[0-9a-f]{8}$/, '');
  return GRADE_LIKE.exec(cutToken(text, LANGUAGE_TOKENS)?.rest ?? text)?.[1] ?? null;
}

function readTail(text: string, id8: string | null): SlugReading[] {
  const whole: SlugReading = { stem: text, gradeKey: null, language: null, id8 };
  const spoken = cutToken(text, LANGUAGE_TOKENS);
  const ungraded = spoken === null ? whole : { ...whole, stem: spoken.rest, language: spoken.value };
  const graded = cutToken(ungraded.stem, GRADE_TOKENS);
  const readings = spoken === null ? [whole] : [ungraded, whole];
  if (graded !== null) readings.unshift({ ...ungraded, stem: graded.rest, gradeKey: graded.value });
  return readings;
}

function cutToken<T>(text: string, tokens: readonly (readonly [string, T])[]): { rest: string; value: T } | null {
  for (const [token, value] of tokens) {
    if (text.endsWith(`-${token}`)) return { rest: text.slice(0, -token.length - 1), value };
  }
  return null;
}
