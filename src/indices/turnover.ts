import type { Sql } from '../db/client.ts';
import { RESTATED_DAYS, turnoverSince } from './close/store.ts';
import type { IndexRow } from './rows.ts';

/** What the basket of an index sold for on a day, and how many sales that were. */
type DayTurnover = { day: number; turnover: number; sales: number };

/** The days of an index from `fromDay` on, as its close left them: the last ones without the sales that came late. */
export async function turnoverOf(sql: Sql, { slug, asOf }: IndexRow, fromDay: number): Promise<DayTurnover[]> {
  const settled = await sql.prepared<DayTurnover>(
    'indices_turnover',
    `select day, turnover_usd_cents as turnover, sale_count as sales from index_days
     where slug = $1 and day between $2 and $3 order by day`,
    [slug, fromDay, asOf === null ? 2 ** 31 - 1 : asOf.day - RESTATED_DAYS],
  );
  if (asOf === null) return settled;
  const open = await sql.prepared<DayTurnover>(
    'indices_turnover_as_of',
    `select day, cents as turnover, n as sales from (${turnoverSince(`$2 - ${RESTATED_DAYS - 1}`)}) t (slug, day, cents, n)
     where day >= $3 order by day`,
    [slug, asOf.day, fromDay],
  );
  return [...settled, ...open];
}
