import { type CV, type Mat, withMats } from './opencv.ts';
import type { RgbPixels } from './pictures/dominant-colors.ts';
import { diagonalOf, type Quad } from './quad.ts';

/** Beyond it a larger picture would be drawn only to be made small again. */
const MAX_FINENESS = 4;

/** The part of a photo within a quad as a straight picture of that size; its top-left is the quad's first corner. */
export function rectify(cv: CV, photo: RgbPixels, quad: Quad, width: number, height: number): RgbPixels {
  return withMats((own) => {
    // Interpolation between single pixels would skip most of them: drawn as large as in the photo, then averaged.
    const fineness = Math.min(MAX_FINENESS, Math.max(1, Math.round(diagonalOf(quad) / Math.hypot(width, height))));
    const [w, h] = [width * fineness, height * fineness];
    const source = own(matOf(cv, photo));
    const from = own(cv.matFromArray(4, 1, cv.CV_32FC2, quad.flat()));
    const to = own(cv.matFromArray(4, 1, cv.CV_32FC2, [0, 0, w, 0, w, h, 0, h]));
    const transform = own(cv.getPerspectiveTransform(from, to));
    const straight = own(new cv.Mat());
    const border = new cv.Scalar();
    cv.warpPerspective(source, straight, transform, new cv.Size(w, h), cv.INTER_LINEAR, cv.BORDER_REPLICATE, border);
    if (fineness > 1) cv.resize(straight, straight, new cv.Size(width, height), 0, 0, cv.INTER_AREA);
    return { data: new Uint8Array(straight.data), width, height };
  });
}

/** The pixels as a `Mat` of three bytes each; the caller deletes it. */
export function matOf(cv: CV, { data, width, height }: RgbPixels): Mat {
  const mat = new cv.Mat(height, width, cv.CV_8UC3);
  mat.data.set(data);
  return mat;
}
