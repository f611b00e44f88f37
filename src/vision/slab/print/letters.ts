import { type CV, type Mat, withMats } from '../../opencv.ts';
import type { Box } from '../../quad.ts';
import { blotsOf } from './blots.ts';
import { type GreyPixels, pixelsOf } from './grey.ts';

/** A blot of ink of the size of a letter, in pixels of the picture it was found in. */
export type Letter = Box;

/** Strokes of letters are narrower than this. */
const STROKE_PX = 15;
/** Ink differs from its paper by this much at least, and by this share of the strongest difference around it. */
const CONTRAST = 16;
const OF_DARKEST = 0.5;
const MIN_HEIGHT_PX = 7;
const MAX_HEIGHT_PX = 130;

/** Blots of ink that may be letters or bars of a barcode, and the paper below them. */
export function findLetters(cv: CV, grey: Mat, ink: 'dark' | 'light'): { letters: Letter[]; paper: GreyPixels } {
  return withMats((own) => {
    const hat = own(new cv.Mat());
    const most = own(new cv.Mat());
    const mask = own(new cv.Mat());
    const paper = own(new cv.Mat());
    const kernel = own(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(STROKE_PX, STROKE_PX)));
    cv.morphologyEx(grey, paper, ink === 'dark' ? cv.MORPH_CLOSE : cv.MORPH_OPEN, kernel);
    cv.absdiff(paper, grey, hat);
    // Half of the darkest around: out of focus, letters would run into one another at a fixed threshold.
    cv.dilate(hat, most, kernel);
    most.convertTo(most, -1, OF_DARKEST, 0);
    cv.compare(hat, most, mask, cv.CMP_GE);
    cv.threshold(hat, hat, CONTRAST, 255, cv.THRESH_BINARY);
    cv.bitwise_and(mask, hat, mask);
    return { letters: blotsOf(cv, mask, 8, isLetter), paper: pixelsOf(paper) };
  });
}

function isLetter(width: number, height: number, area: number): boolean {
  if (height < MIN_HEIGHT_PX || height > MAX_HEIGHT_PX) return false;
  return width >= 2 && width <= 2 * height && area >= 0.15 * width * height;
}
