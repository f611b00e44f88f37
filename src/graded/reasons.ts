import type { GradedLookup, Reason } from './shapes.ts';

/** Why a slab has no price, in the words that pages, streams and scans share. A `warning` says more and replaces them. */
const REASONS: Record<Reason, { heading: string; sentence: string }> = {
  no_grade_price: {
    heading: 'No price at this grade',
    sentence: 'Its grade is outside the scale that is priced here.',
  },
  deactivated: { heading: 'A deactivated cert', sentence: 'The grader has deactivated this cert number.' },
  needs_photo: {
    heading: 'Several cards fit',
    sentence: 'The label fits several cards; a photo of the slab can decide.',
  },
  compute_incomplete: {
    heading: 'The valuation is not finished',
    sentence: 'The valuation is not finished. Try again in a minute.',
  },
  company_unsupported: { heading: 'A grader without prices', sentence: 'Slabs of this grader are not priced here.' },
  not_ingested: { heading: 'An unknown cert', sentence: 'This cert is not known yet.' },
  withdrawn: { heading: 'A withdrawn card', sentence: 'Its card was removed from the catalog.' },
  identity_suspect: {
    heading: 'A price that is withheld',
    sentence: 'Its price is withheld: the sales may be those of another card. The audit page has the evidence.',
  },
  game_unsupported: { heading: 'A game without prices', sentence: 'Cards of this game are not priced here.' },
};

const NO_RECORD = 'has no record of this cert.';

/** The warning of a cert that its grader does not know. */
export function noRecordWarning(grader: string): string {
  return `${grader} ${NO_RECORD}`;
}

/** The grader was called and does not know the cert. */
export function isUnknownToGrader({ warning }: Pick<GradedLookup, 'warning'>): boolean {
  return warning?.endsWith(NO_RECORD) ?? false;
}

type Unpriced = Pick<GradedLookup, 'reason' | 'warning'>;

/** One or two sentences; a lookup without a reason reads as one of an unknown slab. */
export function whyUnpriced({ reason = 'not_ingested', warning }: Unpriced): string {
  return warning ?? REASONS[reason].sentence;
}

/** The heading of a page about a slab without a known card. */
export function unknownSlabHeading({ reason = 'not_ingested' }: Unpriced): string {
  return REASONS[reason].heading;
}

/** The last news of a valuation. */
export function endMessage(lookup: Unpriced & Pick<GradedLookup, 'found'>): string {
  return lookup.found ? 'The slab is priced.' : whyUnpriced(lookup);
}
