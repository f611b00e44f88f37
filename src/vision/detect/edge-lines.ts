import type { Point } from '../quad.ts';
import { type EdgeMap, isOnEdge } from './edges.ts';
import type { Segment } from './segments.ts';

/** Its points are `at` + t · `along`, which is of length one. */
export type Line = { at: Point; along: Point };

/** A line on which there are edges: the points of its segments have t from `low` to `high`. */
export type EdgeLine = Line & {
  low: number;
  high: number;
  /** Length of the segments on it, pixels. */
  length: number;
  /** Edge pixels on it from `start` on, summed, one number a pixel. */
  support: Float32Array;
  start: number;
};

const MAX_ANGLE_SINE = Math.sin((3 * Math.PI) / 180);
const MAX_OFF_PX = 1.6;
/** Boards of forty cards have 1,900 segments; mosaics and squared paper have many times more, all of them short. */
const MOST_SEGMENTS = 2500;

/** Segments in one line made one, the longest lines first; those with a wider gap than their length stay two. */
export function linesOf(edges: EdgeMap, segments: readonly Segment[], most: number, gapShare: number): EdgeLine[] {
  const rest = [...segments].sort((a, b) => b.length - a.length).slice(0, MOST_SEGMENTS);
  const taken = new Uint8Array(rest.length);
  const found: EdgeLine[] = [];
  for (let i = 0; i < rest.length; i++) {
    if (taken[i] === 1) continue;
    const group = [rest[i]!];
    let line = lineThrough(group);
    for (let changed = true; changed; ) {
      changed = false;
      for (let j = i + 1; j < rest.length; j++) {
        if (taken[j] === 1 || !continues(line, rest[j]!, gapShare)) continue;
        taken[j] = 1;
        group.push(rest[j]!);
        line = lineThrough(group);
        changed = true;
      }
    }
    found.push(line);
  }
  const longest = found.sort((a, b) => b.length - a.length).slice(0, most);
  for (const line of longest) measure(edges, line);
  return longest;
}

/** Share of a stretch of the line, from t to t, that is on edges: 0 to 1. */
export function supportOf(line: EdgeLine, from: number, to: number): number {
  const low = Math.round(Math.min(from, to) - line.start);
  const high = Math.round(Math.max(from, to) - line.start);
  const last = line.support.length - 1;
  const sum = line.support[Math.max(0, Math.min(last, high))]! - line.support[Math.max(0, Math.min(last, low))]!;
  return high > low ? sum / (high - low) : 0;
}

/** Where two lines meet, as t of each, or null when the sine of their angle is smaller than the least. */
export function meeting(a: Line, b: Line, leastSine: number): { onA: number; onB: number } | null {
  const sine = a.along[0] * b.along[1] - a.along[1] * b.along[0];
  if (Math.abs(sine) < leastSine) return null;
  const [dx, dy] = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
  return { onA: (dx * b.along[1] - dy * b.along[0]) / sine, onB: (dx * a.along[1] - dy * a.along[0]) / sine };
}

export function pointOn(line: Line, t: number): Point {
  return [line.at[0] + line.along[0] * t, line.at[1] + line.along[1] * t];
}

/** Through the ends of the segments, by least squares of the distances, longer ones counting more. */
function lineThrough(group: readonly Segment[]): EdgeLine {
  let [sum, cx, cy] = [0, 0, 0];
  for (const { from, to, length } of group) {
    sum += 2 * length;
    cx += (from[0] + to[0]) * length;
    cy += (from[1] + to[1]) * length;
  }
  const at: Point = [cx / sum, cy / sum];
  let [xx, yy, xy] = [0, 0, 0];
  for (const { from, to, length } of group) {
    for (const [x, y] of [from, to]) {
      const [dx, dy] = [x - at[0], y - at[1]];
      xx += dx * dx * length;
      yy += dy * dy * length;
      xy += dx * dy * length;
    }
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const along: Point = [Math.cos(angle), Math.sin(angle)];
  const ends = group.flatMap(({ from, to }) => [placeOn(at, along, from), placeOn(at, along, to)]);
  const length = group.reduce((total, segment) => total + segment.length, 0);
  const line = { at, along, low: Math.min(...ends), high: Math.max(...ends), length };
  return { ...line, support: new Float32Array(0), start: 0 };
}

function placeOn(at: Point, along: Point, [x, y]: Point): number {
  return (x - at[0]) * along[0] + (y - at[1]) * along[1];
}

function continues(line: EdgeLine, { from, to, length }: Segment, gapShare: number): boolean {
  const [ux, uy] = line.along;
  if (Math.abs(ux * (to[1] - from[1]) - uy * (to[0] - from[0])) > MAX_ANGLE_SINE * length) return false;
  const [a, b] = [placeOn(line.at, line.along, from), placeOn(line.at, line.along, to)];
  const gap = Math.max(Math.min(a, b) - line.high, line.low - Math.max(a, b), 0);
  if (gap > gapShare * (line.high - line.low)) return false;
  const allowed = MAX_OFF_PX + 0.008 * gap;
  return [from, to].every(([x, y]) => Math.abs(ux * (y - line.at[1]) - uy * (x - line.at[0])) < allowed);
}

/** Looks along the whole line, through the photo, for edges that run along it. */
function measure(edges: EdgeMap, line: EdgeLine): void {
  const [ux, uy] = line.along;
  // Where the line enters the photo and leaves it: the later entry, the earlier exit of its two stripes.
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [at, step, size] of [
    [line.at[0], ux, edges.width],
    [line.at[1], uy, edges.height],
  ] as const) {
    if (Math.abs(step) < 1e-6) continue;
    low = Math.max(low, Math.min(-at / step, (size - at) / step));
    high = Math.min(high, Math.max(-at / step, (size - at) / step));
  }
  line.start = Math.floor(low);
  const steps = Math.ceil(high) - line.start;
  line.support = new Float32Array(steps + 1);
  for (let step = 0; step < steps; step++) {
    const t = line.start + step;
    const isOn = isOnEdge(edges, line.at[0] + ux * t, line.at[1] + uy * t, ux, uy);
    line.support[step + 1] = line.support[step]! + (isOn ? 1 : 0);
  }
}
