import { CARD_MM, planeOf } from '../detect/card-plane.ts';
import { type CV, withMats } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import {
  areaOf,
  coverOf,
  distance,
  frameOf,
  isConvex,
  overlapOf,
  type Point,
  type Quad,
  rotateQuad,
  sharedArea,
} from '../quad.ts';
import { enlargementOf } from './enlargement.ts';
import { CARD_IN, plasticAround, uprightPlastic } from './nested.ts';
import { greyOf } from './print/grey.ts';
import { findSpots, type Spot } from './print/spots.ts';

/** A slab and the card in it. */
type FoundSlab = { quad: Quad; card: Quad; score: number };

/** Plastic and label, millimetres from the middle of the card; graders differ by some. */
const SLAB_MM = { left: -40.5, right: 40.5, top: -81, bottom: 53 };
const LABEL_MM = { left: -38, right: 38, top: -80, bottom: -50 };
/** The photo shows so much of the label. */
const SEEN = 0.8;
/** Heights of a label's letters, millimetres, and how much all its print looks like a label's; more where it is upside down. */
const LETTER_MM = { least: 0.9, most: 4 };
const MIN_LOOK = { upright: 20, turned: 40 };
/** Where the outline may be a card's, photographed from aside: of those, names and text come to 58 at most, labels to 104 and more. */
const LABELLED_LOOK = 80;
/** The ground of an enlarged photo makes short rows of noise, which look less like a label. */
const LEAST_LOOK_ENLARGED = 18;
/** Another card covers no more of the label; what is much smaller than this card is the label itself. */
const MAX_COVERED = 0.2;
const MIN_CARD = 0.6;
/** The lower edge of an outline of the upper plastic is so far from the card's middle; no card is across another like this. */
const TOP_MM = { off: 6, from: -40, to: -8 };
/** Outlines of the same card, such as its frame and its sleeve, overlap by more. */
const SAME = 0.7;

/**
 * Slabs around cards: an outline has the card where slabs have it; or print of the size of a label's is above the card, where
 * slabs have it, and no other card is there. Print is found but not read.
 */
export function findSlabs(
  cv: CV,
  photo: RgbPixels,
  cards: readonly { quad: Quad; score: number }[],
  others: readonly Quad[],
  outlines: readonly Quad[],
): FoundSlab[] {
  let seen: Spot[] | null = null;
  /** Looked for when a card may be in a slab: that takes a third of the time of a photo. */
  const spots = () => {
    seen ??= spotsIn(cv, photo);
    return seen;
  };
  const found: FoundSlab[] = [];
  for (const { quad: card, score } of cards) {
    if (found.some(({ quad }) => sharedArea(quad, card) > 0.5 * areaOf(card))) continue;
    const nested = nestedIn(card, outlines);
    if (nested !== null) {
      found.push({ ...nested, score });
      continue;
    }
    const slab =
      slabAround(card, MIN_LOOK.upright, { photo, spots, others }) ??
      slabAround(rotateQuad(card, 2), MIN_LOOK.turned, { photo, spots, others });
    if (slab !== null) found.push({ quad: slab, card, score });
    else {
      const labelled = labelledPlastic(card, spots);
      if (labelled !== null) found.push({ ...labelled, score });
    }
  }
  return found;
}

/** Print of either ink that may be a label's. */
function spotsIn(cv: CV, photo: RgbPixels): Spot[] {
  return withMats((own) => {
    const grey = own(greyOf(cv, photo));
    const scale = enlargementOf(photo);
    return (['dark', 'light'] as const)
      .flatMap((ink) => findSpots(cv, grey, ink, scale))
      .filter(({ score }) => scale === 1 || score >= LEAST_LOOK_ENLARGED);
  });
}

/** A slab of which this is the card or the plastic, by another outline. */
function nestedIn(outline: Quad, outlines: readonly Quad[]): Pick<FoundSlab, 'quad' | 'card'> | null {
  for (const other of outlines) {
    const around = plasticAround(outline, other);
    if (around !== null) return { quad: around, card: outline };
    const own = plasticAround(other, outline);
    if (own !== null) return { quad: own, card: other };
  }
  return null;
}

/** A slab whose plastic is this outline, by print where slabs have their label. */
function labelledPlastic(outline: Quad, spots: () => readonly Spot[]): Pick<FoundSlab, 'quad' | 'card'> | null {
  const upright = uprightPlastic(outline);
  if (upright === null) return null;
  const [width, height] = [SLAB_MM.right - SLAB_MM.left, SLAB_MM.bottom - SLAB_MM.top];
  for (const quad of [upright, rotateQuad(upright, 2)]) {
    const { toPhoto, toPlane } = planeOf(quad);
    const pxPerMm = distance(quad[0], quad[1]) / width;
    const look = spots().reduce((sum, { frame, letterPx, score }) => {
      const [x, y] = toPlane(frame.center);
      // Millimetres of the slab, from the middle of its card.
      const at: Point = [(x / CARD_MM.width) * width, (y / CARD_MM.height + 0.5) * height + SLAB_MM.top];
      return isWithin(at, LABEL_MM) && isLetter(letterPx / pxPerMm) ? sum + score : sum;
    }, 0);
    if (look < LABELLED_LOOK) continue;
    const corner = (x: number, y: number): Point => toPhoto([x * CARD_MM.width, y * CARD_MM.height]);
    const { left, right, top, bottom } = CARD_IN;
    return { quad, card: [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)] };
  }
  return null;
}

function isWithin([x, y]: Point, { left, right, top, bottom }: typeof LABEL_MM): boolean {
  return x > left && x < right && y > top && y < bottom;
}

function isLetter(mm: number): boolean {
  return mm > LETTER_MM.least && mm < LETTER_MM.most;
}

type Around = { photo: RgbPixels; spots: () => readonly Spot[]; others: readonly Quad[] };

function slabAround(card: Quad, leastLook: number, { photo, spots, others }: Around): Quad | null {
  const plane = planeOf(card);
  const onPhoto = ({ left, top, right, bottom }: typeof SLAB_MM): Quad => [
    plane.toPhoto([left, top]),
    plane.toPhoto([right, top]),
    plane.toPhoto([right, bottom]),
    plane.toPhoto([left, bottom]),
  ];
  const [label, slab] = [onPhoto(LABEL_MM), onPhoto(SLAB_MM)];
  // Beyond the vanishing point of a mistaken outline the sides cross.
  if (!isConvex(label) || !isConvex(slab) || sharedArea(label, frameOf(photo)) < SEEN * areaOf(label)) return null;
  const isInWay = (other: Quad): boolean =>
    areaOf(other) > MIN_CARD * areaOf(card) &&
    // Not an outline of the card itself, or around it.
    coverOf(other, card) <= 0.5 &&
    sharedArea(other, label) > MAX_COVERED * areaOf(label);
  /** An outline of the upper plastic, from its top edge and one of its sides to an edge within the card. */
  const isTop = (other: Quad): boolean => {
    const corners = other.map((corner) => plane.toPlane(corner));
    const [left, , , right] = sorted(corners.map(([x]) => x));
    const [top, under, over, bottom] = sorted(corners.map(([, y]) => y));
    const isSide = Math.abs(left! - SLAB_MM.left) < TOP_MM.off || Math.abs(right! - SLAB_MM.right) < TOP_MM.off;
    const isEdge = Math.abs(top! - SLAB_MM.top) < TOP_MM.off && under! - top! < TOP_MM.off;
    return isSide && isEdge && bottom! - over! < TOP_MM.off && over! > TOP_MM.from && bottom! < TOP_MM.to;
  };
  if (others.some((other) => isInWay(other) && !isTop(other))) return null;
  const pxPerMm = distance(label[0], label[1]) / (LABEL_MM.right - LABEL_MM.left);
  const own = others.filter((other) => overlapOf(other, card) > SAME);
  const isOnLabel = ({ frame, letterPx }: Spot): boolean => {
    const isThere = isWithin(plane.toPlane(frame.center), LABEL_MM) && isLetter(letterPx / pxPerMm);
    return isThere && !own.some((other) => isInside(other, frame.center));
  };
  const look = () => spots().reduce((sum, spot) => sum + (isOnLabel(spot) ? spot.score : 0), 0);
  return others.some(isTop) || look() >= leastLook ? slab : null;
}

/** True when a point is inside a quad. */
function isInside(quad: Quad, [x, y]: Point): boolean {
  return quad.every(([ax, ay], i) => {
    const [bx, by] = quad[(i + 1) % 4]!;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
  });
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
