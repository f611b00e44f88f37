import { distance, orderQuad, type Point, type Quad } from '../quad.ts';
import { CARD_MM, type CardPlane } from './card-plane.ts';
import { type EdgeMap, isOnEdge } from './edges.ts';

/** Where a card lies on a plane: its middle (mm), the unit vector of its top side, and how large it looks. */
export type CardPlace = { x: number; y: number; ux: number; uy: number; scale: number };

/** What shows of a card's outline beside the cards above it, in mm: on edges, and on none. */
export type EdgeShare = { on: number; off: number };

const STEP_MM = 2;
const ROUND_MM = 4;
/** A card hides what lies that near to it as well, so that its own border, sleeve and shadow are not another card. */
const NEAR_MM = 3.5;
/** A millimetre without an edge weighs as much as that many on edges. */
const OFF_WEIGHT = 2;
const COLUMNS = 10;
const ROWS = 14;

/** How much more of an outline is seen than missed, in mm. */
export function worthOf({ on, off }: EdgeShare): number {
  return on - OFF_WEIGHT * off;
}

/** What shows of a card's outline below `above`; what lies off the photo counts as hidden. */
export function seenOf(edges: EdgeMap, plane: CardPlane, place: CardPlace, above: readonly CardPlace[]): EdgeShare {
  const seen = { on: 0, off: 0 };
  walkAround(edges, plane, place, (x, y, px, py, ux, uy) => {
    if (above.some((card) => isUnder(card, x, y))) return;
    if (isOnEdge(edges, px, py, ux, uy)) seen.on += STEP_MM;
    else seen.off += STEP_MM;
  });
  return seen;
}

/** A card's outline as x and y (mm) and whether it lies on an edge (0 or 1), for `seenAtLevels`. */
export function outlineOf(edges: EdgeMap, plane: CardPlane, place: CardPlace): Float32Array {
  const outline: number[] = [];
  walkAround(edges, plane, place, (x, y, px, py, ux, uy) => {
    outline.push(x, y, isOnEdge(edges, px, py, ux, uy) ? 1 : 0);
  });
  return Float32Array.from(outline);
}

/** What would be seen of an outline below the first card of a stack, below the first two, and so on. */
export function seenAtLevels(outline: Float32Array, stack: readonly CardPlace[]): EdgeShare[] {
  const levels = stack.map(() => ({ on: 0, off: 0 }));
  for (let i = 0; i < outline.length; i += 3) {
    const [x, y, on] = [outline[i]!, outline[i + 1]!, outline[i + 2] === 1];
    for (let level = 0; level < stack.length && !isUnder(stack[level]!, x, y); level++) {
      if (on) levels[level]!.on += STEP_MM;
      else levels[level]!.off += STEP_MM;
    }
  }
  return levels;
}

type Visit = (x: number, y: number, px: number, py: number, ux: number, uy: number) => void;

/** Visits the straight parts of an outline: places on the plane, in the photo, and along which direction it runs there. */
function walkAround({ width, height }: EdgeMap, plane: CardPlane, place: CardPlace, visit: Visit): void {
  const corners = cornersOf(place);
  const projected = corners.map(plane.toPhoto);
  for (let i = 0; i < 4; i++) {
    const [from, to] = [corners[i]!, corners[(i + 1) % 4]!];
    const [start, end] = [projected[i]!, projected[(i + 1) % 4]!];
    const [length, lengthPx] = [distance(from, to), distance(start, end)];
    const [ux, uy] = [(end[0] - start[0]) / lengthPx, (end[1] - start[1]) / lengthPx];
    for (let t = ROUND_MM; t <= length - ROUND_MM; t += STEP_MM) {
      const x = from[0] + ((to[0] - from[0]) * t) / length;
      const y = from[1] + ((to[1] - from[1]) * t) / length;
      const [px, py] = plane.toPhoto([x, y]);
      if (px >= 2 && py >= 2 && px <= width - 3 && py <= height - 3) visit(x, y, px, py, ux, uy);
    }
  }
}

/** Share of a card that those above it leave to be seen. */
export function shownOf({ x, y, ux, uy, scale }: CardPlace, above: readonly CardPlace[]): number {
  let shown = 0;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const u = ((column + 0.5) / COLUMNS - 0.5) * CARD_MM.width * scale;
      const v = ((row + 0.5) / ROWS - 0.5) * CARD_MM.height * scale;
      const [at, down] = [x + u * ux - v * uy, y + u * uy + v * ux];
      if (!above.some((card) => isUnder(card, at, down))) shown++;
    }
  }
  return shown / (COLUMNS * ROWS);
}

export function quadOf(plane: CardPlane, place: CardPlace): Quad {
  return orderQuad(cornersOf(place).map(plane.toPhoto));
}

function cornersOf({ x, y, ux, uy, scale }: CardPlace): Point[] {
  const [w, h] = [(CARD_MM.width * scale) / 2, (CARD_MM.height * scale) / 2];
  return [
    [-w, -h],
    [w, -h],
    [w, h],
    [-w, h],
  ].map(([u, v]) => [x + u! * ux - v! * uy, y + u! * uy + v! * ux]);
}

function isUnder(card: CardPlace, x: number, y: number): boolean {
  const [dx, dy] = [x - card.x, y - card.y];
  return (
    Math.abs(dx * card.ux + dy * card.uy) < (CARD_MM.width * card.scale) / 2 + NEAR_MM &&
    Math.abs(dy * card.ux - dx * card.uy) < (CARD_MM.height * card.scale) / 2 + NEAR_MM
  );
}
