import { areaOf, coverOf, diagonalOf, overlapOf, sharedArea } from '../quad.ts';
import { fannedBelow } from './fan.ts';
import { worthOf } from './fan-card.ts';
import type { PhotoEdges } from './find-quads.ts';
import type { QuadCandidate } from './quad-candidates.ts';

/** More separate cards are a page or a board, and what shows between them is not a fan. */
const MOST_SEPARATE = 3;
/** How likely the card on top must be by itself, and how many are tried. */
const MIN_SCORE = 0.9;
const MOST_TOPS = 4;
/** Of two quads that overlap by more, or of which one has more of its area in the other, one is tried. */
const SAME = 0.6;
const MIN_INSIDE = 0.85;
/** A card next to a fan and a card of the fan share no more of the smaller one. */
const MAX_COVERED = 0.3;
/** A fanned card of whose outline that much is seen is as sure as the card on top. */
const SURE_MM = 120;
/** Fans are weighed by area: of the frames within a card, more fit into one photo. */
const WORTH = 2;
/** A fan shows that many times what the separate cards do: two cards for one, five for three. */
const MIN_GAIN = 1.4;

/**
 * The whole card on top of a fan, those below it, whose outlines go on below the others, and the
 * separate cards next to them, the likeliest first. Null where the separate cards show as much.
 */
export function fanIn({ edges, lines, quads }: PhotoEdges, separate: readonly QuadCandidate[]): QuadCandidate[] | null {
  if (separate.length > MOST_SEPARATE) return null;
  let best: QuadCandidate[] | null = null;
  let bestWorth = MIN_GAIN * together(separate);
  for (const top of topsOf(quads)) {
    const below = fannedBelow(edges, lines, top.quad).map(({ quad, seen }) => ({
      quad,
      score: top.score * Math.min(1, worthOf(seen) / SURE_MM),
    }));
    if (below.length === 0) continue;
    const fan = [{ quad: top.quad, score: top.score }, ...below];
    const others = separate.filter((one) => fan.every((card) => coverOf(one.quad, card.quad) <= MAX_COVERED));
    const worth = together([...fan, ...others]);
    if (worth > bestWorth) [best, bestWorth] = [[...fan, ...others], worth];
  }
  return best?.sort((a, b) => b.score - a.score) ?? null;
}

function together(cards: readonly QuadCandidate[]): number {
  return cards.reduce((sum, { quad, score }) => sum + score * diagonalOf(quad) ** WORTH, 0);
}

/** Different quads that may be the card on top, without those that are a part of a likelier one. */
function topsOf(sorted: readonly QuadCandidate[]): QuadCandidate[] {
  const tops: QuadCandidate[] = [];
  for (const one of sorted) {
    if (one.score < MIN_SCORE || tops.length === MOST_TOPS) break;
    if (
      tops.every(
        (top) =>
          overlapOf(top.quad, one.quad) < SAME && sharedArea(one.quad, top.quad) <= MIN_INSIDE * areaOf(one.quad),
      )
    )
      tops.push(one);
  }
  return tops;
}
