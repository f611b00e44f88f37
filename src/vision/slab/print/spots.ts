import { type CV, type Mat, withMats } from '../../opencv.ts';
import type { Point } from '../../quad.ts';
import { findBlocks, type TextBlock } from './blocks.ts';
import { findLetters } from './letters.ts';
import { findLines, type TextLine } from './lines.ts';

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
/** A slab is about so many letters of its label high. */
const SLAB_HEIGHT = 60;
const BELOW_OTHERS = 0.6;
/** A label has so much of the print of the card below it at least. */
const OF_LABEL = 0.35;

/** Places with dense print, those that look most like labels first; small photos are enlarged by so much at most. */
export function findSpots(cv: CV, grey: Mat, ink: 'dark' | 'light', most = 1): Spot[] {
  const shrink = Math.min(most, LOOK_PX / Math.max(grey.cols, grey.rows));
  return withMats((own) => {
    const small = own(new cv.Mat());
    cv.resize(grey, small, new cv.Size(0, 0), shrink, shrink, shrink > 1 ? cv.INTER_CUBIC : cv.INTER_AREA);
    const { letters, paper } = findLetters(cv, small, ink);
    const blocks = findBlocks(findLines(letters), paper).filter(
      ({ letters, hasBarcode, width, height }) => (letters >= MIN_LETTERS || hasBarcode) && width <= MAX_WIDTH * height,
    );
    return ranked(blocks.map((block) => spotOf(block, 1 / shrink)));
  });
}

/** The best first; what stands below other print is text of a card rather than its label. */
function ranked(spots: Spot[]): Spot[] {
  const isBelow = (one: Spot, other: Spot) => {
    const down = one.frame.center[1] - other.frame.center[1];
    const aside = Math.abs(one.frame.center[0] - other.frame.center[0]);
    return (
      down > 4 * one.letterPx &&
      down < SLAB_HEIGHT * other.letterPx &&
      aside < (one.frame.width + other.frame.width) / 2
    );
  };
  return spots
    .map((spot) => {
      const hasAbove = spots.some((other) => other.score > spot.score * OF_LABEL && isBelow(spot, other));
      return hasAbove ? { ...spot, score: spot.score * BELOW_OTHERS } : spot;
    })
    .sort((a, b) => b.score - a.score);
}

function spotOf({ center, width, depth, angle, height, letters, hasBarcode, lines }: TextBlock, scale: number): Spot {
  const frame: Frame = {
    center: [center[0] * scale, center[1] * scale],
    width: width * scale,
    height: depth * scale,
    angle,
  };
  const score = Math.min(letters, 60) + (hasBarcode ? 30 : 0) + 4 * Math.min(rowsOf(lines), 5);
  return { frame, letterPx: height * scale, score };
}

/** Lines with many letters: noise makes short ones. */
function rowsOf(lines: readonly TextLine[]): number {
  return lines.filter(({ letters }) => letters.length >= 6).length;
}
