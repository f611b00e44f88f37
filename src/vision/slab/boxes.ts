import { type DetectedCard, detectCards } from '../detect/detect-cards.ts';
import { withWholeCards } from '../detect/whole-cards.ts';
import type { CV } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { coverOf, type Quad } from '../quad.ts';
import { findSlabs } from './find-slabs.ts';

/** Where a card or a slab is; `card` is the outline of the card in a slab. */
export type LabelledBox = DetectedCard & { kind: 'card' | 'slab'; card: Quad | null };

/** Real cards that fill a photo score .98 and more, grounds without a card .02. */
const SURE_SCORE = 0.9;
/** More cards than these are a page or a tray, of which no single card is a part. */
const MOST_PIECES = 6;

/** One box for each card or slab in a photo, the likeliest first. */
export function boxesIn(cv: CV, photo: RgbPixels): LabelledBox[] {
  const several = detectCards(cv, photo, { kind: 'cards' });
  const single = several.length > MOST_PIECES ? [] : detectCards(cv, photo, { kind: 'card' });
  const sure = single.filter(({ score }) => score >= SURE_SCORE);
  const cards = several.length > 0 ? withWholeCards(several, single) : sure.slice(0, 1);
  const slabs = findSlabs(
    cv,
    photo,
    [...sure.slice(0, 1), ...cards],
    [...sure, ...cards].map(({ quad }) => quad),
    [...single, ...several].map(({ quad }) => quad),
  );
  const isInSlab = ({ quad }: DetectedCard) => slabs.some((slab) => coverOf(quad, slab.quad) > 0.5);
  return [
    ...slabs.map((slab) => ({ ...slab, kind: 'slab' as const })),
    ...cards.filter((card) => !isInSlab(card)).map((card) => ({ ...card, kind: 'card' as const, card: null })),
  ].sort((a, b) => b.score - a.score);
}
