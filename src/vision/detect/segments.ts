import type { Point } from '../quad.ts';
import type { EdgeMap } from './edges.ts';

/** A straight piece of an edge, pixels. */
export type Segment = { from: Point; to: Point; length: number };

/** Cosine of how far the directions of pixels may differ from that of their segment: 22.5°. */
const MIN_COSINE = Math.cos(Math.PI / 8);
/** Share of a region's pixels that are on its line, and how much longer than thick that is. */
const MIN_KEPT = 0.6;
const MIN_ELONGATION = 3.5;

/**
 * Straight edges, by growing regions of pixels whose edges run in one direction, the steepest first: after von Gioi,
 * Jakubowicz, Morel and Randall, "LSD: a Line Segment Detector" (IPOL 2012), with a least length in place of its test
 * of significance.
 */
export function segmentsOf(edges: EdgeMap, minLengthPx: number): Segment[] {
  const { width, strength, alongX, alongY, threshold } = edges;
  const used = new Uint8Array(strength.length);
  const region = new Int32Array(strength.length);
  const segments: Segment[] = [];
  const steps = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  for (const seed of bySteepness(edges)) {
    if (used[seed] === 1) continue;
    used[seed] = 1;
    region[0] = seed;
    let size = 1;
    let sumX = alongX[seed]!;
    let sumY = alongY[seed]!;
    let length = 1;
    for (let i = 0; i < size; i++) {
      for (const step of steps) {
        const next = region[i]! + step;
        if (used[next] === 1 || strength[next]! < threshold) continue;
        if (alongX[next]! * sumX + alongY[next]! * sumY < MIN_COSINE * length) continue;
        used[next] = 1;
        region[size++] = next;
        sumX += alongX[next]!;
        sumY += alongY[next]!;
        length = Math.sqrt(sumX * sumX + sumY * sumY);
      }
    }
    if (size < minLengthPx) continue;
    const segment = straight(edges, region.subarray(0, size));
    if (segment !== null && segment.length >= minLengthPx) segments.push(segment);
  }
  return segments;
}

/** Pixels over the threshold, the steepest first; none at the photo's border. */
function bySteepness({ width, height, strength, threshold }: EdgeMap): Int32Array {
  const bins = 128;
  const binOf = (value: number) => bins - 1 - Math.min(bins - 1, (value * 2) | 0);
  const starts = new Int32Array(bins + 1);
  const isIn = (x: number, i: number) => x > 0 && x < width - 1 && strength[i]! >= threshold;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      if (isIn(x, i)) starts[binOf(strength[i]!) + 1]!++;
    }
  }
  for (let bin = 0; bin < bins; bin++) starts[bin + 1]! += starts[bin]!;
  const sorted = new Int32Array(starts[bins]!);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      if (isIn(x, i)) sorted[starts[binOf(strength[i]!)]!++] = i;
    }
  }
  return sorted;
}

/** The line through the middle of a region's pixels, or null when they do not form one. */
function straight(edges: EdgeMap, region: Int32Array): Segment | null {
  const rough = axisOf(edges, region);
  // Where other edges meet this one, the region runs a little way along them.
  const most = Math.max(1.5, 0.75 * rough.thickness);
  const near = region.filter((i) => {
    const [x, y] = [i % edges.width, (i / edges.width) | 0];
    return Math.abs((y - rough.cy) * rough.ux - (x - rough.cx) * rough.uy) <= most;
  });
  const { cx, cy, ux, uy, thickness, low, high } = axisOf(edges, near);
  const length = high - low;
  const isStraight = near.length > MIN_KEPT * region.length && length > MIN_ELONGATION * thickness;
  return isStraight ? { from: [cx + ux * low, cy + uy * low], to: [cx + ux * high, cy + uy * high], length } : null;
}

type Axis = {
  cx: number;
  cy: number;
  ux: number;
  uy: number;
  thickness: number;
  low: number;
  high: number;
};

/** Mean and main axis of pixels, weighted by their steepness. */
function axisOf({ width, strength }: EdgeMap, region: Int32Array): Axis {
  let [sum, cx, cy] = [0, 0, 0];
  for (const i of region) {
    const [x, y] = [i % width, (i / width) | 0];
    const weight = strength[i]!;
    sum += weight;
    cx += x * weight;
    cy += y * weight;
  }
  cx /= sum;
  cy /= sum;
  let [xx, yy, xy] = [0, 0, 0];
  for (const i of region) {
    const [x, y] = [i % width, (i / width) | 0];
    const [dx, dy, weight] = [x - cx, y - cy, strength[i]!];
    xx += dx * dx * weight;
    yy += dy * dy * weight;
    xy += dx * dy * weight;
  }
  const along = Math.atan2(2 * xy, xx - yy) / 2;
  const [ux, uy] = [Math.cos(along), Math.sin(along)];
  const across = (xx * uy * uy + yy * ux * ux - 2 * xy * ux * uy) / sum;
  let [low, high] = [0, 0];
  for (const i of region) {
    const [x, y] = [i % width, (i / width) | 0];
    const t = (x - cx) * ux + (y - cy) * uy;
    low = Math.min(low, t);
    high = Math.max(high, t);
  }
  return { cx, cy, ux, uy, thickness: Math.sqrt(12 * across), low, high };
}
