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

/** Days of the calendar that repeats every 400 years, from 1 March of the year 0 on. */
const ERA_DAYS = 146_097;
const MARCH_0000 = -719_468;

/**
 * Year, month (1 to 12) and day of the month of a day number: `civil_from_days` of Howard Hinnant, "chrono-Compatible
 * Low-Level Date Algorithms". `Date` takes several times as long, and the page of an index has a thousand dates.
 */
export function calendarDay(day: number): { year: number; month: number; date: number } {
  const era = Math.floor((day - MARCH_0000) / ERA_DAYS);
  const ofEra = day - MARCH_0000 - era * ERA_DAYS;
  const extraDays = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const yearOfEra = Math.floor((ofEra - extraDays) / 365);
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // Counted from March: 29 February is the last of a year.
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const date = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  return { year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, date };
}

/** `2026-11-21` for a day number. */
export function formatDay(day: number): string {
  const { year, month, date } = calendarDay(day);
  // Other years have more than four digits, or a sign.
  if (!(year >= 1000 && year <= 9999)) return new Date(dayStartMs(day)).toISOString().slice(0, 10);
  return `${year}-${month < 10 ? '0' : ''}${month}-${date < 10 ? '0' : ''}${date}`;
}

/** `2026-11-21T00:00:00.000Z` for a day number: how a day is written in a series. */
export function dayIso(day: number): string {
  return `${formatDay(day)}T00:00:00.000Z`;
}

/** The day number of `YYYY-MM-DD`, or null when it is not a calendar day (2026-02-30, 2026-1-1, words). */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const instantMs = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(instantMs)) return null;
  const day = dayOf(instantMs);
  return formatDay(day) === text ? day : null;
}

/** Every day from one through another; none where that is before it. */
export function daysFrom(day: number, through: number): number[] {
  return Array.from({ length: Math.max(0, through - day + 1) }, (_, i) => day + i);
}

/** True when `day` is the last day of its month: the day after whose close the grade curve is refitted. */
export function isMonthEnd(day: number): boolean {
  return new Date(dayStartMs(day + 1)).getUTCDate() === 1;
}
