import { type CV, withMats } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { type Quad, scaleQuad } from '../quad.ts';
import { matOf } from '../rectify.ts';

import { fanIn } from './fanned.ts';
import { distinct, lookAt, type PhotoEdges, type Search } from './find-quads.ts';
import { refined } from './refine.ts';
import { separateCards } from './separate-cards.ts';

/** The outline of what may be a card, in pixels of the photo, and how sure that is: 0 to 1. */
export type DetectedCard = { quad: Quad; score: number };

export type PhotoKind = 'card' | 'cards';

/** A single card is looked for in few long lines; many cards in short ones, all over the photo. */
export const SEARCHES: Record<PhotoKind, Search & { longSidePx: number }> = {
  card: {
    longSidePx: 700,
    segment: 0.021,
    lines: 80,
    gap: 1,
    candidates: 140,
    varied: 10,
    perPlace: 40,
    least: 0.15,
    most: 1.3,
    reach: 3,
    found: 250_000,
  },
  cards: {
    longSidePx: 1000,
    segment: 0.011,
    lines: 600,
    gap: 0.15,
    candidates: 900,
    varied: Number.POSITIVE_INFINITY,
    perPlace: 3,
    least: 0.08,
    most: 0.7,
    reach: 0.4,
    // A board of forty cards has 56,000, a mosaic 350,000.
    found: 80_000,
  },
};
const MAX_ANSWERS = 5;
/** Quads nearer to each other than this share of their diagonal are one answer. */
const SAME = 0.032;

/**
 * Outlines of cards in a photo, the likeliest first. `card`: up to five of the one card that it shows, such as its
 * edge, that of its sleeve and its inner frame, for recognition to try in turn. `cards`: one of each card; that of a
 * fanned card goes on below those above it.
 */
export function detectCards(cv: CV, photo: RgbPixels, { kind }: { kind: PhotoKind }): DetectedCard[] {
  const search = SEARCHES[kind];
  const work = reduced(cv, photo, search.longSidePx);
  const scale = photo.width / work.width;
  const look = lookAt(work, search);
  const chosen = kind === 'card' ? distinct(look.quads, MAX_ANSWERS, SAME) : severalOf(look);
  return chosen.map(({ quad, score }) => ({ quad: refined(photo, scaleQuad(quad, scale), scale * 1.5), score }));
}

function severalOf(look: PhotoEdges): DetectedCard[] {
  const separate = separateCards(look.quads);
  return fanIn(look, separate) ?? separate;
}

/** The photo within a long side; smaller ones stay as they are. */
function reduced(cv: CV, photo: RgbPixels, longSidePx: number): RgbPixels {
  const scale = longSidePx / Math.max(photo.width, photo.height);
  if (scale >= 1) return photo;
  const size = new cv.Size(Math.round(photo.width * scale), Math.round(photo.height * scale));
  return withMats((own) => {
    const mat = own(matOf(cv, photo));
    cv.resize(mat, mat, size, 0, 0, cv.INTER_AREA);
    return { data: new Uint8Array(mat.data), width: size.width, height: size.height };
  });
}
