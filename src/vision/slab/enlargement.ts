import { type CV, withMats } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { matOf } from '../rectify.ts';

/** Photos of a shorter long side are enlarged before print is looked for: letters of a label are five pixels high on one of 600. */
const SMALL_PX = 1000;
const ENLARGED = 2.5;

/** How many times a photo is enlarged. */
export function enlargementOf({ width, height }: Pick<RgbPixels, 'width' | 'height'>): number {
  return Math.max(width, height) < SMALL_PX ? ENLARGED : 1;
}

export function enlargedPhoto(cv: CV, photo: RgbPixels): RgbPixels {
  const scale = enlargementOf(photo);
  if (scale === 1) return photo;
  return withMats((own) => {
    const mat = own(matOf(cv, photo));
    cv.resize(mat, mat, new cv.Size(0, 0), scale, scale, cv.INTER_CUBIC);
    return { data: new Uint8Array(mat.data), width: mat.cols, height: mat.rows };
  });
}
