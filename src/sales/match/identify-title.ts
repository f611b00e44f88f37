import type { Game } from '../../catalog/games.ts';
import type { MatchIndex } from './match-index.ts';
import { matchTitle, type UnmatchedReason } from './match-title.ts';
import type { GradeProblem } from './read-grade.ts';
import { readTitle } from './read-title.ts';
import { type Candidate, candidatesOf } from './title-candidates.ts';

/** What a title means, as imports of sales read it. */
export type IdentifiedTitle = {
  /** Null where it is unmatched, because of `reason`. */
  itemId: string | null;
  reason: UnmatchedReason | Extract<GradeProblem, 'company_unsupported' | 'outside_scale'> | null;
  /** `PSA`, `BGS`, `CGC`, `RAW`, or a grader without prices here; null where the title does not say it beyond doubt. */
  company: string | null;
  /** Slug token of the grade; null for one outside the scale. */
  gradeKey: string | null;
  /** An ungraded card whose condition the title does not state. */
  isConditionAssumed: boolean;
  /** `high`: the title states everything. `medium`: something was read by the trade's convention, or the condition assumed. */
  confidence: 'high' | 'medium' | null;
  /** Of an unmatched title, at most five, the likeliest first. */
  candidates: Candidate[];
};

/**
 * Identifies the item, company and grade of a title; an unmatched one has the items that it may mean. `isGradeStated`: the grade
 * is known elsewhere, and one that the title does not state beyond doubt does not matter.
 */
export function identifyTitle(
  title: string,
  game: Game | null,
  index: MatchIndex,
  isGradeStated = false,
): IdentifiedTitle {
  const reading = readTitle(title, game);
  const isConditionAssumed = reading.grading.conditionAssumed;
  if (isGradeStated) reading.grading.problem = null;
  const match = matchTitle(reading, index);
  if (match.matched) {
    const { itemId, company, grade, problem, isByConvention } = match;
    const confidence = isByConvention || (isConditionAssumed && !isGradeStated) ? 'medium' : 'high';
    const gradeKey = grade?.key ?? null;
    return { itemId, reason: problem, company, gradeKey, isConditionAssumed, confidence, candidates: [] };
  }
  const { reason } = match;
  const isCard = reason !== 'lot' && reason !== 'not_card';
  const { company, grade, problem } = reading.grading;
  const isGraded = isCard && problem !== 'grade_ambiguous' && problem !== 'grade_unread';
  return {
    itemId: null,
    reason,
    company: isGraded ? (company ?? 'RAW') : null,
    gradeKey: isGraded ? (grade?.key ?? null) : null,
    isConditionAssumed,
    confidence: null,
    candidates: isCard ? candidatesOf(reading, index) : [],
  };
}
