import { lengthOf, type Quad } from '../quad.ts';
import { planeOf } from './card-plane.ts';
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

/**
 * Cards below a whole one, the uppermost first. On the plane that the whole card defines, cards have one size:
 * two sides and the corner between them place one, and what shows of its outline below the others must be on edges.
 * Each is put at the level of the stack where most is seen of all of them together.
 */
export function fannedBelow(edges: EdgeMap, lines: readonly EdgeLine[], whole: Quad): Fanned[] {
  const plane = planeOf(whole);
  const places = placesOf(plane, lines).map((place) => ({ ...place, outline: outlineOf(edges, plane, place) }));
  let stack: Stack = { cards: [{ x: 0, y: 0, ux: 1, uy: 0, outline: [] }], seen: [], worth: 0 };
  while (stack.cards.length <= MOST_CARDS) {
    const { cards } = stack;
    let best: Stack | null = null;
    for (const { card, level } of likeliest(places, cards)) {
      const more = seenTogether(cards.toSpliced(level, 0, card));
      if (more.worth > (best?.worth ?? stack.worth + MIN_GAIN_MM)) best = more;
    }
    if (best === null) break;
    stack = best;
  }
  return stack.seen.map((seen, i) => ({ quad: quadOf(plane, stack.cards[i + 1]!), seen }));
}

type OutlinedCard = CardPlace & { outline: Outline };
/** The uppermost card first; `seen` is of all but that one. */
type Stack = { cards: OutlinedCard[]; seen: EdgeShare[]; worth: number };
type Insertion = { card: OutlinedCard; level: number };

function isCard({ on, off }: EdgeShare): boolean {
  return on >= MIN_ON_MM && on >= MIN_ON * (on + off);
}

/** Where in the stack another card may be, the most visible first. */
function likeliest(places: readonly OutlinedCard[], cards: readonly CardPlace[]): Insertion[] {
  const ranked: (Insertion & { worth: number })[] = [];
  for (const card of places) {
    if (cards.some((other) => isSame(other, card))) continue;
    for (let level = 1; level <= cards.length; level++) {
      const seen = seenBelow(card.outline, cards.slice(0, level));
      if (isCard(seen)) ranked.push({ card, level, worth: worthOf(seen) });
    }
  }
  ranked.sort((a, b) => b.worth - a.worth);
  const kept: Insertion[] = [];
  for (const one of ranked) {
    if (kept.some((other) => other.level === one.level && isSame(other.card, one.card))) continue;
    kept.push(one);
    if (kept.length === CLOSELY) break;
  }
  return kept;
}

function isSame(a: CardPlace, b: CardPlace): boolean {
  return lengthOf(a.x - b.x, a.y - b.y) < SAME_MM && Math.abs(a.ux * b.ux + a.uy * b.uy) > SAME_COSINE;
}

/** The stack without the cards of which too little or too much shows below those above them. */
function seenTogether(cards: readonly OutlinedCard[]): Stack {
  const stack: Stack = { cards: [cards[0]!], seen: [], worth: 0 };
  for (const card of cards.slice(1)) {
    const seen = seenBelow(card.outline, stack.cards);
    if (!isCard(seen)) continue;
    const shown = shownOf(card, stack.cards);
    if (shown < SHOWN.least || shown > SHOWN.most) continue;
    stack.cards.push(card);
    stack.seen.push(seen);
    stack.worth += worthOf(seen);
  }
  return stack;
}
