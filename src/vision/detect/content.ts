import type { Quad } from '../quad.ts';
import type { EdgeMap } from './edges.ts';

const COLUMNS = 12;
const ROWS = 16;
const MARGIN = 0.12;

/** Share of a quad's inside, without what is near its sides, that edges run through: 0 to 1. */
export function contentOf({ width, height, strength, threshold }: EdgeMap, [a, b, c, d]: Quad): number {
  let filled = 0;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const u = MARGIN + ((1 - 2 * MARGIN) * column) / (COLUMNS - 1);
      const v = MARGIN + ((1 - 2 * MARGIN) * row) / (ROWS - 1);
      const x = Math.round((a[0] * (1 - u) + b[0] * u) * (1 - v) + (d[0] * (1 - u) + c[0] * u) * v);
      const y = Math.round((a[1] * (1 - u) + b[1] * u) * (1 - v) + (d[1] * (1 - u) + c[1] * u) * v);
      if (x >= 0 && y >= 0 && x < width && y < height && strength[y * width + x]! >= threshold) filled++;
    }
  }
  return filled / (COLUMNS * ROWS);
}
