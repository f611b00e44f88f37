import { CARD_MM, planeOf } from '../detect/card-plane.ts';
import { type CV, type Mat, withMats } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { areaOf, frameOf, isConvex, type Quad, sharedArea } from '../quad.ts';
import { rectify } from '../rectify.ts';
import { cornersOf, cutOut, type Frame, partOf } from './frame.ts';
import { greyOf, pixelsOf } from './print/grey.ts';
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

/** What lies above a card: the label, if the card lies in a slab. Null where that is not on the photo. */
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
const ROOM = { side: 4, above: 5, below: 4 };
/** The right column of a label reaches so many heights of a letter further than the left one, at most. */
const RIGHT_COLUMN = 16;

/** The label that print belongs to; `wider` where that print may be its left column alone. */
export function labelAround(cv: CV, photo: Mat, { frame, letterPx }: Spot, wider: boolean): LabelPicture {
  const all = wider ? partOf(frame, 0, -0.5, 1 + (RIGHT_COLUMN * letterPx) / frame.width, 1.5) : frame;
  const lean = leanOf(pictureOf(cv, photo, frame, LETTER_PX / letterPx).grey);
  const side = (ROOM.side * letterPx) / all.width;
  const [above, below] = [(ROOM.above * letterPx) / all.height, (ROOM.below * letterPx) / all.height];
  const roomy = partOf({ ...all, lean }, -side, -above, 1 + side, 1 + below);
  return { picture: pictureOf(cv, photo, roomy, LETTER_PX / letterPx).picture, quad: cornersOf(roomy) };
}

function pictureOf(cv: CV, photo: Mat, frame: Frame, scale: number) {
  return withMats((own) => {
    const picture = pixelsOf(own(cutOut(cv, photo, frame, scale)));
    return { picture, grey: pixelsOf(own(greyOf(cv, picture))) };
  });
}
