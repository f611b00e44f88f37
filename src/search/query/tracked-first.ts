import type { FindResult } from '../find.ts';

/** Bands are half points of relevance: hits this close to the best fit the words of a query about as well. */
const NEAR_BANDS = 40;

/**
 * Brings forward the items that are tracked at the requested grade: among those that fit the words about as well
 * as the best, and then among the rest. The exact card stays before others that merely sold at the grade.
 */
export function trackedFirst(found: readonly FindResult[], tracked: ReadonlySet<string>): FindResult[] {
  const best = found[0]?.band ?? 0;
  const groupOf = ({ id, band }: FindResult) => (band >= best - NEAR_BANDS ? 0 : 2) + (tracked.has(id) ? 0 : 1);
  return [0, 1, 2, 3].flatMap((group) => found.filter((one) => groupOf(one) === group));
}
