import { distance, orderQuad, type Point, type Quad } from '../quad.ts';
import { CARD_MM, type CardPlane } from './card-plane.ts';
import { type EdgeMap, isOnEdge } from './edges.ts';

/** The place of a card on a plane: its middle (mm) and the unit vector of its top side. */
export type CardPlace = { x: number; y: number; ux: number; uy: number };

/** What the cards above it leave of a card's outline, in mm: on edges, and not on edges. */
export type EdgeShare = { on: number; off: number };

const STEP_MM = 2;
const ROUND_MM = 4;
/** A card hides what is that near to it as well, so that its own border, sleeve and shadow are not another card. */
const NEAR_MM = 3.5;
/** A millimetre without an edge weighs as much as that many on edges. */
const OFF_WEIGHT = 2;
const COLUMNS = 10;
const ROWS = 14;

/** How much more of an outline is seen than missed, in mm. */
export function worthOf({ on, off }: EdgeShare): number {
  return on - OFF_WEIGHT * off;
}

/** Places along the straight parts of a card's outline (mm), and whether the photo has an edge there. */
export type Outline = readonly { x: number; y: number; isOn: boolean }[];

/** The outline of a card as far as it is within the photo; the rest counts as hidden. */
export function outlineOf(edges: EdgeMap, plane: CardPlane, place: CardPlace): Outline {
  const outline: Outline[number][] = [];
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
      const isInPhoto = px >= 2 && py >= 2 && px <= edges.width - 3 && py <= edges.height - 3;
      if (isInPhoto) outline.push({ x, y, isOn: isOnEdge(edges, px, py, ux, uy) });
    }
  }
  return outline;
}

/** What shows of an outline below these cards. */
export function seenBelow(outline: Outline, above: readonly CardPlace[]): EdgeShare {
  const shown = outline.filter(({ x, y }) => !above.some((card) => isUnder(card, x, y)));
  const on = STEP_MM * shown.filter(({ isOn }) => isOn).length;
  return { on, off: STEP_MM * shown.length - on };
}

/** Share of a card that those above it leave to be seen. */
export function shownOf({ x, y, ux, uy }: CardPlace, above: readonly CardPlace[]): number {
  let shown = 0;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const u = ((column + 0.5) / COLUMNS - 0.5) * CARD_MM.width;
      const v = ((row + 0.5) / ROWS - 0.5) * CARD_MM.height;
      const [at, down] = [x + u * ux - v * uy, y + u * uy + v * ux];
      if (!above.some((card) => isUnder(card, at, down))) shown++;
    }
  }
  return shown / (COLUMNS * ROWS);
}

export function quadOf(plane: CardPlane, place: CardPlace): Quad {
  return orderQuad(cornersOf(place).map(plane.toPhoto));
}

function cornersOf({ x, y, ux, uy }: CardPlace): Point[] {
  const [w, h] = [CARD_MM.width / 2, CARD_MM.height / 2];
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
    Math.abs(dx * card.ux + dy * card.uy) < CARD_MM.width / 2 + NEAR_MM &&
    Math.abs(dy * card.ux - dx * card.uy) < CARD_MM.height / 2 + NEAR_MM
  );
}
