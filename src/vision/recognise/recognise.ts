import type { Game } from '../../catalog/games.ts';
import type { Ocr } from '../ocr.ts';
import type { CV } from '../opencv.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { centerOf, type Quad } from '../quad.ts';
import { readNumber } from '../read-number.ts';
import type { RecognitionCatalog } from './catalog.ts';
import { type CardCandidate, openComparison } from './compare-cards.ts';
import { conclude, type Recognition, recognitionOf } from './conclude.ts';
import { SAME_CARD } from './confidence.ts';
import { lookAt, looksAt } from './looks.ts';

type RecogniseOptions = {
  game?: Game | null;
  matches?: number;
  /** Reads the printed number where pictures leave several items that have different ones. Takes about a second. */
  ocr?: () => Promise<Ocr>;
};

const MATCHES = 12;
/** Quads that are compared: the first one alone, as most photos need no other. */
const MOST_QUADS = 6;
/** Quads of sleeves and of inner frames are larger and smaller than the card by about so much. */
const OTHER_SIZES = [0.9, 1.1];
const RESIZED_QUADS = 2;
/** Corners that were off by more (in halves of a side) cut the card: it is compared again. */
const CUT = 0.06;
/** From here on it is the card, so that its corners can be found in the picture. */
const PLACED = 0.5;

/**
 * Recognizes the card in a photo. `found` are quads that may be a card, the likeliest first; they are tried in turn
 * until a picture of the catalog agrees with the content of one of them.
 */
export async function recognise(
  cv: CV,
  photo: RgbPixels,
  found: readonly { quad: Quad }[],
  catalog: RecognitionCatalog,
  { game = null, matches = MATCHES, ocr }: RecogniseOptions = {},
): Promise<Recognition> {
  const comparison = openComparison(catalog, game);
  let best: CardCandidate[] = [];
  for (const quads of rounds(found.map(({ quad }) => quad))) {
    const candidates = await comparison.compare(quads.flatMap((quad) => looksAt(cv, photo, quad)));
    if (isBetter(candidates, best)) best = candidates;
    if (best.length > 0 && best[0]!.most >= SAME_CARD) break;
  }
  if (best.length === 0) return { matches: [], confidence: 'none', quad: null, evidence: null };
  if (best[0]!.off > CUT && best[0]!.most > PLACED) {
    const again = await comparison.compare([lookAt(cv, photo, best[0]!.quad)]);
    if (isBetter(again, best)) best = again;
  }
  const conclusion = conclude(best, comparison.cards());
  const numbers = [...new Set(conclusion.alike.flatMap(({ number }) => number ?? []))];
  const isRead = ocr !== undefined && numbers.length > 1;
  const read = isRead ? await readNumber(cv, await ocr(), photo, conclusion.best.quad, numbers) : null;
  return recognitionOf(conclusion, read, matches);
}

/** What is compared together; what comes later is compared only when nothing before it was a card of the catalog. */
function rounds(found: readonly Quad[]): Quad[][] {
  const resized = found.slice(0, RESIZED_QUADS).flatMap((quad) => OTHER_SIZES.map((size) => resizedQuad(quad, size)));
  return [found.slice(0, 1), found.slice(1, MOST_QUADS), resized].filter((round) => round.length > 0);
}

function resizedQuad(quad: Quad, size: number): Quad {
  const [cx, cy] = centerOf(quad);
  return quad.map(([x, y]) => [cx + (x - cx) * size, cy + (y - cy) * size] as const) as unknown as Quad;
}

function isBetter(candidates: readonly CardCandidate[], than: readonly CardCandidate[]): boolean {
  return candidates.length > 0 && (than.length === 0 || candidates[0]!.mean > than[0]!.mean);
}
