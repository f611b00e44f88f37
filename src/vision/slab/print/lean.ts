import type { GreyPixels } from './grey.ts';

const MOST = 0.45;
const STEP = 0.03;
/** Edges of strokes: a difference of so much between neighbours but one. */
const EDGE = 40;

/**
 * How far upright strokes lean: pixels to the right for each one down. It is the lean at which the edges of strokes,
 * pushed back upright, fall into the fewest columns.
 */
export function leanOf({ data, width, height }: GreyPixels): number {
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = 0; y < height; y += 2) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (Math.abs(data[at + 1]! - data[at - 1]!) < EDGE) continue;
      xs.push(x);
      ys.push(y - height / 2);
    }
  }
  let best = 0;
  let most = 0;
  const reach = Math.ceil((MOST * height) / 2);
  for (let lean = -MOST; lean <= MOST; lean += STEP) {
    const columns = new Float64Array(width + 2 * reach);
    for (let i = 0; i < xs.length; i++) columns[Math.round(xs[i]! - lean * ys[i]!) + reach]!++;
    const sum = columns.reduce((total, count) => total + count * count, 0);
    if (sum <= most) continue;
    most = sum;
    best = lean;
  }
  return best;
}
