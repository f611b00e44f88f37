import type { CV } from '../../opencv.ts';
import type { RgbPixels } from '../../pictures/dominant-colors.ts';
import { greyOf } from './grey.ts';

const MOST = 0.45;
const STEP = 0.03;
/** Edges of strokes: a difference of so much between the pixels on both sides. */
const EDGE = 40;

/**
 * How far upright strokes lean: pixels to the right for each one down. It is the lean at which the edges of strokes,
 * pushed back upright, are in the fewest columns.
 */
export function leanOf(cv: CV, picture: RgbPixels): number {
  const { width, height } = picture;
  const edges: { x: number; y: number }[] = [];
  const grey = greyOf(cv, picture);
  const data: Uint8Array = grey.data;
  for (let y = 0; y < height; y += 2) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (Math.abs(data[at + 1]! - data[at - 1]!) >= EDGE) edges.push({ x, y: y - height / 2 });
    }
  }
  grey.delete();
  let best = 0;
  let most = 0;
  const reach = Math.ceil((MOST * height) / 2);
  for (let lean = -MOST; lean <= MOST; lean += STEP) {
    const columns = new Float64Array(width + 2 * reach);
    for (const { x, y } of edges) columns[Math.round(x - lean * y) + reach]!++;
    const sum = columns.reduce((total, count) => total + count * count, 0);
    if (sum > most) [most, best] = [sum, lean];
  }
  return best;
}
