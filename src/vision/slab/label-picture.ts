import { CARD_MM, planeOf } from '../detect/card-plane.ts';
import type { CV } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { areaOf, frameOf, isConvex, type Point, type Quad, sharedArea } from '../quad.ts';
import { rectify } from '../rectify.ts';
import { leanOf } from './print/lean.ts';
import type { Spot } from './print/spots.ts';

/** A label made straight, so large that its letters are about `LETTER_PX` high, and where it is on the photo. */
export type LabelPicture = { picture: RgbPixels; quad: Quad };

/** Small print of a label is 2.1 mm high; the reader likes capitals of 30 to 40 pixels best. */
export const LETTER_PX = 34;
export const LABEL_PX_PER_MM = 16;

/** Where a slab has its label, millimetres from the top-left corner of its card, with room for what graders differ in. */
const ZONE = { left: -9, top: -38, right: 72, bottom: -2 };
/** The photo must show so much of it. */
const SEEN = 0.6;

/** The place above a card: the label, if the card is in a slab. Null where that is not on the photo. */
export function labelAbove(cv: CV, photo: RgbPixels, card: Quad): LabelPicture | null {
  const { toPhoto } = planeOf(card);
  const at = (x: number, y: number) => toPhoto([x - CARD_MM.width / 2, y - CARD_MM.height / 2]);
  const { left, top, right, bottom } = ZONE;
  const quad: Quad = [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
  // Beyond the vanishing point of a mistaken outline the sides cross.
  if (!isConvex(quad) || sharedArea(quad, frameOf(photo)) < SEEN * areaOf(quad)) return null;
  const [width, height] = [(right - left) * LABEL_PX_PER_MM, (bottom - top) * LABEL_PX_PER_MM];
  return { picture: rectify(cv, photo, quad, width, height), quad };
}

/** Around the print that was found, in heights of a letter: for what is larger or lighter, header, grade and barcode. */
const ROOM = { left: 4, right: 4, above: 5, below: 4 };
const NO_ROOM = { left: 0, right: 0, above: 0, below: 0 };
/** The right column of a label reaches so many heights of a letter further than the left one, at most. */
const RIGHT_COLUMN = 16;

/** The label that print belongs to, its strokes upright; `wider` where that print may be its left column alone. */
export function labelAround(cv: CV, photo: RgbPixels, spot: Spot, wider: boolean): LabelPicture {
  const lean = leanOf(cv, leaning(cv, photo, spot, 0, NO_ROOM).picture);
  const more = spot.frame.height / 2 / spot.letterPx;
  const { left, right, above, below } = ROOM;
  const room = wider ? { left, right: right + RIGHT_COLUMN, above: above + more, below: below + more } : ROOM;
  return leaning(cv, photo, spot, lean, room);
}

/** Print with room around it; perspective makes it go `lean` pixels to the right for each one down. */
function leaning(cv: CV, photo: RgbPixels, { frame, letterPx }: Spot, lean: number, room: typeof ROOM): LabelPicture {
  const [x, y] = frame.center;
  const [cos, sin] = [Math.cos(frame.angle), Math.sin(frame.angle)];
  const at = (upright: number, down: number): Point => {
    const along = upright + lean * down;
    return [x + along * cos - down * sin, y + along * sin + down * cos];
  };
  const [left, right] = [-frame.width / 2 - room.left * letterPx, frame.width / 2 + room.right * letterPx];
  const [top, bottom] = [-frame.height / 2 - room.above * letterPx, frame.height / 2 + room.below * letterPx];
  const quad: Quad = [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
  const [width, height] = [right - left, bottom - top].map((px) => Math.round((px * LETTER_PX) / letterPx));
  return { picture: rectify(cv, photo, quad, width!, height!), quad };
}
