import type { Quad } from '../quad.ts';

/** A card: 63 × 88 mm. */
const CARD_ASPECT = 63 / 88;

/** Focal lengths of cameras in long sides of the photo; the last is for parts cut out of photos and for scans. */
const FOCALS = [0.75, 1, 1.6, 6];
/** How far a photo's aspect may differ from a card's (as a ratio's logarithm), and its corners off right angles (cosine). */
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
 * What rectangle a quad is a picture of. With the camera's focal length given, a homography gives the rectangle's
 * aspect and whether its corners are right: Zhang and He, "Whiteboard scanning and image enhancement" (2007), section
 * 3.3. The focal length is unknown, so the best of a few is taken.
 */
export function shapeOf(quad: Quad, photo: { width: number; height: number }): Shape {
  const long = Math.max(photo.width, photo.height);
  const [cx, cy] = [photo.width / 2, photo.height / 2];
  const [a, b, c, d] = quad;
  const [x0, y0] = [(a[0] - cx) / long, (a[1] - cy) / long];
  const [x1, y1] = [(b[0] - cx) / long, (b[1] - cy) / long];
  const [x2, y2] = [(c[0] - cx) / long, (c[1] - cy) / long];
  const [x3, y3] = [(d[0] - cx) / long, (d[1] - cy) / long];
  // Columns of the homography from the unit square: (0,0), (1,0), (1,1), (0,1).
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const denominator = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / denominator;
  const h = (dx1 * dy3 - dx3 * dy1) / denominator;
  const [rightX, rightY] = [x1 - x0 + g * x1, y1 - y0 + g * y1];
  const [downX, downY] = [x3 - x0 + h * x3, y3 - y0 + h * y3];
  let best: Shape = { likeness: -1, broader: 0, skew: 0 };
  for (const focal of FOCALS) {
    const width = lengthIn3d(rightX / focal, rightY / focal, g);
    const height = lengthIn3d(downX / focal, downY / focal, h);
    const product = (rightX * downX + rightY * downY) / focal ** 2 + g * h;
    const skew = Math.abs(product) / (width * height);
    const aspect = Math.min(width, height) / Math.max(width, height);
    const broader = Math.log(aspect / CARD_ASPECT);
    const likeness = 1 / (1 + (broader / ASPECT_SPREAD) ** 2 / 2 + (skew / ANGLE_SPREAD) ** 2 / 2);
    if (likeness > best.likeness) best = { likeness, broader, skew };
  }
  return best;
}

/** `Math.hypot(x, y, z)` in a fraction of its time. */
function lengthIn3d(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}
