import { type CV, type Mat, withMats } from '../../opencv.ts';
import { type Box, boxesMeet } from '../../quad.ts';
import { LETTER_PX } from '../label-picture.ts';
import { blotsOf } from './blots.ts';

/** Ink is darker than this on the picture of a label's print; blurred rows run into one another at the first. */
const INK = [150, 90];
/** Letters of a word and words of a row are nearer to each other, in heights of a letter. */
const GAP = 0.75;
const HEIGHT = { least: 0.45, most: 1.6 };
const LEAST_WIDTH = 1.4;
/** Share of its box that a row of letters covers, with the gaps between them closed. */
const COVERED = 0.4;

/** Rows of print on the picture of a label's print, dark on white and level, the longest first. */
export function findRows(cv: CV, print: Mat): Box[] {
  const rows: Box[] = [];
  for (const ink of INK) {
    const more = rowsAt(cv, print, ink);
    rows.push(...more.filter((row) => !rows.some((other) => boxesMeet(row, other))));
  }
  return rows.sort((a, b) => b.width - a.width);
}

function rowsAt(cv: CV, print: Mat, ink: number): Box[] {
  return withMats((own) => {
    const mask = own(new cv.Mat());
    const bridge = own(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(Math.round(GAP * LETTER_PX) | 1, 1)));
    cv.threshold(print, mask, ink, 255, cv.THRESH_BINARY_INV);
    cv.morphologyEx(mask, mask, cv.MORPH_CLOSE, bridge);
    return blotsOf(cv, mask, 4, isRow);
  });
}

function isRow(width: number, height: number, area: number): boolean {
  const isHigh = height > HEIGHT.least * LETTER_PX && height < HEIGHT.most * LETTER_PX;
  return isHigh && width > LEAST_WIDTH * LETTER_PX && area > COVERED * width * height;
}
