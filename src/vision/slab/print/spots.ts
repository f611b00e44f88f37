import { type CV, type Mat, withMats } from '../../opencv.ts';
import type { Point } from '../../quad.ts';
import { findBlocks, type TextBlock } from './blocks.ts';
import { findLetters } from './letters.ts';
import { findLines } from './lines.ts';

/** A turned rectangle on the photo, pixels; `angle` is of its lines of print, clockwise. */
type Frame = { center: Point; width: number; height: number; angle: number };

/** A place on a photo where a label may be. */
export type Spot = {
  /** Where its print was found, on the photo. */
  frame: Frame;
  /** Height of its letters, pixels of the photo. */
  letterPx: number;
  /** How much of a label it looks, higher is more. */
  score: number;
};

const LOOK_PX = 2000;
const MIN_LETTERS = 8;
/** A label is no wider than so many of its letters are high. */
const MAX_WIDTH = 60;

/** Places with dense print, those that look most like labels first; small photos are enlarged by so much at most. */
export function findSpots(cv: CV, grey: Mat, ink: 'dark' | 'light', most = 1): Spot[] {
  const shrink = Math.min(most, LOOK_PX / Math.max(grey.cols, grey.rows));
  return withMats((own) => {
    const small = own(new cv.Mat());
    cv.resize(grey, small, new cv.Size(0, 0), shrink, shrink, shrink > 1 ? cv.INTER_CUBIC : cv.INTER_AREA);
    const { letters, paper } = findLetters(cv, small, ink);
    const blocks = findBlocks(findLines(letters), paper).filter(
      ({ letters, width, height }) => letters >= MIN_LETTERS && width <= MAX_WIDTH * height,
    );
    return blocks.map((block) => spotOf(block, 1 / shrink)).sort((a, b) => b.score - a.score);
  });
}

function spotOf({ center, width, depth, angle, height, letters, lines }: TextBlock, scale: number): Spot {
  const frame: Frame = {
    center: [center[0] * scale, center[1] * scale],
    width: width * scale,
    height: depth * scale,
    angle,
  };
  // Lines with many letters: noise makes short ones.
  const rows = lines.filter(({ letters }) => letters.length >= 6).length;
  const score = Math.min(letters, 60) + 4 * Math.min(rows, 5);
  return { frame, letterPx: height * scale, score };
}
