import type { Sql } from '../../db/client.ts';
import { buildMatchIndex, type MatchItem } from '../../sales/match/match-index.ts';
import { matchTitle, type UnmatchedReason } from '../../sales/match/match-title.ts';
import { catalogPages } from '../../sales/titles.ts';
import { readLabel } from './label.ts';
import { labelledItems } from './label-catalog.ts';
import { unexplainedWords } from './label-vocabulary.ts';

/** Why a label's card is not known, beyond what a title's may be. */
export type NoMatchReason =
  | UnmatchedReason
  /** Words that may mean another printing. */
  | 'words_unexplained'
  /** Read from a photo, without the year that each label has, or with a row that is illegible. */
  | 'illegible';

/** The item a label is of, or why that is not known. */
export type LabelMatch =
  | { itemId: string; reason: null }
  | { itemId: null; reason: NoMatchReason; words?: readonly string[] };

/** Words of a label as a grader's record has them, or as they were read from a photo. */
type LabelSource = 'record' | 'photo';

/** Identifies cards by the words of their slabs' labels. */
export type LabelBook = { match(label: string, source?: LabelSource): LabelMatch };

/** Reads the catalog as labels call it; 500,000 items take some seconds. */
export async function loadLabels(sql: Sql): Promise<LabelBook> {
  const items: MatchItem[] = [];
  for await (const page of catalogPages(sql, `coalesce(i.facts->'characters', '[]') as characters`))
    items.push(...page.flatMap(labelledItems));
  return labelBook(items);
}

/**
 * A book of items that are already as labels call them. Fails closed: every word of the label must be accounted for. The
 * label's grade is not its business: graders state it.
 */
export function labelBook(items: Iterable<MatchItem>): LabelBook {
  const index = buildMatchIndex(items);
  const itemOf = new Map(index.items.map((item) => [item.id, item]));
  return {
    match(label, source = 'record') {
      const reading = readLabel(label);
      reading.grading = { company: null, grade: null, problem: null, conditionAssumed: false };
      const match = matchTitle(reading, index);
      if (!match.matched) return { itemId: null, reason: match.reason };
      const words = unexplainedWords(reading, itemOf.get(match.itemId)!, source === 'photo');
      if (words.length > 0) return { itemId: null, reason: 'words_unexplained', words };
      if (source === 'photo' && reading.years.length === 0) return { itemId: null, reason: 'illegible' };
      return { itemId: match.itemId, reason: null };
    },
  };
}
