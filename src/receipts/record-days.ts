import { readDay } from '../http/parameters.ts';
import { notFound } from '../http/problem.ts';
import { formatDay } from '../lib/day.ts';
import { type Chain, placeOf } from './record-chain.ts';

/** The day of a path, which has a record. Throws the 400 and 404 problems. */
export function recordDayOf(chain: Chain, text: string): number {
  const day = readDay('day', text);
  const [first, last] = [chain.days[0], chain.days.at(-1)];
  if (first === undefined || last === undefined) throw notFound('No day has been closed yet.');
  if (placeOf(chain, day) < 0)
    throw notFound(`The record has the days from ${formatDay(first.day)} through ${formatDay(last.day)}.`);
  return day;
}
