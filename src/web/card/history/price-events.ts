import { dayText, usd } from '../../format.ts';

/** A day on which a price began, ended or jumped, in words; pure. */
export type PriceEvent = { day: number; words: string };

/** One day of a line: the price at its close, and how many sales are of it. */
type EventPoint = { day: number; usdCents: number | null; n: number };

/** A day with one sale that moves a price by more than this ratio is named. */
const MOVED_RATIO = 1.15;
/** Of more, the newest are named. */
const MOST_EVENTS = 6;

/** What happened to a price on these days, which follow each other; the line is cut off at `fromDay`. */
export function priceEvents(points: readonly EventPoint[], fromDay: number): PriceEvent[] {
  const events: PriceEvent[] = [];
  let wasPriced = points[0] !== undefined && points[0].day <= fromDay && points[0].usdCents !== null;
  for (const [at, { day, usdCents, n }] of points.entries()) {
    const before = points[at - 1]?.usdCents ?? null;
    const words = (text: string) => events.push({ day, words: text.replace('{day}', dayText(day)) });
    if (usdCents !== null && !wasPriced) words('Priced from {day} on');
    if (usdCents === null && wasPriced) words('No price from {day}: too few sales, or too old, for a useful range');
    if (usdCents !== null && before !== null && n === 1 && hasMoved(before, usdCents))
      words(`One sale on {day} moved the price from ${usd(before)} to ${usd(usdCents)}`);
    wasPriced = usdCents !== null;
  }
  return events.slice(-MOST_EVENTS);
}

function hasMoved(before: number, after: number): boolean {
  return after > before * MOVED_RATIO || before > after * MOVED_RATIO;
}
