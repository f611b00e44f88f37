import type { Sql } from '../db/client.ts';

/** A policy's daily budget for one subject. */
export type Budget = { policy: string; subject: string; limit: number };

/** Units that a process took from a budget and may spend. */
export type QuotaBlock = {
  /** 0 when the budget is spent. */
  granted: number;
  /** Units that no process has taken yet. */
  left: number;
  /** UTC day number by the database's clock, and the milliseconds until it ends. */
  day: number;
  endsInMs: number;
};

/** The share of a budget that is taken at once: ten processes leave at most 5% of it unspent. */
const BLOCKS_PER_BUDGET = 200;

/** Days for which the units of each caller stay on record; then addresses are forgotten. */
export const KEPT_DAYS = 2;

const DAY = `(floor(extract(epoch from clock_timestamp()) / 86400))::int`;
const ENDS_IN_MS = `((${DAY} + 1) * 86400000.0 - extract(epoch from clock_timestamp()) * 1000)::float8`;

/**
 * Takes a block, or what is left, in one statement: the row is locked while it changes, so that all processes together
 * never take more than the budget.
 */
export async function takeBlock(sql: Sql, { policy, subject, limit }: Budget): Promise<QuotaBlock> {
  const wanted = Math.max(1, Math.floor(limit / BLOCKS_PER_BUDGET));
  const [row] = await sql.prepared<{ granted: number; taken: number; day: number; endsInMs: number }>(
    'quota_take',
    `insert into quota_budgets as q (policy, subject, window_day, taken, granted)
     values ($1, $2, ${DAY}, least($3::int, $4::int), least($3::int, $4::int))
     on conflict (policy, subject, window_day) do update
       set granted = greatest(0, least($3::int - q.taken, $4::int)),
         taken = q.taken + greatest(0, least($3::int - q.taken, $4::int))
     returning granted, taken, window_day as day, ${ENDS_IN_MS} as "endsInMs"`,
    [policy, subject, limit, wanted],
  );
  const { granted, taken, day, endsInMs } = row!;
  return { granted, left: Math.max(0, limit - taken), day, endsInMs };
}

/** Returns units that were taken and not spent. */
export async function returnUnits(
  sql: Sql,
  units: readonly { policy: string; subject: string; day: number; count: number }[],
): Promise<void> {
  if (units.length === 0) return;
  await sql.query(
    `update quota_budgets q set taken = q.taken - r.count
     from jsonb_to_recordset($1) as r (policy text, subject text, day int, count int)
     where q.policy = r.policy and q.subject = r.subject and q.window_day = r.day`,
    [JSON.stringify(units)],
  );
}

/** The units of a budget that are taken today, and the milliseconds until the day ends. */
export async function takenToday(sql: Sql, { policy, subject }: Budget): Promise<{ taken: number; endsInMs: number }> {
  const [row] = await sql.prepared<{ taken: number; endsInMs: number }>(
    'quota_taken',
    `select coalesce((select taken from quota_budgets
         where policy = $1 and subject = $2 and window_day = ${DAY}), 0) as taken, ${ENDS_IN_MS} as "endsInMs"`,
    [policy, subject],
  );
  return row!;
}

/** Deletes the rows of days long over; returns how many. */
export async function dropOldBlocks(sql: Sql): Promise<number> {
  const rows = await sql.query(`delete from quota_budgets where window_day < ${DAY} - ${KEPT_DAYS} returning 1`);
  return rows.length;
}
