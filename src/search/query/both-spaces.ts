import type { FoundByPhoto, FoundItems } from '../photo/image-answer.ts';

/** How fast a rank loses weight: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (2009), take 60 for long lists. */
const FADING = 10;

/**
 * What a photo shows, from two spaces of vectors that were searched separately: their scores are not comparable, so only
 * ranks are combined, score(item) = Σ 1 / (10 + rank), here of the most it can be. When both have the same card first and
 * the embedding has it with confidence, the band is `medium`; it is never better, since pictures were not laid over each other.
 */
export function combined(recognised: FoundByPhoto, embedded: FoundItems, limit: number): FoundByPhoto {
  const weights = new Map<string, number>();
  for (const { ids, scores } of [recognised, embedded]) {
    let rank = 1;
    for (const [i, id] of ids.entries()) {
      // Printings that a picture does not distinguish have one score, and one rank.
      if (i > 0 && scores[i] !== scores[i - 1]) rank = i + 1;
      weights.set(id, (weights.get(id) ?? 0) + (FADING + 1) / (FADING + rank) / 2);
    }
  }
  const shown = [...weights].sort(([, a], [, b]) => b - a).slice(0, limit);
  return {
    ids: shown.map(([id]) => id),
    scores: shown.map(([, weight]) => weight),
    confidence: bandOf(recognised, embedded),
    model: `${recognised.model}+${embedded.model}`,
  };
}

function bandOf(recognised: FoundByPhoto, embedded: FoundItems): FoundByPhoto['confidence'] {
  if (recognised.ids.length === 0 && embedded.ids.length === 0) return 'none';
  const isAgreed = firstsOf(embedded).some((id) => firstsOf(recognised).includes(id));
  const isConfident = embedded.confidence === 'high' || embedded.confidence === 'medium';
  return isAgreed && isConfident ? 'medium' : 'low';
}

/** The items that share the best score. */
function firstsOf({ ids, scores }: FoundItems): string[] {
  return ids.filter((_, i) => scores[i] === scores[0]);
}
