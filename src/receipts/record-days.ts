import { quoted } from '../http/allowed.ts';
import { invalidParameter, notFound } from '../http/problem.ts';
import { formatDay, parseDay } from '../lib/day.ts';
import { type Chain, placeOf } from './record-chain.ts';

/** The day of a path, which has a record. Throws the 400 and 404 problems. */
export function recordDayOf(chain: Chain, text: string): number {
  const day = parseDay(text);
  if (day === null) throw invalidParameter('day', `day must be a calendar day, YYYY-MM-DD; got ${quoted(text)}.`);
  const [first, last] = [chain.days[0], chain.days.at(-1)];
  if (first === undefined || last === undefined) throw notFound('No day has been closed yet.');
  if (placeOf(chain, day) < 0)
    throw notFound(`The record has the days from ${formatDay(first.day)} through ${formatDay(last.day)}.`);
  return day;
}
