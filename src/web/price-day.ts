import { MS_PER_DAY } from '../lib/day.ts';
import { briefDay } from './format.ts';

type Dated = { asOf: string | null; updatedAt: string | null };

/** The day of a price: of the close that it is of; of one that sales have moved since, when it was computed. */
export function priceDayOf({ asOf, updatedAt }: Dated): { iso: string; isClose: boolean } | null {
  if (asOf === null || updatedAt === null) return null;
  // The prices of a close are those of the instant at which its day ends.
  const isClose = Date.parse(updatedAt) - Date.parse(asOf) === MS_PER_DAY;
  return { iso: isClose ? asOf : updatedAt, isClose };
}

/** The same in words: `close of 24 Nov 2026`; empty without a price. */
export function priceDayText(price: Dated): string {
  const day = priceDayOf(price);
  return day === null ? '' : `${day.isClose ? 'close of' : 'as of'} ${briefDay(day.iso)}`;
}
