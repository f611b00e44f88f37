import { distance, type Point } from '../quad.ts';
import { CARD_MM, type CardPlane } from './card-plane.ts';
import { type EdgeLine, type Line, meeting, pointOn } from './edge-lines.ts';
import type { CardPlace } from './fan-card.ts';

/** How long lines are that may be sides, and how far from an end of them the corner may be; millimetres. */
const LENGTHS_MM = { least: 10, most: 105 };
const CORNER_MM = 12;
/** A side is no longer than the card by more. */
const LONGER_MM = 6;
const MIN_SINE = Math.cos((5 * Math.PI) / 180);
/** From the card on top to the middle of the furthest below it. */
const MAX_AWAY_MM = 300;

/** Places of cards that have two of the lines for sides and a corner where these meet. */
export function placesOf(plane: CardPlane, lines: readonly EdgeLine[]): CardPlace[] {
  const stretches = lines.flatMap((line) => {
    const [from, to] = [plane.toPlane(pointOn(line, line.low)), plane.toPlane(pointOn(line, line.high))];
    const length = distance(from, to);
    const isSide = length >= LENGTHS_MM.least && length <= LENGTHS_MM.most;
    if (!isSide || Math.hypot(...from) > MAX_AWAY_MM || (isOnTop(from) && isOnTop(to))) return [];
    return [{ at: from, to, length, along: [(to[0] - from[0]) / length, (to[1] - from[1]) / length] as const }];
  });
  stretches.sort((a, b) => b.length - a.length);
  const places: CardPlace[] = [];
  for (let i = 0; i < stretches.length; i++) {
    for (let j = i + 1; j < stretches.length; j++) {
      const [long, short] = [stretches[i]!, stretches[j]!];
      const corner = cornerOf(long, short);
      if (corner !== null) places.push(...cardsIn(corner, long, short));
    }
  }
  return places;
}

/** From `at` to `to`, millimetres. */
type Stretch = Line & { to: Point; length: number };

function isOnTop([x, y]: Point): boolean {
  return Math.abs(x) < CARD_MM.width / 2 + 1 && Math.abs(y) < CARD_MM.height / 2 + 1;
}

/** Where two stretches meet at a right angle, near an end of each; null where they do not. */
function cornerOf(a: Stretch, b: Stretch): Point | null {
  const met = meeting(a, b, MIN_SINE);
  const isNearEnd = (t: number, { length }: Stretch) => Math.min(Math.abs(t), Math.abs(t - length)) <= CORNER_MM;
  return met !== null && isNearEnd(met.onA, a) && isNearEnd(met.onB, b) ? pointOn(a, met.onA) : null;
}

/** The cards with that corner: the longer stretch shows how they are turned, and is their long side or their short one. */
function cardsIn(corner: Point, long: Stretch, short: Stretch): CardPlace[] {
  const sign = distance(corner, long.at) < distance(corner, long.to) ? 1 : -1;
  const [ax, ay] = [sign * long.along[0], sign * long.along[1]];
  const middle = [(short.at[0] + short.to[0]) / 2 - corner[0], (short.at[1] + short.to[1]) / 2 - corner[1]] as const;
  const turn = Math.sign(ax * middle[1] - ay * middle[0]);
  const [bx, by] = [-ay * turn, ax * turn];
  const cards: CardPlace[] = [];
  for (const isUpright of [true, false]) {
    const [along, across] = isUpright ? [CARD_MM.height, CARD_MM.width] : [CARD_MM.width, CARD_MM.height];
    if (long.length > along + LONGER_MM || short.length > across + LONGER_MM) continue;
    const x = corner[0] + (ax * along + bx * across) / 2;
    const y = corner[1] + (ay * along + by * across) / 2;
    cards.push(isUpright ? { x, y, ux: -ay, uy: ax } : { x, y, ux: ax, uy: ay });
  }
  return cards;
}
