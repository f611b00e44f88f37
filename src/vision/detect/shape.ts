import type { Quad } from '../quad.ts';

/** A card: 63 × 88 mm. */
const CARD_ASPECT = 63 / 88;

/** Focal lengths of cameras in long sides of the photo; the last is for parts cut out of photos and for scans. */
const FOCALS = [0.75, 1, 1.6, 6];
/** How far a photo's aspect may lie off a card's (as a ratio's logarithm), and its corners off right angles (cosine). */
const ASPECT_SPREAD = 0.07;
const ANGLE_SPREAD = 0.12;

export type Shape = {
  /** How likely the quad is a rectangle of a card's sides seen by a camera: 0 to 1. */
  likeness: number;
  /** Logarithm of short by long side, less that of a card: positive for a broader rectangle. */
  broader: number;
  skew: number;
};

/**
 * What rectangle a quad is a picture of. With the camera's focal length given, a homography tells the rectangle's
 * aspect and whether its corners are right: Zhang and He, "Whiteboard scanning and image enhancement" (2007), section
 * 3.3. The focal length is unknown, so the best of a few is taken.
 */
export function shapeOf(quad: Quad, photo: { width: number; height: number }): Shape {
  const long = Math.max(photo.width, photo.height);
  const points = quad.map(([x, y]) => [(x - photo.width / 2) / long, (y - photo.height / 2) / long] as const);
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = points as unknown as Quad;
  // Columns of the homography from the unit square: (0,0), (1,0), (1,1), (0,1).
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const denominator = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / denominator;
  const h = (dx1 * dy3 - dx3 * dy1) / denominator;
  const right = [x1 - x0 + g * x1, y1 - y0 + g * y1, g] as const;
  const down = [x3 - x0 + h * x3, y3 - y0 + h * y3, h] as const;
  let best: Shape = { likeness: -1, broader: 0, skew: 0 };
  for (const focal of FOCALS) {
    const width = Math.hypot(right[0] / focal, right[1] / focal, right[2]);
    const height = Math.hypot(down[0] / focal, down[1] / focal, down[2]);
    const product = (right[0] * down[0] + right[1] * down[1]) / focal ** 2 + right[2] * down[2];
    const skew = Math.abs(product) / (width * height);
    const aspect = Math.min(width, height) / Math.max(width, height);
    const broader = Math.log(aspect / CARD_ASPECT);
    const likeness = 1 / (1 + (broader / ASPECT_SPREAD) ** 2 / 2 + (skew / ANGLE_SPREAD) ** 2 / 2);
    if (likeness > best.likeness) best = { likeness, broader, skew };
  }
  return best;
}
