import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { diagonalOf, distance, type Point, type Quad } from '../quad.ts';
import { type EdgeMap, isOnEdge } from './edges.ts';

/** Samples along a side, its round corners left out. */
const SAMPLES = 24;
const ROUND = 0.07;

export type Rgb = [r: number, g: number, b: number];
export type SampledSide = {
  support: number;
  /** Share of what would be the side's continuation that is on edges too. */
  beyond: number;
  contrast: number;
  /** Change of color from next to the side to further away, outside and inside. */
  outward: number;
  inward: number;
  inner: Rgb;
  outer: Rgb;
  /** How much of an edge runs parallel to this one further out and further in, and how colors differ across it. */
  out: Companion;
  in: Companion;
};

/** `offset`: pixels from the side. */
type Companion = { support: number; contrast: number; offset: number };

/** Where edges parallel to a side are looked for: shares of the diagonal, the step in pixels. Borders, sleeves, top loaders. */
const COMPANION = { least: 0.016, most: 0.085, step: 2.5 };
const COMPANION_SAMPLES = 16;

/** What a photo shows along the four sides of a quad, from its first corner on. */
export function sidesOfCard(photo: RgbPixels, edges: EdgeMap, quad: Quad): SampledSide[] {
  const diagonal = diagonalOf(quad);
  return [0, 1, 2, 3].map((i) => sideOf(photo, edges, quad[i]!, quad[(i + 1) % 4]!, diagonal));
}

function sideOf(photo: RgbPixels, edges: EdgeMap, from: Point, to: Point, diagonal: number): SampledSide {
  const length = distance(from, to);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  // Corners run clockwise: the inside is to the right of the way from one to the next.
  const [nx, ny] = [-uy, ux];
  const near = Math.max(2, diagonal * 0.009);
  const side: SampledSide = {
    support: 0,
    beyond: 0,
    contrast: 0,
    outward: 0,
    inward: 0,
    inner: [0, 0, 0],
    outer: [0, 0, 0],
    out: { support: 0, contrast: 0, offset: 0 },
    in: { support: 0, contrast: 0, offset: 0 },
  };
  for (let i = 0; i < SAMPLES; i++) {
    const t = (ROUND + (1 - 2 * ROUND) * (i / (SAMPLES - 1))) * length;
    const [x, y] = [from[0] + ux * t, from[1] + uy * t];
    if (isOnEdge(edges, x, y, ux, uy)) side.support += 1 / SAMPLES;
    const inner = colorAt(photo, x + nx * near, y + ny * near);
    const outer = colorAt(photo, x - nx * near, y - ny * near);
    const far = colorAt(photo, x - nx * 3 * near, y - ny * 3 * near);
    const deep = colorAt(photo, x + nx * 3 * near, y + ny * 3 * near);
    side.contrast += difference(inner, outer) / SAMPLES;
    side.outward += difference(outer, far) / SAMPLES;
    side.inward += difference(inner, deep) / SAMPLES;
    for (let k = 0; k < 3; k++) {
      side.inner[k]! += inner[k]! / SAMPLES;
      side.outer[k]! += outer[k]! / SAMPLES;
    }
  }
  side.out = companionOf(photo, edges, from, to, -diagonal, near);
  side.in = companionOf(photo, edges, from, to, diagonal, near);
  const steps = 6;
  for (let i = 1; i <= steps; i++) {
    const t = (0.03 + (0.12 * i) / steps) * length;
    if (isOnEdge(edges, from[0] - ux * t, from[1] - uy * t, ux, uy)) side.beyond += 0.5 / steps;
    if (isOnEdge(edges, to[0] + ux * t, to[1] + uy * t, ux, uy)) side.beyond += 0.5 / steps;
  }
  return side;
}

/** The best edge that runs parallel to a side, towards the right of its way when `diagonal` is positive. */
function companionOf(
  photo: RgbPixels,
  edges: EdgeMap,
  from: Point,
  to: Point,
  diagonal: number,
  near: number,
): Companion {
  const length = distance(from, to);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const toward = Math.sign(diagonal);
  const [nx, ny] = [-uy * toward, ux * toward];
  let [most, at] = [0, 0];
  const last = Math.abs(diagonal) * COMPANION.most;
  for (let off = Math.abs(diagonal) * COMPANION.least; off <= last; off += COMPANION.step) {
    let support = 0;
    // Only until it cannot come to more than the most so far: most of the time of a quad is spent here.
    for (let i = 0; i < COMPANION_SAMPLES && support + COMPANION_SAMPLES - i > most; i++) {
      const t = (0.1 + (0.8 * i) / (COMPANION_SAMPLES - 1)) * length;
      if (isOnEdge(edges, from[0] + ux * t + nx * off, from[1] + uy * t + ny * off, ux, uy)) support++;
    }
    if (support > most) [most, at] = [support, off];
  }
  let contrast = 0;
  for (let i = 0; i < COMPANION_SAMPLES; i++) {
    const t = (0.1 + (0.8 * i) / (COMPANION_SAMPLES - 1)) * length;
    const [x, y] = [from[0] + ux * t, from[1] + uy * t];
    const before = colorAt(photo, x + nx * (at - near), y + ny * (at - near));
    const behind = colorAt(photo, x + nx * (at + near), y + ny * (at + near));
    contrast += difference(before, behind) / COMPANION_SAMPLES;
  }
  const support = most / COMPANION_SAMPLES;
  return { support, contrast: contrast * support, offset: at };
}

export function colorAt({ data, width, height }: RgbPixels, x: number, y: number): Rgb {
  const px = Math.max(0, Math.min(width - 1, Math.round(x)));
  const py = Math.max(0, Math.min(height - 1, Math.round(y)));
  const at = (py * width + px) * 3;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** How far two colors differ, of 255. */
export function difference(a: Rgb, b: Rgb): number {
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
}
