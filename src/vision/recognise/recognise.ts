import type { Game } from '../../catalog/games.ts';
import { describeCard } from '../descriptor.ts';
import type { RgbPixels } from '../dominant-colors.ts';
import type { CV } from '../opencv.ts';
import { centerOf, type Quad } from '../quad.ts';
import { align, type Ground, type Levels, prepareGround, prepareLevels } from './align.ts';
import type { CatalogCard, RecognitionCatalog } from './catalog.ts';
import { type Band, bandOf, type Evidence, SAME_CARD } from './confidence.ts';
import { type Likeness, likenessOf, tellsApart } from './likeness.ts';
import { type Look, lookAt, looksAt } from './looks.ts';
import { cornersOf, IDENTITY, inverseOf, movement, ontoQuad, times } from './perspective.ts';

export type Recognition = {
  /** The best first, scores 0 to 1. Items that the photo cannot tell apart have the same score. */
  matches: { itemId: string; score: number }[];
  confidence: Band;
  /** The card that was recognised, from its own top-left corner, corrected by the picture it was compared with. */
  quad: Quad | null;
  /** Null when nothing in the photo is like any card. */
  evidence: Evidence | null;
};

export type RecogniseOptions = { game?: Game | null; matches?: number };

const HITS = 32;
const MATCHES = 12;
/** Pictures that the looks of a round are compared with at most; once one agrees, at least, for the margin. */
const COMPARED = 16;
const LEAST_COMPARED = 4;
/** Cosines of pictures of one art differ by less, seen from one photo. */
const SIBLING_GAP = 0.12;
/** The first quad is looked at alone: most photos need no other. */
const MOST_QUADS = 6;
/** Quads of sleeves and of inner frames are larger and smaller than the card by about so much. */
const OTHER_SIZES = [0.9, 1.1];
const RESIZED_QUADS = 2;
/** Corners that were off by more (in halves of a side) cut the card: it is looked at again. */
const CUT = 0.06;

const NOTHING = new Float32Array();
const NOT_COMPARED: Likeness = { mean: -1, most: -1, nearlyAll: -1, seen: 0 };

/** A picture of the catalog compared with one look at the photo. */
type Candidate = Likeness & {
  look: Look;
  picture: string;
  cosine: number;
  blocks: Float32Array;
  /** Where the picture lies in the photo, and by how much its corners are off the look's, in halves of a side. */
  quad: Quad;
  off: number;
};

/**
 * Recognises the card in a photo. `found` are quads in which a card may lie, the likeliest first; they are tried in turn
 * until a picture of the catalog agrees with what lies in one of them.
 */
export async function recognise(
  cv: CV,
  photo: RgbPixels,
  found: readonly { quad: Quad }[],
  catalog: RecognitionCatalog,
  { game = null, matches = MATCHES }: RecogniseOptions = {},
): Promise<Recognition> {
  const search = openSearch(catalog, game);
  let best: Candidate[] = [];
  for (const quads of rounds(found.map(({ quad }) => quad))) {
    const candidates = await search.compare(quads.flatMap((quad) => looksAt(cv, photo, quad)));
    if (isBetter(candidates, best)) best = candidates;
    if (best.length > 0 && best[0]!.most >= SAME_CARD) break;
  }
  if (best.length === 0) return { matches: [], confidence: 'none', quad: null, evidence: null };
  if (best[0]!.off > CUT && best[0]!.most > 0.5) {
    const again = await search.compare([lookAt(cv, photo, best[0]!.quad)]);
    if (isBetter(again, best)) best = again;
  }
  return conclude(best, search.cards(), matches);
}

/** What is looked at together; what comes later is only looked at when nothing before it was a card of the catalog. */
function rounds(found: readonly Quad[]): Quad[][] {
  const resized = found.slice(0, RESIZED_QUADS).flatMap((quad) => OTHER_SIZES.map((size) => resizedQuad(quad, size)));
  return [found.slice(0, 1), found.slice(1, MOST_QUADS), resized].filter((round) => round.length > 0);
}

function resizedQuad(quad: Quad, size: number): Quad {
  const [cx, cy] = centerOf(quad);
  return quad.map(([x, y]) => [cx + (x - cx) * size, cy + (y - cy) * size] as const) as unknown as Quad;
}

function isBetter(candidates: readonly Candidate[], than: readonly Candidate[]): boolean {
  return candidates.length > 0 && (than.length === 0 || candidates[0]!.mean > than[0]!.mean);
}

/** Searches the catalog; what was read of it once is kept for the photo's other looks. */
function openSearch(catalog: RecognitionCatalog, game: Game | null) {
  const known = new Map<string, CatalogCard>();
  const pictures = new Map<string, Levels | null>();

  async function levelsOf(picture: string): Promise<Levels | null> {
    if (!pictures.has(picture)) {
      const pixels = await catalog.picture(picture);
      pictures.set(picture, pixels === null ? null : prepareLevels(pixels));
    }
    return pictures.get(picture)!;
  }

  /** The pictures nearest to a look, each once. */
  async function near(look: Look): Promise<{ look: Look; picture: string; cosine: number }[]> {
    const hits = await catalog.nearest(describeCard(look.card), HITS, game);
    const unknown = hits.map(({ itemId }) => itemId).filter((id) => !known.has(id));
    if (unknown.length > 0) for (const card of await catalog.cards(unknown)) known.set(card.itemId, card);
    const seen = new Map<string, number>();
    for (const { itemId, score } of hits) {
      const picture = known.get(itemId)?.picture;
      if (picture != null && !seen.has(picture)) seen.set(picture, score);
    }
    return [...seen].map(([picture, cosine]) => ({ look, picture, cosine }));
  }

  return {
    cards: () => [...known.values()],
    /** Compares these looks with the pictures nearest to them; the most alike first, then by cosine. */
    async compare(looks: readonly Look[]): Promise<Candidate[]> {
      const nearby = (await Promise.all(looks.map(near))).flat().sort((a, b) => b.cosine - a.cosine);
      const grounds = new Map<Look, Ground>();
      const candidates: Candidate[] = [];
      let compared = 0;
      let agreed = -1;
      for (const { look, picture, cosine } of nearby) {
        const isDue = compared < (agreed < 0 ? COMPARED : LEAST_COMPARED) || cosine > agreed - SIBLING_GAP;
        const levels = compared < COMPARED && isDue ? await levelsOf(picture) : null;
        if (levels === null) {
          candidates.push({ look, picture, cosine, blocks: NOTHING, quad: look.quad, off: 0, ...NOT_COMPARED });
          continue;
        }
        const ground = grounds.get(look) ?? prepareGround(look.card);
        grounds.set(look, ground);
        const { homography, blocks } = align(ground, levels);
        const onCard = inverseOf(homography);
        const quad = cornersOf(times(ontoQuad(look.quad), onCard));
        const likeness = likenessOf(blocks);
        candidates.push({ look, picture, cosine, blocks, quad, off: movement(IDENTITY, onCard), ...likeness });
        compared++;
        if (likeness.most >= SAME_CARD) agreed = Math.max(agreed, cosine);
      }
      return candidates.sort((a, b) => b.mean - a.mean || b.cosine - a.cosine);
    },
  };
}

function conclude(candidates: readonly Candidate[], cards: readonly CatalogCard[], most: number): Recognition {
  const best = candidates[0]!;
  const pictures = new Set(candidates.map(({ picture }) => picture));
  /** The items that have this picture, and printings of their cards that have none to compare. */
  const itemsOf = (picture: string): string[] => {
    const same = new Set(cards.filter((card) => card.picture === picture).map(({ card }) => card));
    const isOf = (card: CatalogCard) =>
      card.picture === picture || (same.has(card.card) && !pictures.has(card.picture ?? ''));
    return cards.filter(isOf).map(({ itemId }) => itemId);
  };
  const scores = new Map<string, number>();
  const alike = new Set<string>();
  let other = 0;
  for (const candidate of candidates) {
    const items = itemsOf(candidate.picture);
    for (const itemId of items) if (!scores.has(itemId)) scores.set(itemId, scoreOf(candidate));
    if (candidate.picture === best.picture || isSibling(candidate, best)) for (const itemId of items) alike.add(itemId);
    else if (candidate.most < SAME_CARD) other = Math.max(other, candidate.most);
  }
  const { cosine, mean, most: like, nearlyAll, seen } = best;
  const evidence = { cosine, mean, most: like, nearlyAll, seen, margin: like - other, siblings: alike.size - 1 };
  const matches = [...scores].map(([itemId, score]) => ({ itemId, score }));
  return { matches: matches.slice(0, most), confidence: bandOf(evidence), quad: best.quad, evidence };
}

/** Whether a picture that agrees too cannot be told from the best one. */
function isSibling(candidate: Candidate, best: Candidate): boolean {
  return candidate.most >= SAME_CARD && !(candidate.look === best.look && tellsApart(best.blocks, candidate.blocks));
}

/** Half by what the pictures have in common, half by how near their descriptors are. */
function scoreOf({ mean, cosine }: Candidate): number {
  return (Math.max(0, mean) + Math.max(0, cosine)) / 2;
}
