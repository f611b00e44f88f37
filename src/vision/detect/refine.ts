import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { diagonalOf, distance, isConvex, type Point, type Quad } from '../quad.ts';
import { crossing, type QuadSide } from './settle.ts';
import { colorAt, difference } from './sides.ts';

/** Places along a side that are sampled, its round corners left out. */
const SAMPLES = 48;
const ROUND = 0.08;
/** A change of color (of 255) that counts half. */
const HALF_STEP = 12;

/**
 * Corners to a part of a pixel: each side becomes the line through the steepest places that the photo has across it,
 * within `reachPx`; a quad that this would bend or shift remains as it was.
 */
export function refined(photo: RgbPixels, quad: Quad, reachPx: number): Quad {
  const sides = [0, 1, 2, 3].map((i) => refinedSide(photo, quad[i]!, quad[(i + 1) % 4]!, reachPx));
  const corners = sides.map((side, i) => crossing(sides[(i + 3) % 4]!, side) ?? quad[i]!) as unknown as Quad;
  const moved = Math.max(...corners.map((corner, i) => distance(corner, quad[i]!)));
  return isConvex(corners) && moved < Math.max(3 * reachPx, 0.02 * diagonalOf(quad)) ? corners : quad;
}

function refinedSide(photo: RgbPixels, from: Point, to: Point, reachPx: number): QuadSide {
  const length = distance(from, to);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const reach = Math.max(2, Math.round(reachPx));
  const places: { t: number; off: number; weight: number }[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const t = (ROUND + ((1 - 2 * ROUND) * i) / (SAMPLES - 1)) * length;
    const across = (off: number) => colorAt(photo, from[0] + ux * t - uy * off, from[1] + uy * t + ux * off);
    let [sum, weighted] = [0, 0];
    for (let off = -reach; off <= reach; off++) {
      const step = difference(across(off - 1), across(off + 1));
      const weight = (step / (step + HALF_STEP)) ** 3;
      sum += weight;
      weighted += weight * off;
    }
    if (sum > 0.02) places.push({ t, off: weighted / sum, weight: Math.min(1, sum) });
  }
  const [offset, slope] = robustLine(places, reach);
  const end = (t: number): Point => {
    const off = offset + slope * t;
    return [from[0] + ux * t - uy * off, from[1] + uy * t + ux * off];
  };
  return [end(0), end(length)];
}

/** Weighted least squares, places far off the line counting less each time. */
function robustLine(places: readonly { t: number; off: number; weight: number }[], reach: number): [number, number] {
  let [offset, slope] = [0, 0];
  if (places.length < SAMPLES / 4) return [offset, slope];
  for (let round = 0; round < 4; round++) {
    let [w, wt, wo, wtt, wto] = [0, 0, 0, 0, 0];
    for (const { t, off, weight } of places) {
      const residual = round === 0 ? 0 : off - offset - slope * t;
      const share = weight / (1 + (residual / (0.15 * reach)) ** 2);
      w += share;
      wt += share * t;
      wo += share * off;
      wtt += share * t * t;
      wto += share * t * off;
    }
    const spread = w * wtt - wt * wt;
    if (spread < 1e-6) return [0, 0];
    slope = (w * wto - wt * wo) / spread;
    offset = (wo - slope * wt) / w;
  }
  return [offset, slope];
}
