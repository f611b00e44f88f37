import type { UnmatchedSale } from '../import/waiting.ts';
import type { MatchIndex } from '../match/match-index.ts';
import { readTitle } from '../match/read-title.ts';
import { type Candidate, type CandidateReason, candidatesOf } from '../match/title-candidates.ts';

/** The items that an unmatched sale may be of, five at most, the likeliest first; none for a row without a title. */
export function suggest({ title, item }: Pick<UnmatchedSale, 'title' | 'item'>, index: MatchIndex): Candidate[] {
  const text = title ?? (item.by === 'title' ? item.value : null);
  return text === null ? [] : candidatesOf(readTitle(text), index);
}

/** Why a sale waits, in a sentence. */
export const WAITS_BECAUSE: Readonly<Record<string, string>> = {
  item_unknown: 'The catalog has no card of the id or address in the row.',
  alias_taken_back: 'It was matched by a taught name, which is taken back.',
  number_missing: 'The title has no number that could be a card’s.',
  card_unknown: 'No card has this name and number.',
  set_unknown: 'The title does not name the set of a card that has this name and number.',
  year_differs: 'The year in the title is not that of a card with this name and number.',
  language_differs: 'The title is of another language than the cards with this name and number.',
  variation_unknown: 'No card with this name and number has exactly the edition and finish that the title states.',
  ambiguous: 'Several cards fit equally.',
  grade_ambiguous: 'The title can be read as several grades.',
  grade_unread: 'The grade in the title cannot be read.',
  grade_differs:
    'The company or grade in the row is not that in the title; a condition such as “mint” there means an ungraded card.',
};

/** Why a candidate was not taken, in a clause. */
export const NOT_TAKEN: Readonly<Record<CandidateReason, string>> = {
  fits: 'fits, but does not decide it alone',
  number_differs: 'its number is not in the title',
  number_missing: 'the title has no number',
  name_missing: 'its set and number are in the title, its name is not',
  card_unknown: 'the title has words of another card',
  set_unknown: 'the title does not name its set, or names another',
  year_differs: 'the title has another year',
  language_differs: 'it is in another language',
  variation_unknown: 'its edition or finish is not what the title states',
};
