import type { Sql } from '../db/client.ts';
import { formatDay } from '../lib/day.ts';
import { SALE_TAKEN } from './store/ledger-sales.ts';

/** More days than these without a sale are not closed unless the operator names the day: the clock may be wrong. */
const MOST_EMPTY_DAYS = 14;

/** The last day that may be closed, and why it needs to be named; `today` is the process's own UTC day number. */
type Closable = { through: number; doubt: string | null };

/**
 * A close is permanent, so it needs two clocks that agree the day is over, the database's and ours, and evidence that time
 * has passed: sales, or a gap that is not longer than a pause.
 */
export async function closable(sql: Sql, today: number): Promise<Closable> {
  const [row] = await sql.query<{ database_today: number; closed: number | null; newest: number | null }>(
    `select floor(extract(epoch from now()) / 86400)::int as database_today,
       (select closed_day from model_state) as closed,
       (select sold_day from sales where rejection is null order by sold_at desc limit 1) as newest`,
  );
  const { database_today, closed, newest } = row!;
  const through = Math.min(today, database_today) - 1;
  if (closed === null) return { through, doubt: null };
  const known = Math.max(closed, newest ?? closed);
  if (through - known <= MOST_EMPTY_DAYS) return { through, doubt: null };
  return {
    through,
    doubt: `The ${through - known} days from ${formatDay(known + 1)} to ${formatDay(through)} have no sale: if the clock is right, close them with "mintmark reprice --through ${formatDay(through)}".`,
  };
}

/** The last day whose close took in a sale or a void, or recorded that one was rejected late; null when none did. */
export async function lastDayWithSales(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ day: number | null }>(
    `select greatest((select max(${SALE_TAKEN.day}) from ${SALE_TAKEN.from()}), (select max(voided_day) from sale_uses),
       (select max(closed_day) from sale_uses)) as day`,
  );
  return row!.day;
}
