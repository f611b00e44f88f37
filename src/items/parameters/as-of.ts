import { Type } from 'typebox';
import type { Sql } from '../../db/client.ts';
import { readDay } from '../../http/parameters.ts';
import { notFound } from '../../http/problem.ts';
import { formatDay } from '../../lib/day.ts';
import { type PricedDb, quotesAsOf, quotesOf } from '../../pricing/read/quotes.ts';

/** `?asOf=`: what was published at the close of that day. */
export const asOfParameter = Type.Optional(
  Type.String({
    maxLength: 400,
    description:
      '`YYYY-MM-DD`, a closed day: prices as they were published at its close, without what became known later.',
  }),
);
export const asOfMember = Type.Optional(
  Type.String({ format: 'date', description: 'The day of the parameter `asOf`; absent without it.' }),
);

/** The day that the parameter `asOf`, or a page's of another name, names; null without it. Throws the 400 and 404 problems. */
export async function asOfDay(sql: Sql, text: string | undefined, name = 'asOf'): Promise<number | null> {
  if (text === undefined) return null;
  const day = readDay(name, text);
  const [row] = await sql.prepared<{ first: number | null; last: number }>(
    'closed_days',
    'select (select min(day) from market_days) as first, closed_day as last from model_state',
  );
  if (row === undefined || row.first === null) throw notFound('No day has been closed yet.');
  if (day < row.first || day > row.last)
    throw notFound(`Prices were published from ${formatDay(row.first)} through ${formatDay(row.last)}.`);
  return day;
}

/** Quotes of the last close, with the sales since; or as of a day. */
export function quotesOn(db: PricedDb, itemIds: readonly string[], asOf: number | null) {
  return asOf === null ? quotesOf(db, itemIds) : quotesAsOf(db, itemIds, asOf);
}

/** What an answer as of a day has besides. */
export function asOfAnswer(asOf: number | null) {
  return asOf === null ? { member: {}, isForGood: false } : { member: { asOf: formatDay(asOf) }, isForGood: true };
}
