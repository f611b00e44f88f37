import type { Game } from '../../catalog/games.ts';
import type { GradeRow } from '../../catalog/grades.ts';
import { withMeant } from './aliases.ts';
import { evaluate, type Fit } from './evaluate.ts';
import { type IndexedItem, type MatchIndex, PLAIN } from './match-index.ts';
import type { GradeProblem } from './read-grade.ts';
import type { NumberReading, TitleReading } from './read-title.ts';

/** Why a title has no item. All but the first two may change with a better catalog. */
export type UnmatchedReason =
  | 'lot'
  | 'not_card'
  | 'grade_ambiguous'
  | 'grade_unread'
  /** No number that could be a card's. */
  | 'number_missing'
  /** No item has such a number and such a name. */
  | 'card_unknown'
  /** The set of the only candidates is not named, or another one is. */
  | 'set_unknown'
  | 'year_differs'
  | 'language_differs'
  /** The title names an edition, finish or parallel that no candidate has, or lacks the one that all have. */
  | 'variation_unknown'
  /** Several items fit equally. */
  | 'ambiguous';

type TitleMatch =
  | {
      matched: true;
      itemId: string;
      game: Game;
      /** `PSA`, `BGS`, `CGC`, `RAW`, or a grader without prices here (`TAG`): then `problem` is set. */
      company: string;
      grade: GradeRow | null;
      problem: Extract<GradeProblem, 'company_unsupported' | 'outside_scale'> | null;
      conditionAssumed: boolean;
      /** The title leaves words of its name or variation out, or has a neighboring year: read by the trade's convention. */
      isByConvention: boolean;
      /** The newest decision on an alias without which it means no card; null where it needs none. */
      aliasDecision: number | null;
    }
  | { matched: false; reason: UnmatchedReason; candidates: string[] };

const MAX_CANDIDATES = 5;

/**
 * The item a title means, with its grade, or the reason why it cannot be identified. Fails closed: name, number and set must
 * all be there, no word may point at another printing, and no other item may fit as well.
 *
 * What a title leaves unsaid is read by the trade's convention, where it is safe: the language is English (Japanese in a
 * set that has no English cards); edition and finish are the plain ones, because sellers name what makes a card more expensive.
 * It is not safe, and no match, when siblings differ by rarity alone.
 */
export function matchTitle(reading: TitleReading, index: MatchIndex): TitleMatch {
  const { grading } = reading;
  const found = findTaught(reading, index);
  if (reading.rejection !== null && !(found.fit !== null && isOwnWord(reading.rejection.word, found.fit.item))) {
    return unmatched(reading.rejection.reason);
  }
  if (grading.problem === 'grade_ambiguous' || grading.problem === 'grade_unread') return unmatched(grading.problem);
  if (found.fit === null) return unmatched(found.reason, found.candidates);
  return {
    matched: true,
    itemId: found.fit.item.id,
    game: found.fit.item.set.game,
    company: grading.company ?? 'RAW',
    grade: grading.grade,
    problem: grading.problem,
    conditionAssumed: grading.conditionAssumed,
    isByConvention: found.fit.assumed > 0 || found.fit.yearsOff > 0 || found.fit.languageRank === 2,
    aliasDecision: found.aliasDecision,
  };
}

function unmatched(reason: UnmatchedReason, candidates: string[] = []): TitleMatch {
  return { matched: false, reason, candidates };
}

type FitOutcome = { fit: Fit } | { fit: null; reason: UnmatchedReason; candidates: string[] };

/** Failures by how far a title fits, the least first: a sibling in another language fails for every title. */
const DEPTH: UnmatchedReason[] = [
  'card_unknown',
  'language_differs',
  'set_unknown',
  'year_differs',
  'variation_unknown',
];

/** What the title means as it is; only where that is nothing, what it means with the catalog's words for those of aliases. */
function findTaught(reading: TitleReading, index: MatchIndex): FitOutcome & { aliasDecision: number | null } {
  const found = findItem(reading, index);
  const taught = found.fit === null ? withMeant(reading, index.aliases) : null;
  if (taught === null) return { ...found, aliasDecision: null };
  return { ...findItem(taught.reading, index), aliasDecision: taught.decision };
}

function findItem(reading: TitleReading, index: MatchIndex): FitOutcome {
  const words = new Set(reading.words);
  const fits: Fit[] = [];
  let reason: UnmatchedReason = reading.numbers.length === 0 ? 'number_missing' : 'card_unknown';
  for (const [item, number] of possibleItems(reading, words, index)) {
    const fit = evaluate(item, number, reading, words, index);
    if (typeof fit !== 'string') fits.push(fit);
    else if (fit !== 'other_card' && DEPTH.indexOf(fit) > DEPTH.indexOf(reason)) reason = fit;
  }
  if (fits.length === 0) return { fit: null, reason, candidates: [] };
  const best = fits.filter((fit) => fits.every((other) => other === fit || outranks(fit, other)));
  const first = best[0];
  if (first !== undefined && isSafePlain(first.item, words, index)) return { fit: first };
  const ids = [...new Set(fits.map(({ item }) => item.id))];
  return { fit: null, reason: 'ambiguous', candidates: ids.slice(0, MAX_CANDIDATES) };
}

/**
 * The items whose number a title has, or that have none, in the order of the numbers and of the index. Without letters of another
 * script it has the rarest word of the name, too: there are far fewer such items than cards of one number.
 */
function possibleItems(reading: TitleReading, words: Set<string>, index: MatchIndex): [IndexedItem, NumberReading][] {
  const numbers = [...reading.numbers, { key: '', strong: false }];
  const possible = numbers.map((): [IndexedItem, NumberReading][] => []);
  const add = (item: IndexedItem) => {
    for (const [n, number] of numbers.entries()) if (number.key === item.number.key) possible[n]!.push([item, number]);
  };
  if (reading.printed === '') for (const word of words) index.byRarest.get(word)?.forEach(add);
  else for (const key of new Set(numbers.map(({ key }) => key))) index.byNumber.get(key)?.forEach(add);
  return possible.flatMap((ofNumber) => ofNumber.sort(([a], [b]) => a.at - b.at));
}

/** True when `fit` explains every word of the title that `other` does, and more, or as much and needs less assumed. */
function outranks(fit: Fit, other: Fit): boolean {
  for (const word of other.explained) if (!fit.explained.has(word)) return false;
  if (fit.explained.size !== other.explained.size) return true;
  if (fit.assumed !== other.assumed) return fit.assumed < other.assumed;
  if (fit.repeated !== other.repeated) return fit.repeated > other.repeated;
  if (fit.yearsOff !== other.yearsOff) return fit.yearsOff < other.yearsOff;
  return fit.languageRank < other.languageRank;
}

/**
 * The plain printing may be taken unsaid unless a sibling (same set, number, name, language) differs by rarity: then the
 * title must state the plain one's own rarity. It is never taken next to a sibling that only a count of the catalog
 * distinguishes ("Special Card 2" of a Special Card): no title says which.
 */
function isSafePlain(item: IndexedItem, words: Set<string>, index: MatchIndex): boolean {
  if (item.variation !== PLAIN) return true;
  const siblings = index.byNumber
    .get(item.number.key)!
    .filter(({ set, name, language }) => set === item.set && name === item.name && language === item.language);
  if (siblings.some(({ variation }) => variation !== PLAIN && isOnlyCounted(variation.words, item.rarity)))
    return false;
  const differsByRarity = siblings.some(({ variation }) => variation.words.includes('rare'));
  return (
    !differsByRarity ||
    (words.has('rare') && item.rarity.includes('rare') && item.rarity.every((word) => words.has(word)))
  );
}

/** True for a variation that is a rarity, and a number where there are several of it. */
function isOnlyCounted(variation: readonly string[], rarity: readonly string[]): boolean {
  const said = variation.filter((word) => !/^\d+$/.test(word));
  return said.length === rarity.length && said.every((word) => rarity.includes(word));
}

/** True when a rejected word belongs to the card's own name, set or variation ("Digital Hazard"). */
function isOwnWord(word: string, { set, name, variation }: IndexedItem): boolean {
  const own = new Set([...set.allWords, ...name.words, ...variation.words]);
  return word.split(/\W+/).every((part) => own.has(part) || own.has(part.replace(/s$/, '')));
}
