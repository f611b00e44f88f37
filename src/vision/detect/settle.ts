import { diagonalOf, distance, lengthOf, type Point, type Quad } from '../quad.ts';
import type { EdgeMap } from './edges.ts';

/** How far a side may move, as a share of the diagonal, and where along it edges are looked for. */
const REACH = 0.014;
const SAMPLES = 28;
const ROUND = 0.08;
const SHARES = Float64Array.from({ length: SAMPLES }, (_, i) => ROUND + ((1 - 2 * ROUND) * i) / (SAMPLES - 1));

/** The quad with each side moved to where most edges run along it nearby: lines through broken edges are a little off. */
export function settled(edges: EdgeMap, quad: Quad): Quad {
  const reach = Math.max(2, Math.round(diagonalOf(quad) * REACH));
  const sides = [0, 1, 2, 3].map((i) => settledSide(edges, quad[i]!, quad[(i + 1) % 4]!, reach));
  const corners = sides.map((side, i) => crossing(sides[(i + 3) % 4]!, side) ?? quad[i]!);
  return corners as unknown as Quad;
}

export type QuadSide = readonly [Point, Point];

/** Tries to move the ends by each number of pixels. */
function settledSide(
  { width, height, strength, alongX, alongY, threshold }: EdgeMap,
  from: Point,
  to: Point,
  reach: number,
): QuadSide {
  const length = distance(from, to);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const offsets = 2 * reach + 1;
  const profile = new Float32Array(SAMPLES * offsets);
  for (let i = 0; i < SAMPLES; i++) {
    const t = SHARES[i]! * length;
    for (let k = 0; k < offsets; k++) {
      const px = Math.round(from[0] + ux * t - uy * (k - reach));
      const py = Math.round(from[1] + uy * t + ux * (k - reach));
      if (px < 1 || py < 1 || px >= width - 1 || py >= height - 1) continue;
      const at = py * width + px;
      const aligned = Math.abs(alongX[at]! * ux + alongY[at]! * uy);
      if (aligned > 0.9) profile[i * offsets + k] = strength[at]! / (strength[at]! + threshold);
    }
  }
  let best = -1;
  let bestFrom = 0;
  let bestTo = 0;
  const tryOffsets = (a: number, b: number) => {
    let sum = -0.02 * (Math.abs(a) + Math.abs(b));
    // No sample adds more than 1: most offsets cannot be the best long before all samples are added.
    for (let i = 0; i < SAMPLES && sum + SAMPLES - i >= best; i++)
      sum += profile[i * offsets + Math.round(a + (b - a) * SHARES[i]!) + reach]!;
    if (sum > best) {
      best = sum;
      bestFrom = a;
      bestTo = b;
    }
  };
  // Edges are two or three pixels thick: every second offset finds the best one's neighborhood.
  for (let a = -reach; a <= reach; a += 2) {
    for (let b = -reach; b <= reach; b += 2) tryOffsets(a, b);
  }
  const [midA, midB] = [bestFrom, bestTo];
  for (let a = Math.max(-reach, midA - 1); a <= Math.min(reach, midA + 1); a++) {
    for (let b = Math.max(-reach, midB - 1); b <= Math.min(reach, midB + 1); b++) tryOffsets(a, b);
  }
  return [
    [from[0] - uy * bestFrom, from[1] + ux * bestFrom],
    [to[0] - uy * bestTo, to[1] + ux * bestTo],
  ];
}

/** Where the lines through two sides meet; null when they hardly do. */
export function crossing([a, b]: QuadSide, [c, d]: QuadSide): Point | null {
  const [abx, aby, cdx, cdy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const sine = abx * cdy - aby * cdx;
  if (Math.abs(sine) < 0.3 * lengthOf(abx, aby) * lengthOf(cdx, cdy)) return null;
  const t = ((c[0] - a[0]) * cdy - (c[1] - a[1]) * cdx) / sine;
  return [a[0] + abx * t, a[1] + aby * t];
}
