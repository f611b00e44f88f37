import { type Canvas, type Paint, paintPlane, roundedEdge, type View } from './photo-plane.ts';
import type { Random } from './photo-random.ts';

/** Millimetres. */
export const CARD = { width: 63, height: 88, radius: 3 };

export const COVERS = ['none', 'sleeve', 'backed sleeve', 'top loader'] as const;
export type Cover = (typeof COVERS)[number];

/** How far clear plastic whitens what is below it, and its edge. */
type Plastic = { width: number; height: number; radius: number; haze: number; edge: number; lift: number };

/** The part of a cover below the card: only the colored back of a sleeve shows. */
export function paintBack(canvas: Canvas, view: View, cover: Cover, random: Random): void {
  if (cover !== 'backed sleeve') return;
  const tone = random.pick([
    [18, 18, 20],
    [30, 50, 120],
    [150, 25, 30],
    [225, 225, 228],
  ]);
  const size = { width: CARD.width + 3.4, height: CARD.height + 4.4 };
  const paint: Paint = (x, y, mmPerPx, out) => {
    [out.r, out.g, out.b] = tone as [number, number, number];
    out.a = 0.5 - roundedEdge(x, y, size.width, size.height, 1) / mmPerPx;
  };
  paintPlane(canvas, view, size, paint);
}

/** The part of a cover above the card. */
export function paintCover(canvas: Canvas, view: View, cover: Cover, random: Random): void {
  if (cover === 'none') return;
  if (cover !== 'top loader') {
    const haze = random.between(0.02, 0.1);
    const edge = cover === 'sleeve' ? random.between(0.15, 0.5) : random.between(0.05, 0.2);
    const lift = random.between(0.3, 1.5);
    paintPlastic(canvas, view, { width: CARD.width + 3, height: CARD.height + 4, radius: 1, haze, edge, lift });
    return;
  }
  const haze = random.between(0.05, 0.16);
  const edge = random.between(0.2, 0.55);
  paintPlastic(canvas, view, { width: 76.5, height: 101.5, radius: 4, haze, edge, lift: 0 });
  paintPlastic(canvas, view, { width: 68, height: 97, radius: 1, haze: 0.03, edge: edge * 0.6, lift: 0 });
}

function paintPlastic(canvas: Canvas, view: View, plastic: Plastic): void {
  const { width, height, radius, haze, edge, lift } = plastic;
  // A sleeve is open at the top: it extends further there than at the bottom.
  const paint: Paint = (x, y, mmPerPx, out) => {
    const off = roundedEdge(x, y + lift, width, height, radius);
    const rim = Math.max(0, 1 - Math.abs(off + 0.4) / 0.45);
    out.r = out.g = 242;
    out.b = 246;
    out.a = Math.max(0, Math.min(1, 0.5 - off / mmPerPx)) * (haze + rim * edge);
  };
  paintPlane(canvas, view, { width: width + 2, height: height + 4 }, paint);
}

/** The shadow of a thing of this size on a surface `mm` below it. */
export function paintDropShadow(canvas: Canvas, view: View, random: Random, size: typeof CARD, mm: number): void {
  const angle = random.between(0, Math.PI * 2);
  const [dx, dy] = [Math.cos(angle) * mm, Math.sin(angle) * mm];
  const depth = random.between(0.15, 0.6);
  const paint: Paint = (x, y, _mmPerPx, out) => {
    const off = roundedEdge(x - dx, y - dy, size.width, size.height, size.radius);
    out.r = out.g = out.b = 0;
    out.a = depth * Math.max(0, Math.min(1, 0.5 - off / (2 * mm)));
  };
  paintPlane(canvas, view, { width: size.width + mm * 6, height: size.height + mm * 6 }, paint);
}
