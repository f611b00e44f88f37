import { type CV, type Mat, withMats } from '../../opencv.ts';
import type { Box } from '../../quad.ts';
import { type GreyPixels, pixelsOf } from './grey.ts';

/** Ways to make a cut-out easier to read: its greys stretched, black on white by Otsu's threshold, or by its surroundings. */
export type Finish = 'stretched' | 'otsu' | 'local';

/** Letters that reach the border are not read. */
const PAD_PX = 10;

/** A part of a picture, `scale` times as large, finished for reading. */
export function finish(cv: CV, grey: Mat, box: Box, scale: number, how: Finish, isInverted = false): GreyPixels {
  return withMats((own) => {
    const cut = own(enlarged(cv, grey, box, scale));
    const padded = own(new cv.Mat());
    if (isInverted) cv.bitwise_not(cut, cut);
    if (how === 'otsu') cv.threshold(cut, cut, 0, 255, cv.THRESH_BINARY | cv.THRESH_OTSU);
    else if (how === 'local') {
      const around = (Math.round(cut.rows * 0.5) | 1) + 2;
      cv.adaptiveThreshold(cut, cut, 255, cv.ADAPTIVE_THRESH_GAUSSIAN_C, cv.THRESH_BINARY, around, 12);
    } else cv.normalize(cut, cut, 0, 255, cv.NORM_MINMAX);
    const paper = how === 'stretched' ? cv.BORDER_REPLICATE : cv.BORDER_CONSTANT;
    cv.copyMakeBorder(cut, padded, PAD_PX, PAD_PX, PAD_PX, PAD_PX, paper, new cv.Scalar(255));
    return pixelsOf(padded);
  });
}

/** A part of a picture, `scale` times as large; as far as it is within the picture. */
export function cutOf(cv: CV, picture: Mat, box: Box, scale: number): GreyPixels {
  return withMats((own) => pixelsOf(own(enlarged(cv, picture, box, scale))));
}

/** The same as a `Mat`; the caller deletes it. */
export function enlarged(cv: CV, picture: Mat, box: Box, scale: number): Mat {
  const left = clamp(Math.round(box.x), picture.cols - 2);
  const top = clamp(Math.round(box.y), picture.rows - 2);
  const right = Math.max(left + 2, clamp(Math.round(box.x + box.width), picture.cols));
  const bottom = Math.max(top + 2, clamp(Math.round(box.y + box.height), picture.rows));
  const size = new cv.Size(
    Math.max(8, Math.round((right - left) * scale)),
    Math.max(8, Math.round((bottom - top) * scale)),
  );
  return withMats((own) => {
    const part = own(picture.roi(new cv.Rect(left, top, right - left, bottom - top)));
    const large = own(new cv.Mat());
    cv.resize(part, large, size, 0, 0, scale > 1 ? cv.INTER_CUBIC : cv.INTER_AREA);
    return large;
  });
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
