/**
 * Days. A day is a UTC calendar day, held as the whole number of days since 1970-01-01; it begins at 00:00:00.000Z
 * and that instant belongs to it alone.
 */

export const MS_PER_DAY = 86_400_000;

/** The day an instant (milliseconds since the epoch) falls on. */
export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / MS_PER_DAY);
}

/** The first instant of a day, in milliseconds since the epoch. */
export function dayStartMs(day: number): number {
  return day * MS_PER_DAY;
}

/** `2026-11-21` for a day number. */
export function formatDay(day: number): string {
  return new Date(dayStartMs(day)).toISOString().slice(0, 10);
}

/** `2026-11-21T00:00:00.000Z` for a day number: how a day is written in a series. */
export function dayIso(day: number): string {
  return new Date(dayStartMs(day)).toISOString();
}

/** The day number of `YYYY-MM-DD`, or null when it is not a calendar day (2026-02-30, 2026-1-1, words). */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const instantMs = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(instantMs)) return null;
  const day = dayOf(instantMs);
  return formatDay(day) === text ? day : null;
}

/** True when `day` is the last day of its month: the day after whose close the grade curve is refitted. */
export function isMonthEnd(day: number): boolean {
  return new Date(dayStartMs(day + 1)).getUTCDate() === 1;
}
