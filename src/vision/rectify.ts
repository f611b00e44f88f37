import { type CV, type Mat, withMats } from './opencv.ts';
import type { RgbPixels } from './pictures/dominant-colors.ts';
import { boxOf, diagonalOf, type Quad } from './quad.ts';

/** Beyond it a larger picture would be drawn only to be made small again. */
const MAX_FINENESS = 4;
/** Pixels around the quad that interpolation may read. */
const MARGIN = 2;

/** The part of a photo within a quad as a straight picture of that size; its top-left is the quad's first corner. */
export function rectify(cv: CV, photo: RgbPixels, quad: Quad, width: number, height: number): RgbPixels {
  return withMats((own) => {
    const { part, left, top } = around(photo, quad);
    // Interpolation between single pixels would skip most of them: drawn as large as in the photo, then averaged.
    const fineness = Math.min(MAX_FINENESS, Math.max(1, Math.round(diagonalOf(quad) / Math.hypot(width, height))));
    const [w, h] = [width * fineness, height * fineness];
    const source = own(matOf(cv, part));
    const corners = quad.flatMap(([x, y]) => [x - left, y - top]);
    const from = own(cv.matFromArray(4, 1, cv.CV_32FC2, corners));
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

/** What of the photo the quad touches: a page of cards would else be copied once for each of them. */
function around({ data, width, height }: RgbPixels, quad: Quad): { part: RgbPixels; left: number; top: number } {
  const box = boxOf(quad);
  const left = clamp(Math.floor(box.x) - MARGIN, width - 1);
  const top = clamp(Math.floor(box.y) - MARGIN, height - 1);
  const right = clamp(Math.ceil(box.x + box.width) + MARGIN, width - 1) + 1;
  const bottom = clamp(Math.ceil(box.y + box.height) + MARGIN, height - 1) + 1;
  const part = { data: new Uint8Array((right - left) * (bottom - top) * 3), width: right - left, height: bottom - top };
  for (let y = top; y < bottom; y++) {
    const row = data.subarray((y * width + left) * 3, (y * width + right) * 3);
    part.data.set(row, (y - top) * part.width * 3);
  }
  return { part, left, top };
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
