import type { Quad } from '../quad.ts';
import type { CatalogCard } from './catalog.ts';
import type { Candidate } from './compare.ts';
import { type Band, bandOf, type Evidence, SAME_CARD } from './confidence.ts';
import { tellsApart } from './likeness.ts';

export type Recognition = {
  /** The best first, scores 0 to 1. Items that the photo cannot tell apart have the same score. */
  matches: { itemId: string; score: number }[];
  confidence: Band;
  /** The card that was recognised, from its own top-left corner, corrected by the picture it was compared with. */
  quad: Quad | null;
  /** Null when nothing in the photo is like any card. */
  evidence: Evidence | null;
};

/** What pictures tell. */
export type Told = {
  best: Candidate;
  /** All items by their scores, the best first. */
  scores: Map<string, number>;
  /** The best item and those that pictures cannot tell from it. */
  alike: CatalogCard[];
  /** How much the best picture of another card has in common with the photo. */
  other: number;
};

export function conclude(candidates: readonly Candidate[], cards: readonly CatalogCard[]): Told {
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

/** What is told of the photo, once the number on the card was looked for; `read` leaves only the items that have it. */
export function recognitionOf({ best, scores, alike, other }: Told, read: string | null, most: number): Recognition {
  const left = read === null ? alike : alike.filter(({ number }) => number === read);
  const { cosine, mean, most: like, nearlyAll, seen } = best;
  const evidence = {
    ...{ cosine, mean, most: like, nearlyAll, seen },
    ...{ margin: like - other, siblings: left.length - 1, number: read },
  };
  const told = new Set(left.map(({ itemId }) => itemId));
  const matches = Array.from(new Set([...told, ...scores.keys()]), (itemId) => ({
    itemId,
    score: told.has(itemId) ? scoreOf(best) : scores.get(itemId)!,
  }));
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
