import { type Point, type Quad, sidesOf } from '../quad.ts';

/** Millimetres. */
export const CARD_MM = { width: 63, height: 88 };

/** What cards lie on, told by the outline of one of them: its middle is the origin, its long side runs along y. */
export type Plane = { toPhoto: (at: Point) => Point; toPlane: (at: Point) => Point };

/** Heckbert, "Fundamentals of Texture Mapping and Image Warping" (1989), section 2.2.3: a square to a quad. */
export function planeOf(quad: Quad): Plane {
  const [top, right, bottom, left] = sidesOf(quad);
  const upright = top + bottom < left + right ? quad : ([quad[1], quad[2], quad[3], quad[0]] as const);
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = upright;
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const sine = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / sine;
  const h = (dx1 * dy3 - dx3 * dy1) / sine;
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
  return {
    toPhoto: ([x, y]) => {
      const [u, v] = [x / CARD_MM.width + 0.5, y / CARD_MM.height + 0.5];
      const w = g * u + h * v + 1;
      return [(a * u + b * v + c) / w, (d * u + e * v + f) / w];
    },
    toPlane: ([x, y]) => {
      const [ax, bx] = [a - g * x, b - h * x];
      const [ay, by] = [d - g * y, e - h * y];
      const determinant = ax * by - bx * ay;
      const u = ((x - c) * by - (y - f) * bx) / determinant;
      const v = (ax * (y - f) - ay * (x - c)) / determinant;
      return [(u - 0.5) * CARD_MM.width, (v - 0.5) * CARD_MM.height];
    },
  };
}
