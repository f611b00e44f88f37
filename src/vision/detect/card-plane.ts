import { inverseOf, ontoQuad, project } from '../perspective.ts';
import { type Point, type Quad, rotateQuad, sidesOf } from '../quad.ts';

/** Millimetres. */
export const CARD_MM = { width: 63, height: 88 };

/** The plane of the cards, from the outline of one of them: its middle is the origin, its long side runs along y. */
export type CardPlane = { toPhoto: (at: Point) => Point; toPlane: (at: Point) => Point };

export function planeOf(quad: Quad): CardPlane {
  const [top, right, bottom, left] = sidesOf(quad);
  const onto = ontoQuad(top + bottom < left + right ? quad : rotateQuad(quad, 1));
  const back = inverseOf(onto);
  return {
    toPhoto: ([x, y]) => project(onto, (2 * x) / CARD_MM.width, (2 * y) / CARD_MM.height),
    toPlane([x, y]) {
      const [u, v] = project(back, x, y);
      return [(u * CARD_MM.width) / 2, (v * CARD_MM.height) / 2];
    },
  };
}
