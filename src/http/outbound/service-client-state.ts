import type { Sql } from '../../db/client.ts';
import { dayOf, MS_PER_DAY } from '../../lib/day.ts';

/** Why a try is not made. */
export type HeldBack = { reason: 'budget_spent' | 'circuit_open' | 'rate_limited' | 'paused'; retryAfterMs: number };

export type ServiceHealth = {
  circuit: 'closed' | 'open' | 'half_open';
  /** It requested a pause (`Retry-After`). */
  waiting: boolean;
  /** A person has paused it. */
  paused: boolean;
  callsToday: number;
  /** As the latest caller configured it; null: none. */
  budgetPerDay: number | null;
  lastSuccessAtMs: number | null;
  lastFaultAtMs: number | null;
  lastFaultReason: string | null;
  /** Median of the last 21 successful tries. */
  p50Ms: number | null;
};

const KEPT_LATENCIES = 21;
/** When a paused service may be tried again: nobody knows how long the pause lasts. */
const PAUSED_FOR_MS = 3_600_000;

type TryOptions = {
  nowMs: number;
  budgetPerDay: number | null;
  leaveUnits: number;
  probeMs: number;
  /** The caller has waited as long as the service had requested. */
  waited: boolean;
};

/**
 * Takes one unit of the day's budget, in one atomic statement; null when the try may be made. After the
 * cool-down of an open circuit one try is let through, and the next only when `probeMs` have passed without its outcome.
 */
export async function takeTry(sql: Sql, id: string, options: TryOptions): Promise<HeldBack | null> {
  const { nowMs, budgetPerDay, leaveUnits, probeMs, waited } = options;
  const units = budgetPerDay === null ? null : Math.max(0, budgetPerDay - leaveUnits);
  const day = dayOf(nowMs);
  const taken = await sql.prepared(
    'service_client_take',
    `insert into service_clients as c (id, day, calls, budget_per_day) select $1, $2, 1, $7 where $5::int is null or $5 > 0
     on conflict (id) do update set
       calls = case when c.day < $2 then 1 else c.calls + 1 end,
       day = greatest(c.day, $2),
       budget_per_day = $7::int,
       open_until = case when c.open_until is not null then $4::timestamptz end
     where not c.paused and (c.open_until is null or c.open_until <= $3::timestamptz)
       and ($6 or c.wait_until is null or c.wait_until <= $3)
       and ($5::int is null or c.day < $2 or c.calls < $5)
     returning 1`,
    [id, day, new Date(nowMs), new Date(nowMs + probeMs), units, waited, budgetPerDay],
  );
  if (taken.length > 0) return null;
  const [row] = await sql.query<{ calls: number; openMs: number; waitMs: number; paused: boolean }>(
    `select calls, paused, coalesce(extract(epoch from open_until - $2::timestamptz) * 1000, 0)::float8 as "openMs",
       coalesce(extract(epoch from wait_until - $2) * 1000, 0)::float8 as "waitMs"
     from service_clients where id = $1`,
    [id, new Date(nowMs)],
  );
  const { calls, openMs, waitMs, paused } = row ?? { calls: 0, openMs: 0, waitMs: 0, paused: false };
  if (paused) return { reason: 'paused', retryAfterMs: PAUSED_FOR_MS };
  if (openMs > 0) return { reason: 'circuit_open', retryAfterMs: openMs };
  if (!waited && waitMs > 0) return { reason: 'rate_limited', retryAfterMs: waitMs };
  if (units !== null && calls >= units) return { reason: 'budget_spent', retryAfterMs: (day + 1) * MS_PER_DAY - nowMs };
  // The reason of a moment ago is no longer true: another process ended its try in between.
  return { reason: 'circuit_open', retryAfterMs: 0 };
}

/** Keeps a success: the circuit closes. */
export async function keepSuccess(sql: Sql, id: string, { nowMs, tookMs }: { nowMs: number; tookMs: number }) {
  await sql.prepared(
    'service_client_success',
    `update service_clients set faults = 0, open_until = null, wait_until = null, last_success_at = $2,
       latencies_ms = (array_prepend($3::int, latencies_ms))[1:${KEPT_LATENCIES}]
     where id = $1`,
    [id, new Date(nowMs), Math.round(tookMs)],
  );
}

/** Keeps a fault; `counts`: it is one of the consecutive faults that open the circuit. */
export async function keepFault(
  sql: Sql,
  id: string,
  fault: {
    nowMs: number;
    reason: string;
    counts: boolean;
    opensAfter: number;
    coolDownMs: number;
    retryAfterMs: number | null;
  },
): Promise<void> {
  const { nowMs, reason, counts, opensAfter, coolDownMs, retryAfterMs } = fault;
  await sql.prepared(
    'service_client_fault',
    `update service_clients set faults = faults + $4::int, last_fault_at = $2, last_fault_reason = $3,
       open_until = case when $4 > 0 and faults + $4 >= $5 then $6::timestamptz else open_until end,
       wait_until = coalesce($7::timestamptz, wait_until)
     where id = $1`,
    [
      id,
      new Date(nowMs),
      reason,
      counts ? 1 : 0,
      opensAfter,
      new Date(nowMs + coolDownMs),
      // However long a pause it requests: it is called again the next day.
      retryAfterMs === null ? null : new Date(nowMs + Math.min(retryAfterMs, MS_PER_DAY)),
    ],
  );
}

/** Pauses a service, or lets it be called again. `today`: a UTC day number. */
export async function setPaused(sql: Sql, id: string, paused: boolean, today: number): Promise<void> {
  await sql.query(
    `insert into service_clients (id, day, calls, paused) values ($1, $2, 0, $3)
     on conflict (id) do update set paused = excluded.paused`,
    [id, today, paused],
  );
}

/** Forgets the faults of a service and the pause that it requested: it is called again now. */
export async function forgetFaults(sql: Sql, id: string): Promise<void> {
  await sql.query('update service_clients set faults = 0, open_until = null, wait_until = null where id = $1', [id]);
}

/** The health of services, by id; a service that was never called is not among them, unless it is paused. */
export async function serviceHealth(
  sql: Sql,
  ids: readonly string[],
  nowMs: number,
): Promise<Map<string, ServiceHealth>> {
  const rows = await sql.query<ServiceHealth & { id: string }>(
    `select id, case when open_until > $2::timestamptz then 'open' when open_until is null then 'closed' else 'half_open' end as circuit,
       coalesce(wait_until > $2, false) as waiting, paused, case day when $3 then calls else 0 end as "callsToday",
       budget_per_day as "budgetPerDay", (extract(epoch from last_success_at) * 1000)::float8 as "lastSuccessAtMs",
       (extract(epoch from last_fault_at) * 1000)::float8 as "lastFaultAtMs", last_fault_reason as "lastFaultReason",
       (select ms from unnest(latencies_ms) ms order by ms offset cardinality(latencies_ms) / 2 limit 1) as "p50Ms"
     from service_clients where id = any($1) and (calls > 0 or paused)`,
    [ids, new Date(nowMs), dayOf(nowMs)],
  );
  return new Map(rows.map(({ id, ...health }) => [id, health]));
}

/** The state of a service that was called, from its last answers. */
export function stateOf(health: ServiceHealth): 'ok' | 'failing' | 'resting' {
  const { circuit, budgetPerDay, callsToday, lastFaultAtMs, lastSuccessAtMs } = health;
  const spent = budgetPerDay !== null && callsToday >= budgetPerDay;
  if (health.paused || spent || circuit === 'open' || health.waiting) return 'resting';
  return (lastFaultAtMs ?? 0) > (lastSuccessAtMs ?? 0) ? 'failing' : 'ok';
}
