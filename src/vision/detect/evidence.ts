import type { RgbPixels } from '../dominant-colors.ts';
import { areaOf, diagonalOf, distance, type Point, type Quad } from '../quad.ts';
import { type EdgeMap, isOnEdge } from './edges.ts';
import { shapeOf } from './shape.ts';

/** What speaks for a quad being the outline of a card, and against it: each about 0 to 1, in the order of `WEIGHTS`. */
export type Evidence = readonly number[];

/** Samples along a side, its round corners left out. */
const SAMPLES = 24;
const ROUND = 0.07;
/** Differences of colour (of 255) that count half. */
const HALF_CONTRAST = 20;

type Color = [r: number, g: number, b: number];
type Side = {
  support: number;
  /** Share of what would be the side's continuation that lies on edges too. */
  beyond: number;
  contrast: number;
  /** Change of colour from beside the side to further away, outside and inside. */
  outward: number;
  inward: number;
  inner: Color;
  outer: Color;
  /** How much of an edge runs beside this one further out and further in, and how colours differ across it. */
  out: Companion;
  in: Companion;
};

type Companion = { support: number; contrast: number };

/** Where edges beside a side are looked for, as shares of the diagonal (the step in pixels): borders of cards, sleeves and top loaders. */
const BESIDE = { least: 0.016, most: 0.085, step: 2.5 };
const BESIDE_SAMPLES = 16;

export function evidenceOf(photo: RgbPixels, edges: EdgeMap, quad: Quad): Evidence {
  const diagonal = diagonalOf(quad);
  const sides = [0, 1, 2, 3].map((i) => sideOf(photo, edges, quad[i]!, quad[(i + 1) % 4]!, diagonal));
  const support = sides.map((side) => side.support).sort((a, b) => a - b);
  const contrast = sides.map((side) => saturated(side.contrast)).sort((a, b) => a - b);
  const shape = shapeOf(quad, photo);
  const area = areaOf(quad) / (photo.width * photo.height);
  return [
    mean(support),
    support[0]!,
    support[1]!,
    mean(contrast),
    contrast[0]!,
    mean(sides.map((side) => saturated(side.outward))),
    mean(sides.map((side) => saturated(side.inward))),
    Math.min(1, (shape.broader / 0.15) ** 2),
    Math.max(-1, Math.min(1, shape.broader / 0.15)),
    Math.min(1, shape.skew / 0.3),
    Math.max(-1, Math.log(area) / 4),
    mean(sides.map((side) => side.beyond)),
    saturated(unlike(sides.map((side) => side.outer))),
    saturated(unlike(sides.map((side) => side.inner))),
    mean(sides.map((side) => side.out.support)),
    Math.min(...sides.map((side) => side.out.support)),
    mean(sides.map((side) => saturated(side.out.contrast))),
    Math.min(...sides.map((side) => saturated(side.out.contrast))),
    mean(sides.map((side) => side.in.support)),
    Math.min(...sides.map((side) => side.in.support)),
    mean(sides.map((side) => saturated(side.in.contrast))),
    Math.min(...sides.map((side) => saturated(side.in.contrast))),
  ];
}

function sideOf(photo: RgbPixels, edges: EdgeMap, from: Point, to: Point, diagonal: number): Side {
  const length = distance(from, to);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  // Corners run clockwise: the inside lies to the right of the way from one to the next.
  const [nx, ny] = [-uy, ux];
  const near = Math.max(2, diagonal * 0.009);
  const side: Side = {
    support: 0,
    beyond: 0,
    contrast: 0,
    outward: 0,
    inward: 0,
    inner: [0, 0, 0],
    outer: [0, 0, 0],
    out: { support: 0, contrast: 0 },
    in: { support: 0, contrast: 0 },
  };
  const [inner, outer, far, deep]: [Color, Color, Color, Color] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (let i = 0; i < SAMPLES; i++) {
    const t = (ROUND + (1 - 2 * ROUND) * (i / (SAMPLES - 1))) * length;
    const [x, y] = [from[0] + ux * t, from[1] + uy * t];
    if (isOnEdge(edges, x, y, ux, uy)) side.support += 1 / SAMPLES;
    colorAt(photo, x + nx * near, y + ny * near, inner);
    colorAt(photo, x - nx * near, y - ny * near, outer);
    colorAt(photo, x - nx * 3 * near, y - ny * 3 * near, far);
    colorAt(photo, x + nx * 3 * near, y + ny * 3 * near, deep);
    side.contrast += difference(inner, outer) / SAMPLES;
    side.outward += difference(outer, far) / SAMPLES;
    side.inward += difference(inner, deep) / SAMPLES;
    for (let k = 0; k < 3; k++) {
      side.inner[k]! += inner[k]! / SAMPLES;
      side.outer[k]! += outer[k]! / SAMPLES;
    }
  }
  side.out = besideOf(photo, edges, from, to, -diagonal, near);
  side.in = besideOf(photo, edges, from, to, diagonal, near);
  const steps = 6;
  for (let i = 1; i <= steps; i++) {
    const t = (0.03 + (0.12 * i) / steps) * length;
    if (isOnEdge(edges, from[0] - ux * t, from[1] - uy * t, ux, uy)) side.beyond += 0.5 / steps;
    if (isOnEdge(edges, to[0] + ux * t, to[1] + uy * t, ux, uy)) side.beyond += 0.5 / steps;
  }
  return side;
}

/** The best edge that runs beside a side, towards the right of its way when `diagonal` is positive. */
function besideOf(photo: RgbPixels, edges: EdgeMap, from: Point, to: Point, diagonal: number, near: number): Companion {
  const length = distance(from, to);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const toward = Math.sign(diagonal);
  const [nx, ny] = [-uy * toward, ux * toward];
  let [most, at] = [0, 0];
  const last = Math.abs(diagonal) * BESIDE.most;
  for (let off = Math.abs(diagonal) * BESIDE.least; off <= last; off += BESIDE.step) {
    let support = 0;
    for (let i = 0; i < BESIDE_SAMPLES; i++) {
      const t = (0.1 + (0.8 * i) / (BESIDE_SAMPLES - 1)) * length;
      if (isOnEdge(edges, from[0] + ux * t + nx * off, from[1] + uy * t + ny * off, ux, uy)) support++;
    }
    if (support > most) [most, at] = [support, off];
  }
  const [before, behind]: [Color, Color] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let contrast = 0;
  for (let i = 0; i < BESIDE_SAMPLES; i++) {
    const t = (0.1 + (0.8 * i) / (BESIDE_SAMPLES - 1)) * length;
    const [x, y] = [from[0] + ux * t, from[1] + uy * t];
    colorAt(photo, x + nx * (at - near), y + ny * (at - near), before);
    colorAt(photo, x + nx * (at + near), y + ny * (at + near), behind);
    contrast += difference(before, behind) / BESIDE_SAMPLES;
  }
  const support = most / BESIDE_SAMPLES;
  return { support, contrast: contrast * support };
}

function colorAt({ data, width, height }: RgbPixels, x: number, y: number, out: Color): void {
  const px = Math.max(0, Math.min(width - 1, Math.round(x)));
  const py = Math.max(0, Math.min(height - 1, Math.round(y)));
  const at = (py * width + px) * 3;
  out[0] = data[at]!;
  out[1] = data[at + 1]!;
  out[2] = data[at + 2]!;
}

function difference(a: Color, b: Color): number {
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
}

/** The most that two of the colours differ. */
function unlike(colors: readonly Color[]): number {
  let most = 0;
  for (let i = 0; i < colors.length; i++) {
    for (let j = i + 1; j < colors.length; j++) most = Math.max(most, difference(colors[i]!, colors[j]!));
  }
  return most;
}

function saturated(value: number): number {
  return value / (value + HALF_CONTRAST);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
