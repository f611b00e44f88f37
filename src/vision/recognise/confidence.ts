import type { Likeness } from './likeness.ts';

export type Band = 'high' | 'medium' | 'low' | 'none';

/** What a band is told from. */
export type Evidence = Likeness & {
  /** Cosine of the descriptors of the photo's card and of the best match. */
  cosine: number;
  /** `most` less that of the best candidate of another card; 1 at most. */
  margin: number;
  /** Other items that the photo cannot be told from: same art, or another finish, edition or language of the card. */
  siblings: number;
  /** Printed on the card, where that decided between items that look alike. */
  number: string | null;
};

/** Below it a candidate is another card with the same frame, if that. */
export const SAME_CARD = 0.8;

const HIGH = { most: 0.8, nearlyAll: 0.82, seen: 0.6, margin: 0.05 };
const MEDIUM = { most: 0.65, seen: 0.5 };
const LOW = { most: 0.35, cosine: 0.6 };

/** How sure it is that the best match is the card in the photo. */
export function bandOf({ most, nearlyAll, seen, margin, cosine, siblings }: Evidence): Band {
  if (most >= MEDIUM.most && seen >= MEDIUM.seen) {
    const isSure = most >= HIGH.most && nearlyAll >= HIGH.nearlyAll && seen >= HIGH.seen && margin >= HIGH.margin;
    return isSure && siblings === 0 ? 'high' : 'medium';
  }
  return most >= LOW.most || cosine >= LOW.cosine ? 'low' : 'none';
}
