import type { Point, Quad } from './quad.ts';

/**
 * A perspective as the nine numbers of a matrix, row by row, the last one 1. On a card a point is in halves of the sides
 * from the middle: its corners are (-1, -1) to (1, 1).
 */
export type Homography = Float64Array;

export const IDENTITY: Homography = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

export function project(h: Homography, u: number, v: number): Point {
  const depth = h[6]! * u + h[7]! * v + h[8]!;
  return [(h[0]! * u + h[1]! * v + h[2]!) / depth, (h[3]! * u + h[4]! * v + h[5]!) / depth];
}

/** First `b`, then `a`. */
export function times(a: Homography, b: Homography): Homography {
  const product = new Float64Array(9);
  for (let i = 0; i < 9; i++) {
    const row = i - (i % 3);
    const column = i % 3;
    product[i] = a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
  }
  return normalized(product);
}

export function inverseOf(m: Homography): Homography {
  const minor = (r: number, c: number) => {
    const at = (i: number, j: number) => m[3 * ((r + i) % 3) + ((c + j) % 3)]!;
    return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
  };
  return normalized(Float64Array.from({ length: 9 }, (_, i) => minor(i % 3, Math.floor(i / 3))));
}

/** How far the farthest corner of a card goes from where one perspective has it to where the other has it. */
export function movement(from: Homography, to: Homography): number {
  return Math.max(
    ...CORNERS.map(([u, v]) => {
      const [a, b] = [project(from, u, v), project(to, u, v)];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    }),
  );
}

/**
 * From a card to a quad of a photo: Heckbert, "Fundamentals of texture mapping and image warping" (1989), section 2.2.3.
 */
export function ontoQuad([a, b, c, d]: Quad): Homography {
  const [dx1, dy1] = [b[0] - c[0], b[1] - c[1]];
  const [dx2, dy2] = [d[0] - c[0], d[1] - c[1]];
  const [sx, sy] = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / area;
  const h = (dx1 * sy - sx * dy1) / area;
  const ofSquare = Float64Array.of(
    ...[b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0]],
    ...[b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1]],
    ...[g, h, 1],
  );
  return times(ofSquare, HALVED);
}

/** Where a perspective has the corners of a card, from its top-left one on. */
export function cornersOf(h: Homography): Quad {
  return CORNERS.map(([u, v]) => project(h, u, v)) as unknown as Quad;
}

/** From (-1, -1)–(1, 1) to (0, 0)–(1, 1). */
const HALVED: Homography = Float64Array.of(0.5, 0, 0.5, 0, 0.5, 0.5, 0, 0, 1);

function normalized(m: Homography): Homography {
  return m.map((value) => value / m[8]!);
}
