import { type CV, type Mat, withMats } from '../../opencv.ts';
import type { RgbPixels } from '../../pictures/dominant-colors.ts';
import { matOf } from '../../rectify.ts';

/** Rows of pixels, one byte each. */
export type GreyPixels = { data: Uint8Array; width: number; height: number };

/** A photo in gray; the caller deletes it. */
export function greyOf(cv: CV, photo: RgbPixels): Mat {
  return withMats((own) => {
    const grey = own(new cv.Mat());
    cv.cvtColor(own(matOf(cv, photo)), grey, cv.COLOR_RGB2GRAY);
    return grey;
  });
}

/** A copy of the pixels of a one-channel `Mat`. */
export function pixelsOf(mat: Mat): GreyPixels {
  return { data: new Uint8Array(mat.data), width: mat.cols, height: mat.rows };
}
