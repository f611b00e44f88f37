import { lengthOf, type Quad } from '../quad.ts';
import { CARD_MM, type CardPlane, planeOf } from './card-plane.ts';
import type { EdgeLine } from './edge-lines.ts';
import type { EdgeMap } from './edges.ts';
import {
  type CardPlace,
  type EdgeShare,
  type Outline,
  outlineOf,
  quadOf,
  seenBelow,
  shownOf,
  worthOf,
} from './fan-card.ts';
import { placesOf } from './fan-places.ts';

/** A card of which a part shows. */
type Fanned = { quad: Quad; seen: EdgeShare };

/** What must show of a card: mm of its outline on edges, the share of these, and a share of its area. */
const MIN_ON_MM = 75;
const MIN_ON = 0.85;
const SHOWN = { least: 0.1, most: 0.9 };
/** Another card makes that much more of the outlines seen. */
const MIN_GAIN_MM = 30;
const MOST_CARDS = 12;
/** How many places are examined closely before one more card is found. */
const CLOSELY = 6;
const SAME_MM = 4;
const SAME_COSINE = Math.cos((4 * Math.PI) / 180);
/** Cards further away look smaller, and the whole one may have been outlined by its sleeve or its frame. */
const SCALES = { least: 0.93, most: 1.07 };
const STEPS_MM = [2, 1, 0.5];
const MOST_ROUNDS = 6;

/**
 * Cards that lie below a whole one, the uppermost first. On the plane that the whole card defines, cards have one size:
 * two sides and the corner between them place one, and what shows of its outline below the others must lie on edges.
 * Each is put at the level of the stack where most is seen of all of them together.
 */
export function fannedBelow(edges: EdgeMap, lines: readonly EdgeLine[], whole: Quad): Fanned[] {
  const plane = planeOf(whole);
  const view = { edges, plane };
  const places = placesOf(plane, lines).map((place) => ({ place, outline: outlineOf(edges, plane, place) }));
  let stack: Stack = { cards: [{ x: 0, y: 0, ux: 1, uy: 0, scale: 1 }], seen: [], worth: 0 };
  while (stack.cards.length <= MOST_CARDS) {
    const { cards } = stack;
    let best: Stack | null = null;
    for (const { place, level } of likeliest(places, cards)) {
      const fitted = fittedTo(view, place, cards.slice(0, level));
      const more = seenTogether(view, [...cards.slice(0, level), fitted, ...cards.slice(level)]);
      if (more.worth > (best?.worth ?? stack.worth + MIN_GAIN_MM)) best = more;
    }
    if (best === null) break;
    stack = best;
  }
  return stack.seen.map((seen, i) => ({ quad: quadOf(plane, stack.cards[i + 1]!), seen }));
}

type View = { edges: EdgeMap; plane: CardPlane };
/** The uppermost card first; `seen` is of all but that one. */
type Stack = { cards: CardPlace[]; seen: EdgeShare[]; worth: number };
type Insertion = { place: CardPlace; level: number };

function isCard({ on, off }: EdgeShare): boolean {
  return on >= MIN_ON_MM && on >= MIN_ON * (on + off);
}

/** Where in the stack another card may lie, those first of which most is seen. */
function likeliest(
  places: readonly { place: CardPlace; outline: Outline }[],
  cards: readonly CardPlace[],
): Insertion[] {
  const ranked: (Insertion & { worth: number })[] = [];
  for (const { place, outline } of places) {
    if (cards.some((card) => isSame(card, place))) continue;
    for (let level = 1; level <= cards.length; level++) {
      const seen = seenBelow(outline, cards.slice(0, level));
      if (isCard(seen)) ranked.push({ place, level, worth: worthOf(seen) });
    }
  }
  ranked.sort((a, b) => b.worth - a.worth);
  const kept: Insertion[] = [];
  for (const one of ranked) {
    if (kept.some((other) => other.level === one.level && isSame(other.place, one.place))) continue;
    kept.push(one);
    if (kept.length === CLOSELY) break;
  }
  return kept;
}

function isSame(a: CardPlace, b: CardPlace): boolean {
  return lengthOf(a.x - b.x, a.y - b.y) < SAME_MM && Math.abs(a.ux * b.ux + a.uy * b.uy) > SAME_COSINE;
}

/** The stack without the cards of which too little or too much shows below those above them. */
function seenTogether({ edges, plane }: View, cards: readonly CardPlace[]): Stack {
  const stack: Stack = { cards: [cards[0]!], seen: [], worth: 0 };
  for (const card of cards.slice(1)) {
    const seen = seenBelow(outlineOf(edges, plane, card), stack.cards);
    if (!isCard(seen)) continue;
    const shown = shownOf(card, stack.cards);
    if (shown < SHOWN.least || shown > SHOWN.most) continue;
    stack.cards.push(card);
    stack.seen.push(seen);
    stack.worth += worthOf(seen);
  }
  return stack;
}

/** The place moved, turned and sized a little, step by step, so that more of its outline is seen. */
function fittedTo({ edges, plane }: View, start: CardPlace, above: readonly CardPlace[]): CardPlace {
  const worthAt = (place: CardPlace) => worthOf(seenBelow(outlineOf(edges, plane, place), above));
  let best = start;
  let most = worthAt(start);
  for (const step of STEPS_MM) {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const before = most;
      for (const place of besides(best, step)) {
        const worth = worthAt(place);
        if (worth > most) [best, most] = [place, worth];
      }
      if (most === before) break;
    }
  }
  return best;
}

/** The place moved both ways, turned both ways, and made larger and smaller with its middle or one corner held. */
function besides(place: CardPlace, stepMm: number): CardPlace[] {
  const { x, y, ux, uy, scale } = place;
  return [-stepMm, stepMm].flatMap((step) => {
    const turn = step / 60;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const moved = [
      { ...place, x: x + ux * step, y: y + uy * step },
      { ...place, x: x - uy * step, y: y + ux * step },
      { ...place, ux: ux * c - uy * s, uy: ux * s + uy * c },
    ];
    const size = scale + step / 75;
    if (size < SCALES.least || size > SCALES.most) return moved;
    const sized = HELD.map(([held, alsoHeld]) => {
      const du = (held * CARD_MM.width * (size - scale)) / 2;
      const dv = (alsoHeld * CARD_MM.height * (size - scale)) / 2;
      return { x: x + du * ux - dv * uy, y: y + du * uy + dv * ux, ux, uy, scale: size };
    });
    return [...moved, ...sized];
  });
}

const HELD = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
  [0, 0],
] as const;
