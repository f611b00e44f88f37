import { CARD_MM, planeOf } from '../detect/card-plane.ts';
import { type Quad, rotateQuad, sidesOf } from '../quad.ts';

/** Plastic is so much longer than wide, as photos show it; cards are not. */
const SHAPE = { least: 1.45, most: 1.85 };
/** Where a slab has its card, shares of its sides from its middle; graders differ by some. */
export const CARD_IN = { left: -0.39, right: 0.39, top: -0.23, bottom: 0.44 };
const OFF = 0.055;

/**
 * The plastic that an outline is, upright, when another is where slabs have their card: its edges alone show a slab whose label
 * is too small to be seen as print. Null when there is no such plastic.
 */
export function plasticAround(card: Quad, outline: Quad): Quad | null {
  const upright = uprightPlastic(outline);
  if (upright === null) return null;
  for (const slab of [upright, rotateQuad(upright, 2)]) {
    const { toPlane } = planeOf(slab);
    const corners = card.map((corner) => toPlane(corner));
    const across = corners.map(([x]) => x / CARD_MM.width).sort((a, b) => a - b);
    const down = corners.map(([, y]) => y / CARD_MM.height).sort((a, b) => a - b);
    const isThere = (at: readonly number[], [first, last]: readonly [number, number]) =>
      at.every((place, i) => Math.abs(place - (i < 2 ? first : last)) < OFF);
    if (isThere(across, [CARD_IN.left, CARD_IN.right]) && isThere(down, [CARD_IN.top, CARD_IN.bottom])) return slab;
  }
  return null;
}

/** An outline that has the shape of a slab, with its short side first; null for another. */
export function uprightPlastic(outline: Quad): Quad | null {
  const [top, right, bottom, left] = sidesOf(outline);
  const shape = Math.max(left + right, top + bottom) / Math.min(left + right, top + bottom);
  if (shape < SHAPE.least || shape > SHAPE.most) return null;
  return top + bottom < left + right ? outline : rotateQuad(outline, 1);
}
