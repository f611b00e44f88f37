import { areaOf, type Box, boxesMeet, boxOf, diagonalOf, sharedArea } from '../quad.ts';
import type { ScoredQuad } from './find-quads.ts';

/** Cards of one photo cover each other by no more of the smaller one's area. */
const MAX_COVERED = 0.3;
const MIN_SCORE = 0.2;
/** As a share of what the cards of the photo have in the middle. */
const MIN_CONTENT = 0.4;
/** A quad frames two cards when each fills no more of it, with this share of its own area inside it at least. */
const MAX_PART = 0.6;
const MIN_INSIDE = 0.85;
/** The largest card of a photo by the smallest, in diagonals: those further away look smaller. */
const SIZES = 1.5;
const STEP = 1.12;
/** Between 1, where two frames on a card outweigh it, and 2, where two cards in one quad weigh as much as they do alone. */
const WORTH = 1.6;

/**
 * One quad for each of many cards, the likeliest first. What is framed on a card, two cards side by side and a
 * whole page look like cards as well: cards have nearly one size, so the size is chosen whose quads show the most.
 */
export function separateCards(sorted: readonly ScoredQuad[]): ScoredQuad[] {
  const likely = sorted.filter(({ score }) => score >= MIN_SCORE).map((one) => ({ one, size: diagonalOf(one.quad) }));
  let best: ScoredQuad[] = [];
  let bestWorth = 0;
  const sizes = likely.map(({ size }) => size);
  for (let least = Math.min(...sizes); least <= Math.max(...sizes); least *= STEP) {
    const kept = uncovered(likely.filter(({ size }) => size >= least && size < least * SIZES).map(({ one }) => one));
    const worth = kept.reduce((sum, { quad, score }) => sum + score * diagonalOf(quad) ** WORTH, 0);
    if (worth > bestWorth) [best, bestWorth] = [kept, worth];
  }
  return withoutEmpty(best);
}

/** Of a page, the pockets that show far less than the others are empty. */
function withoutEmpty(cards: readonly ScoredQuad[]): ScoredQuad[] {
  const contents = cards.map(({ content }) => content).sort((a, b) => a - b);
  const usual = contents[contents.length >> 1] ?? 0;
  return cards.filter(({ content }) => content >= MIN_CONTENT * usual);
}

/** The likeliest quads that hardly cover each other, without those that frame two others. */
function uncovered(sorted: readonly ScoredQuad[]): ScoredQuad[] {
  const all = sorted.map((one) => ({ one, area: areaOf(one.quad), box: boxOf(one.quad) }));
  const kept: PlacedQuad[] = [];
  for (const placed of all) {
    if (!kept.every((other) => sharedOf(other, placed) < MAX_COVERED * Math.min(placed.area, other.area))) continue;
    const inside = all.filter(
      (other) => other.area < MAX_PART * placed.area && sharedOf(other, placed) > MIN_INSIDE * other.area,
    );
    const isFrame = inside.some((a) => inside.some((b) => sharedOf(a, b) < MAX_COVERED * Math.min(a.area, b.area)));
    if (!isFrame) kept.push(placed);
  }
  return kept.map(({ one }) => one);
}

type PlacedQuad = { one: ScoredQuad; area: number; box: Box };

function sharedOf(a: PlacedQuad, b: PlacedQuad): number {
  return boxesMeet(a.box, b.box) ? sharedArea(a.one.quad, b.one.quad) : 0;
}
