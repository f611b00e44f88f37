import type { PublishedCorrection } from '../../items/corrections/correction-shape.ts';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { briefDay } from '../format.ts';

/** The wording of corrections; pure. */

const CAUSES: Readonly<Record<string, string>> = {
  sale_voided: 'Sale voided',
  sale_corrected: 'Sale corrected',
  mapping: 'Sale moved between cards',
  report: 'Report accepted',
  model: 'Prices computed again',
  import_undone: 'Import undone',
};

export function causeOf({ cause }: PublishedCorrection): string {
  return CAUSES[cause] ?? cause.replaceAll('_', ' ');
}

/** The note with its days as the pages write them; a report's is in its reader's words, and stays as it is. */
export function noteOf({ cause, note }: PublishedCorrection): string | null {
  if (note === null || cause === 'report') return note;
  return note.replace(/\b\d{4}-\d\d-\d\d\b/g, briefDay);
}

/** What a correction is about: `Charizard, Base #4, PSA 10`. */
export function subjectOf({ card, gradeLabel, cause }: PublishedCorrection): string {
  if (card === null) return cause === 'model' ? 'Every price' : 'The service';
  return gradeLabel === null ? lineOf(card) : `${lineOf(card)}, ${gradeName(gradeLabel)}`;
}

/** `20 Jun 2026 to 24 Jun 2026`, or one day; null without restated days. */
export function restatedOf({ fromDay, toDay }: PublishedCorrection): string | null {
  if (fromDay === null || toDay === null) return null;
  return fromDay === toDay ? briefDay(fromDay) : `${briefDay(fromDay)} to ${briefDay(toDay)}`;
}
