import type { Quad } from '../quad.ts';
import type { CatalogCard } from './catalog.ts';
import type { CardCandidate } from './compare-cards.ts';
import { type Band, bandOf, type MatchEvidence, SAME_CARD } from './confidence.ts';
import { areDistinct } from './likeness.ts';

export type Recognition = {
  /** The best first, scores 0 to 1. Items that the photo cannot distinguish have the same score. */
  matches: { itemId: string; score: number }[];
  confidence: Band;
  /** The card that was recognized, from its own top-left corner, corrected by the picture it was compared with. */
  quad: Quad | null;
  /** Null when nothing in the photo is like any card. */
  evidence: MatchEvidence | null;
};

/** What pictures show. */
export type Conclusion = {
  best: CardCandidate;
  /** All items by their scores, the best first. */
  scores: Map<string, number>;
  /** The best item and those that pictures cannot distinguish from it. */
  alike: CatalogCard[];
  /** How much the best picture of another card has in common with the photo. */
  other: number;
};

export function conclude(candidates: readonly CardCandidate[], cards: readonly CatalogCard[]): Conclusion {
  const best = candidates[0]!;
  const pictures = new Set(candidates.map(({ picture }) => picture));
  /** The items that have this picture, and printings of their cards that have none to compare. */
  const itemsOf = (picture: string): CatalogCard[] => {
    const same = new Set(cards.filter((card) => card.picture === picture).map(({ card }) => card));
    const isOf = (card: CatalogCard) =>
      card.picture === picture || (same.has(card.card) && !pictures.has(card.picture ?? ''));
    return cards.filter(isOf);
  };
  const scores = new Map<string, number>();
  const alike = new Set<CatalogCard>();
  let other = 0;
  for (const candidate of candidates) {
    const items = itemsOf(candidate.picture);
    for (const { itemId } of items) if (!scores.has(itemId)) scores.set(itemId, scoreOf(candidate));
    if (candidate.picture === best.picture || isSibling(candidate, best)) for (const item of items) alike.add(item);
    else if (candidate.most < SAME_CARD) other = Math.max(other, candidate.most);
  }
  return { best, scores, alike: [...alike], other };
}

/** The result for a photo, after the number on the card was read; `read` leaves only the items that have it. */
export function recognitionOf(
  { best, scores, alike, other }: Conclusion,
  read: string | null,
  most: number,
): Recognition {
  const left = read === null ? alike : alike.filter(({ number }) => number === read);
  const { cosine, mean, most: like, nearlyAll, seen } = best;
  const evidence = {
    ...{ cosine, mean, most: like, nearlyAll, seen },
    ...{ margin: like - other, siblings: left.length - 1, number: read },
  };
  const equal = new Set(left.map(({ itemId }) => itemId));
  const matches = Array.from(new Set([...equal, ...scores.keys()]), (itemId) => ({
    itemId,
    score: equal.has(itemId) ? scoreOf(best) : scores.get(itemId)!,
  }));
  return { matches: matches.slice(0, most), confidence: bandOf(evidence), quad: best.quad, evidence };
}

/** Whether a picture that agrees too cannot be distinguished from the best one. */
function isSibling(candidate: CardCandidate, best: CardCandidate): boolean {
  return candidate.most >= SAME_CARD && !(candidate.look === best.look && areDistinct(best.blocks, candidate.blocks));
}

/** Half by what the pictures have in common, half by how near their descriptors are. */
function scoreOf({ mean, cosine }: CardCandidate): number {
  return (Math.max(0, mean) + Math.max(0, cosine)) / 2;
}
