import { detectCards } from '../detect/detect-cards.ts';
import type { Mat } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import {
  boxOf,
  centerOf,
  coverOf,
  diagonalOf,
  distance,
  type Point,
  type Quad,
  rotateQuad,
  scaleQuad,
} from '../quad.ts';
import { type Advice, adviceFor } from './advice.ts';
import { type BudgetedTools, budgeted } from './budget.ts';
import { isCertLike } from './cert-reading.ts';
import { enlargedPhoto, enlargementOf } from './enlargement.ts';
import { labelAbove, labelAround } from './label-picture.ts';
import { greyOf } from './print/grey.ts';
import { findSpots, type Spot } from './print/spots.ts';
import { type LabelReading, type PlaceTools, readLabel, type SlabTools } from './read-label.ts';

/** The label of the slab in the middle of a photo, where it and the card are, and how many others were seen. */
export type SlabReading = LabelReading & { kind: 'slab'; quad: Quad; card: Quad | null; others: number };
export type UnreadableSlab = { kind: 'unreadable'; advice: Advice };

type LabelledSlab = { label: LabelReading; quad: Quad; card: Quad | null };

/**
 * Reads the label of the slab in a photo: above its card, whose outline gives its exact place, or else where print
 * looks like one; of several slabs the most central one. Takes some hundred milliseconds a place. Slabs may be turned in
 * any way when their card fills much of the photo, else by 30° at most. A photo in which no label is found in time is given up.
 */
export async function readSlab(opened: SlabTools, photo: RgbPixels): Promise<SlabReading | UnreadableSlab> {
  const tools = budgeted(opened);
  const { cv } = tools;
  const large = enlargedPhoto(cv, photo);
  const grey = greyOf(cv, large);
  try {
    const spots = findSpots(cv, grey, 'dark');
    const above = await readAboveCard(tools, large, spots);
    const found = above ?? (await readSpots(tools, large, grey, spots));
    if (found === null) return { kind: 'unreadable', advice: adviceFor(cv, photo) };
    return { kind: 'slab', ...inPhoto(found, 1 / enlargementOf(photo)), others: othersOf(spots, found.quad) };
  } finally {
    grey.delete();
  }
}

/** What was found on the enlarged photo, in pixels of the photo itself. */
function inPhoto(
  { label, quad, card }: LabelledSlab,
  scale: number,
): LabelReading & Pick<LabelledSlab, 'quad' | 'card'> {
  const certs = label.certs.map((one) => (one.by === 'print' ? { ...one, heightPx: one.heightPx * scale } : one));
  return { ...label, certs, quad: scaleQuad(quad, scale), card: card && scaleQuad(card, scale) };
}

/** Outlines that are tried: the card's own is among the first two of its place wherever it fills much of the photo. */
const MAX_OUTLINES = 3;
const AT_A_PLACE = 2;
/** A card is large when its diagonal is so much of the photo's. */
const LARGE = 0.28;

async function readAboveCard(
  tools: BudgetedTools,
  photo: RgbPixels,
  spots: readonly Spot[],
): Promise<LabelledSlab | null> {
  const cards = largeCards(tools, photo);
  // All of them the right way up first: hardly any slab is upside down.
  for (const card of [...cards, ...cards.slice(0, 1).map((quad) => rotateQuad(quad, 2))]) {
    if (!tools.mayLook()) return null;
    const place = labelAbove(tools.cv, photo, card);
    if (place === null || !mayBeLabel(place.quad, spots)) continue;
    const label = await readLabel(tools.forPlace(), place);
    if (label && isSure(label)) return { label, quad: place.quad, card };
  }
  return null;
}

/** Small and large print of a label, as a share of its width. */
const LETTERS = { least: 0.012, most: 0.05 };

/** False where print is seen, but none of the size of a label's: the outline is of something larger than a card, or smaller. */
function mayBeLabel(quad: Quad, spots: readonly Spot[]): boolean {
  const { x, y, width, height } = boxOf(quad);
  const there = spots.filter(({ frame: { center } }) => {
    return center[0] > x && center[0] < x + width && center[1] > y && center[1] < y + height;
  });
  const share = ({ letterPx }: Spot) => letterPx / distance(quad[0], quad[1]);
  return there.length === 0 || there.some((spot) => share(spot) > LETTERS.least && share(spot) < LETTERS.most);
}

/** An outline that is not a card's has other print above it, in which words of grades may be seen. */
function isSure({ company, certs, grade }: LabelReading): boolean {
  return certs.some(({ digits }) => isCertLike(company, digits)) || (grade?.key != null && grade.number !== null);
}

/** Outlines of large cards, those of the most central one first, at each place the likeliest first. */
function largeCards({ cv }: SlabTools, photo: RgbPixels): Quad[] {
  const most = Math.hypot(photo.width, photo.height);
  const off = ([quad]: readonly Quad[]) => distance(centerOf(quad!), [photo.width / 2, photo.height / 2]);
  const places: Quad[][] = [];
  for (const { quad } of detectCards(cv, photo, { kind: 'card' })) {
    if (diagonalOf(quad) < LARGE * most) continue;
    const place = places.find(([first]) => coverOf(first!, quad) > 0.5);
    if (place === undefined) places.push([quad]);
    else place.push(quad);
  }
  return places
    .sort((a, b) => off(a) - off(b))
    .flatMap((place) => place.slice(0, AT_A_PLACE))
    .slice(0, MAX_OUTLINES);
}

/** Places that are read until one is a label, of dark print and of light. */
const MAX_READ = { dark: 4, light: 2 };
/** Another place that looks as much like a label, and is nearer to the middle, is read too. */
const AS_LIKELY = 0.75;

async function readSpots(
  tools: BudgetedTools,
  photo: RgbPixels,
  grey: Mat,
  dark: readonly Spot[],
): Promise<LabelledSlab | null> {
  const off = ({ frame: { center } }: Spot) => Math.hypot(center[0] - photo.width / 2, center[1] - photo.height / 2);
  for (const ink of ['dark', 'light'] as const) {
    const spots = labelsFirst(ink === 'dark' ? dark : findSpots(tools.cv, grey, 'light'));
    let best: { spot: Spot; found: LabelledSlab } | null = null;
    for (const spot of spots.slice(0, MAX_READ[ink])) {
      if (best === null && !tools.mayLook()) break;
      if (best !== null && (off(spot) >= off(best.spot) || spot.score < AS_LIKELY * best.spot.score)) continue;
      const found = await readSpot(tools.forPlace(), photo, spot);
      if (found !== null) best = { spot, found };
    }
    if (best !== null) return best.found;
  }
  return null;
}

/** Text of a card is below its label, at most so many heights of the label's letters; its score counts by this share. */
const BELOW_LABEL = { letters: 60, score: 0.6 };
/** Print above it with a smaller share of its score is not its label. */
const OF_BELOW = 0.35;

/** Spots by their score, which counts less below other print: a card may have more text than its label. */
function labelsFirst(spots: readonly Spot[]): Spot[] {
  const isBelow = ({ frame, letterPx, score }: Spot, above: Spot) => {
    const down = frame.center[1] - above.frame.center[1];
    const aside = Math.abs(frame.center[0] - above.frame.center[0]);
    const isNear = down > 4 * letterPx && down < BELOW_LABEL.letters * above.letterPx;
    return isNear && aside < (frame.width + above.frame.width) / 2 && above.score > OF_BELOW * score;
  };
  return spots
    .map((spot) =>
      spots.some((above) => isBelow(spot, above)) ? { ...spot, score: spot.score * BELOW_LABEL.score } : spot,
    )
    .sort((a, b) => b.score - a.score);
}

async function readSpot(tools: PlaceTools, photo: RgbPixels, spot: Spot): Promise<LabelledSlab | null> {
  const read = async (wider: boolean): Promise<LabelledSlab | null> => {
    const place = labelAround(tools.words.cv, photo, spot, wider);
    const label = await readLabel(tools, place);
    return label && { label, quad: place.quad, card: null };
  };
  const found = await read(false);
  if (found === null || found.label.certs.length > 0 || found.label.grade !== null) return found;
  // Only the left column was found: cert and grade are on the right.
  const wider = await read(true);
  if (wider !== null && (wider.label.certs.length > 0 || wider.label.grade !== null)) return wider;
  // Red alone may be a card's.
  return found.label.isMarked ? found : null;
}

/** Sides of a slab in widths of its label. */
const SLAB = { width: 1.1, height: 1.9 };
/** Print elsewhere is of another label when it looks half as much like one, and is not below another label. */
const ANOTHER = 0.5;

/** How many places outside the slab of this label look like labels. */
function othersOf(spots: readonly Spot[], label: Quad): number {
  const [a, b, c, d] = label;
  const across: Point = [(b[0] + c[0] - a[0] - d[0]) / 2, (b[1] + c[1] - a[1] - d[1]) / 2];
  const width = Math.hypot(...across);
  const [cos, sin] = [across[0] / width, across[1] / width];
  /** Whether print is on a slab whose label begins there. */
  const isOnSlab = ({ frame: { center } }: Spot, [left, top]: Point) => {
    const [x, y] = [center[0] - left, center[1] - top];
    const [aside, down] = [Math.abs(x * cos + y * sin), y * cos - x * sin];
    return aside < (SLAB.width / 2) * width && down > -0.1 * width && down < SLAB.height * width;
  };
  const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const own = Math.max(0, ...spots.filter((spot) => isOnSlab(spot, middle)).map(({ score }) => score));
  const others: Spot[] = [];
  for (const spot of spots) {
    const isPart = isOnSlab(spot, middle) || others.some(({ frame }) => isOnSlab(spot, frame.center));
    if (!isPart && spot.score > ANOTHER * own) others.push(spot);
  }
  return others.length;
}
