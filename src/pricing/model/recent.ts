/**
 * What a quote says about the sales behind it. A series keeps the sold day and the source of its accepted sales of the
 * last year, one number each (day * 65536 + source), in the order they became known.
 */

export const SOURCES = 65_536;
export const OBSERVATION_DAYS = 365;

/** Adds a sale and, now and then, forgets the oldest ones. */
export function rememberSale(recent: number[], soldDay: number, source: number, today: number): void {
  recent.push(soldDay * SOURCES + source);
  if (recent.length % 64 === 0) forgetOld(recent, today);
}

/** Drops those that were sold a year or longer before `today`, up to the first that was not: the newest stay together. */
export function forgetOld(recent: number[], today: number): void {
  let old = 0;
  while (old < recent.length && !isWithinYear(recent[old]!, today)) old++;
  if (old > 0) recent.splice(0, old);
}

function isWithinYear(report: number, day: number): boolean {
  return Math.floor(report / SOURCES) > day - OBSERVATION_DAYS;
}

/**
 * Sold days, rising, and number of sources of the last `sales` that became known; none when one of them was sold a year or longer
 * before `day`, whether it has been forgotten or not.
 */
export function lastReports(
  recent: readonly number[],
  sales: number,
  day: number,
): { days: number[]; sources: number } {
  const last = recent.slice(-sales);
  if (last.length < sales || !last.every((one) => isWithinYear(one, day))) return { days: [], sources: 0 };
  const days = new Set(last.map((one) => Math.floor(one / SOURCES)));
  return { days: [...days].sort((a, b) => a - b), sources: new Set(last.map((one) => one % SOURCES)).size };
}

/** Sales of the `windowDays` days that end with `day`, and how many sources they came from. */
export function countRecent(recent: readonly number[], day: number, windowDays: number) {
  let sales = 0;
  const sources = new Set<number>();
  for (const one of recent) {
    const soldDay = Math.floor(one / SOURCES);
    if (soldDay <= day - windowDays || soldDay > day) continue;
    sales++;
    sources.add(one % SOURCES);
  }
  return { sales, sources: sources.size };
}
