import type { Sql } from '../db/client.ts';

/** What a lease gave. */
export type Lease = {
  /** Units that this process may spend; 0 when the budget is handed out. */
  granted: number;
  /** Units that nobody has leased yet. */
  left: number;
  /** UTC day number by the database's clock, and how long it lasts still. */
  day: number;
  endsInMs: number;
  /** Other processes lease from this budget too. */
  shared: boolean;
};

/** A policy's daily budget for one subject. */
export type Budget = { policy: string; subject: string; limit: number };

/** The usual lease, and the share of what is left that no lease exceeds. */
export const LEASE_UNITS = 50;
export const LEASE_SHARE = 10;

/** Leases are told of at once, in the statement that makes them, so that what others believe is left stays true. */
export const QUOTA_CHANNEL = 'quota';

const DAY = `(floor(extract(epoch from clock_timestamp()) / 86400))::int`;

/**
 * Leases units in one atomic statement: `most`, but not over a tenth of what is left; `least` if that many are left. The row
 * is locked while it changes, so that all processes together never hold more than the budget.
 */
export async function lease(
  sql: Sql,
  { policy, subject, limit }: Budget,
  wanted: { least: number; most: number },
  holder: string,
): Promise<Lease> {
  const grant = (left: string) =>
    `greatest(0, least(${left}, greatest($4::int, least($6::int, (${left}) / ${LEASE_SHARE}))))`;
  const [row] = await sql.prepared<{
    granted: number;
    leased: number;
    day: number;
    ends_in_ms: number;
    shared: boolean;
  }>(
    'quota_lease',
    `insert into quota_leases as q (policy, subject, window_day, leased, granted, holder)
     values ($1, $2, ${DAY}, ${grant('$3::int')}, ${grant('$3::int')}, $5)
     on conflict (policy, subject, window_day) do update
       set granted = ${grant('$3::int - q.leased')}, leased = q.leased + ${grant('$3::int - q.leased')},
       shared = q.shared or q.holder <> $5, holder = $5
     returning granted, leased, shared, window_day as day,
       pg_notify('${QUOTA_CHANNEL}', concat_ws(' ', 'lease', $5, greatest(0, $3::int - leased), $1, $2)),
       ((window_day + 1) * 86400000.0 - extract(epoch from clock_timestamp()) * 1000)::float8 as ends_in_ms`,
    [policy, subject, limit, wanted.least, holder, wanted.most],
  );
  const { granted, leased, day, ends_in_ms: endsInMs, shared } = row!;
  return { granted, left: Math.max(0, limit - leased), day, endsInMs, shared };
}

/** Gives back units that were leased and not spent. */
export async function returnUnits(
  sql: Sql,
  units: readonly { policy: string; subject: string; day: number; count: number }[],
): Promise<void> {
  if (units.length === 0) return;
  await sql.query(
    `update quota_leases q set leased = q.leased - r.count
     from unnest($1::text[], $2::text[], $3::int[], $4::int[]) as r (policy, subject, day, count)
     where q.policy = r.policy and q.subject = r.subject and q.window_day = r.day`,
    [units.map((u) => u.policy), units.map((u) => u.subject), units.map((u) => u.day), units.map((u) => u.count)],
  );
}

/** What is leased of a budget today, and how long the day lasts still. */
export async function leasedToday(
  sql: Sql,
  { policy, subject }: Budget,
): Promise<{ leased: number; endsInMs: number }> {
  const [row] = await sql.prepared<{ leased: number; ends_in_ms: number }>(
    'quota_leased',
    `select coalesce((select leased from quota_leases
         where policy = $1 and subject = $2 and window_day = ${DAY}), 0) as leased,
       ((${DAY} + 1) * 86400000.0 - extract(epoch from clock_timestamp()) * 1000)::float8 as ends_in_ms`,
    [policy, subject],
  );
  return { leased: row!.leased, endsInMs: row!.ends_in_ms };
}

/** Days for which it stays on record who took how much; then addresses are forgotten. */
const KEPT_DAYS = 2;

/** Forgets the leases of days long over; returns how many. */
export async function dropOldLeases(sql: Sql): Promise<number> {
  const rows = await sql.query(`delete from quota_leases where window_day < ${DAY} - ${KEPT_DAYS} returning 1`);
  return rows.length;
}
