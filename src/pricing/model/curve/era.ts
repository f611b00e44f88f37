import { parseDay } from '../../../lib/day.ts';

/** Ages of a set in years at which the next era begins: 0 to 1, 1 to 3, 3 to 8, 8 to 20, older. */
const ERA_BEGINS = [1, 3, 8, 20] as const;

/**
 * Number of the era of a set on a day, from the year it was released in, of which the middle is taken; null when the year is
 * not known, or before the first close.
 */
export function eraOf(year: number | null, day: number | null): number | null {
  if (year === null || day === null) return null;
  const age = (day - parseDay(`${year}-07-01`)!) / 365.25;
  return ERA_BEGINS.filter((begin) => age >= begin).length;
}
