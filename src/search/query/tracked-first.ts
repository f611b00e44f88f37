import type { RankedItem } from './rank-text.ts';

/** Bands are half points of relevance: hits this close to the best fit the words of a query about as well. */
const NEAR_BANDS = 40;

/**
 * Brings forward the items that are tracked at the requested grade: among those that fit the words about as well
 * as the best, and then among the rest. The exact card stays before others that merely sold at the grade.
 */
export function trackedFirst(found: readonly RankedItem[], isTracked: (item: number) => boolean): RankedItem[] {
  const best = found[0]?.band ?? 0;
  const groupOf = ({ item, band }: RankedItem) => (band >= best - NEAR_BANDS ? 0 : 2) + (isTracked(item) ? 0 : 1);
  return found
    .map((one) => ({ one, group: groupOf(one) }))
    .sort((a, b) => a.group - b.group)
    .map(({ one }) => one);
}
