import { areaOf, overlapOf, type Quad, sharedArea, sidesOf } from '../quad.ts';
import type { QuadCandidate } from './quad-candidates.ts';

/** The least confidence of the outline of a whole card. */
const MIN_WHOLE = 0.9;
/** A piece is turned by 90° against its card, because half a card has the shape of one; as shares of the card's area. */
const PIECE = { least: 0.25, most: 0.62, inside: 0.85, cosine: 0.3 };
/** The share of their card that pieces fill; a card in landscape has no gap. */
const MIN_FILLED = { upright: 0.85, lying: 0.97 };
/** The least confidence of each outline of two cards side by side. */
const TWO_CARDS = 0.98;
const SAME = 0.7;

/**
 * The cards found, with a whole card in place of the pieces that it was cut into along the lines within it. Two upright
 * cards side by side have the shape of one lying card: those remain where they may be two.
 */
export function withWholeCards<T extends QuadCandidate>(found: readonly T[], likely: readonly T[]): T[] {
  let cards = [...found];
  for (const whole of likely) {
    if (whole.score < MIN_WHOLE) continue;
    const pieces = cards.filter(({ quad }) => isPieceOf(quad, whole.quad));
    if (pieces.length === 0) continue;
    const isUpright = Math.abs(longSideOf(whole.quad)[1]) > Math.SQRT1_2;
    const filled = pieces.reduce((sum, { quad }) => sum + sharedArea(quad, whole.quad), 0) / areaOf(whole.quad);
    // Halves of a card in landscape may be two upright cards side by side: those have confident outlines.
    const mayBeTwo = likely.some(
      ({ quad, score }) => score > TWO_CARDS && pieces.some((it) => overlapOf(it.quad, quad) > SAME),
    );
    const isCut = isUpright
      ? (filled > MIN_FILLED.upright || pieces.length === 1) && pieces.some(({ score }) => score < whole.score)
      : filled > MIN_FILLED.lying && !mayBeTwo && pieces.some(({ score }) => score < TWO_CARDS);
    if (!isCut) continue;
    cards = [...cards.filter((card) => sharedArea(card.quad, whole.quad) < 0.5 * areaOf(card.quad)), whole];
  }
  return cards.sort((a, b) => b.score - a.score);
}

function isPieceOf(quad: Quad, whole: Quad): boolean {
  const [area, all] = [areaOf(quad), areaOf(whole)];
  if (area < PIECE.least * all || area > PIECE.most * all) return false;
  const [[ux, uy], [vx, vy]] = [longSideOf(quad), longSideOf(whole)];
  return Math.abs(ux * vx + uy * vy) < PIECE.cosine && sharedArea(quad, whole) > PIECE.inside * area;
}

/** Direction of the long sides, of length one. */
function longSideOf(quad: Quad): readonly [number, number] {
  const [top, right, bottom, left] = sidesOf(quad);
  const [a, b, c, d] = top + bottom > right + left ? quad : ([quad[1], quad[2], quad[3], quad[0]] as const);
  const [x, y] = [b[0] - a[0] + c[0] - d[0], b[1] - a[1] + c[1] - d[1]];
  const length = Math.hypot(x, y);
  return [x / length, y / length];
}
