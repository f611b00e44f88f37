import { areaOf, boxOf, diagonalOf, sharedArea } from '../quad.ts';
import type { ScoredQuad } from './search.ts';

/** Cards of one photo cover each other by no more of the smaller one's area. */
const MAX_COVERED = 0.3;
const MIN_SCORE = 0.2;
/** The largest card of a photo by the smallest, in diagonals: those further away look smaller. */
const SIZES = 1.5;
const STEP = 1.12;

/**
 * One quad for each of many cards, the likeliest first. What is framed on a card, two cards beside each other and a
 * whole page look like cards as well: cards have nearly one size, so the size is chosen whose quads show the most.
 */
export function cardsApart(sorted: readonly ScoredQuad[]): ScoredQuad[] {
  const likely = sorted.filter(({ score }) => score >= MIN_SCORE).map((one) => ({ one, size: diagonalOf(one.quad) }));
  let best: ScoredQuad[] = [];
  let bestWorth = 0;
  const sizes = likely.map(({ size }) => size);
  for (let least = Math.min(...sizes); least <= Math.max(...sizes); least *= STEP) {
    const kept = uncovered(likely.filter(({ size }) => size >= least && size < least * SIZES).map(({ one }) => one));
    const worth = kept.reduce((sum, { quad, score }) => sum + score * diagonalOf(quad), 0);
    if (worth > bestWorth) [best, bestWorth] = [kept, worth];
  }
  return best;
}

/** The likeliest quads that hardly cover each other. */
function uncovered(sorted: readonly ScoredQuad[]): ScoredQuad[] {
  const kept: { one: ScoredQuad; area: number; box: ReturnType<typeof boxOf> }[] = [];
  for (const one of sorted) {
    const [area, box] = [areaOf(one.quad), boxOf(one.quad)];
    const isFree = kept.every((other) => {
      const isNear =
        Math.abs(box.x + box.width / 2 - other.box.x - other.box.width / 2) * 2 < box.width + other.box.width &&
        Math.abs(box.y + box.height / 2 - other.box.y - other.box.height / 2) * 2 < box.height + other.box.height;
      return !isNear || sharedArea(other.one.quad, one.quad) < MAX_COVERED * Math.min(area, other.area);
    });
    if (isFree) kept.push({ one, area, box });
  }
  return kept.map(({ one }) => one);
}
