import type { CV, Mat } from '../../opencv.ts';
import type { RgbPixels } from '../../pictures/dominant-colors.ts';

/** Rows of pixels, one byte each. */
export type GreyPixels = { data: Uint8Array; width: number; height: number };

/** A photo in grey; the caller deletes it. */
export function greyOf(cv: CV, { data, width, height }: RgbPixels): Mat {
  const rgb = new cv.Mat(height, width, cv.CV_8UC3);
  const grey = new cv.Mat();
  try {
    rgb.data.set(data);
    cv.cvtColor(rgb, grey, cv.COLOR_RGB2GRAY);
    return grey;
  } catch (error) {
    grey.delete();
    throw error;
  } finally {
    rgb.delete();
  }
}

/** A copy of the pixels of a one-channel `Mat`. */
export function pixelsOf(mat: Mat): GreyPixels {
  return { data: new Uint8Array(mat.data), width: mat.cols, height: mat.rows };
}
