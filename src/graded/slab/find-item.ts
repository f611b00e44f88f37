import type { Db } from '../../db/client.ts';
import { openBook } from '../../sales/titles.ts';
import type { CertRecord } from '../graders/grader.ts';
import { joinText } from '../graders/reading.ts';
import type { Reason } from '../shapes.ts';
import { type LabelBook, type LabelMatch, loadLabels, type NoMatchReason } from './label-book.ts';

/** The labels of the catalog as it is, for a process that reads them again and again. */
export type LabelShelf = () => Promise<LabelBook>;

export function openLabelShelf(db: Db): Promise<LabelShelf> {
  return openBook(db, loadLabels);
}

/** The words of a label that identify the card: those of its parts without the grade, else all there are. */
export function cardWords({ label }: Pick<CertRecord, 'label'>): string {
  const { year, setText, cardNumber, subject, variety, language } = label;
  if (setText === '') return label.text;
  return joinText([year, setText, cardNumber && `#${cardNumber.replace(/^#/, '')}`, subject, variety, language]);
}

/** Why no card was identified, in words. */
const WHY: Record<NoMatchReason, string> = {
  lot: 'it reads like several cards',
  not_card: 'it reads like no card',
  grade_ambiguous: 'its grade is ambiguous',
  grade_unread: 'its grade cannot be read',
  number_missing: 'it has no card number',
  card_unknown: 'the catalog has no such card',
  set_unknown: 'the catalog has no such set, or the label does not name it',
  year_differs: 'the catalog has the card of another year',
  language_differs: 'the catalog has the card in another language',
  variation_unknown: 'the catalog has the card in other variations',
  ambiguous: 'several cards fit',
  words_unexplained: 'the catalog does not explain all of its words',
  illegible: 'a part of it is illegible',
};

/** The card is there, the printing is not certain. */
const NEEDS_PHOTO: ReadonlySet<NoMatchReason> = new Set(['ambiguous', 'variation_unknown', 'words_unexplained']);

/** What to answer for a label without a certain card. A photo distinguishes printings that a label does not. */
export function unmatched(
  label: string,
  { reason, words = [] }: Extract<LabelMatch, { itemId: null }>,
): {
  reason: Reason;
  warning: string;
} {
  const which = words.length > 0 ? ` (${words.join(', ')})` : '';
  return {
    reason: NEEDS_PHOTO.has(reason) ? 'needs_photo' : 'not_ingested',
    warning: `No card was matched to the label${label && ` "${label}"`}: ${WHY[reason]}${which}.`,
  };
}
