import type { Likeness } from './likeness.ts';

export type Band = 'high' | 'medium' | 'low' | 'none';

/** What a band is derived from. */
export type MatchEvidence = Likeness & {
  /** Cosine of the descriptors of the photo's card and of the best match. */
  cosine: number;
  /** `most` less that of the best candidate of another card; 1 at most. */
  margin: number;
  /** Other items that the photo does not distinguish: same art, or another finish, edition or language of the card. */
  siblings: number;
  /** Printed on the card, where that decided between items that look alike. */
  number: string | null;
};

/** Below it a candidate is another card with the same frame, if that. */
export const SAME_CARD = 0.8;

/** Another printing in another language reaches 0.80 of `nearlyAll`; cards of one frame without much art reach 0.71. */
const HIGH = { most: SAME_CARD, nearlyAll: 0.82, seen: 0.6, margin: 0.05 };
const MEDIUM = { most: 0.65, nearlyAll: 0.45, seen: 0.5 };
const LOW = { most: 0.35, cosine: 0.6 };

/** How sure it is that the best match is the card in the photo. */
export function bandOf({ most, nearlyAll, seen, margin, cosine, siblings }: MatchEvidence): Band {
  const reaches = (least: typeof MEDIUM) => most >= least.most && nearlyAll >= least.nearlyAll && seen >= least.seen;
  if (reaches(HIGH) && margin >= HIGH.margin && siblings === 0) return 'high';
  if (reaches(MEDIUM)) return 'medium';
  return most >= LOW.most || cosine >= LOW.cosine ? 'low' : 'none';
}
