import type { CertCompany, ReadCert } from '../catalog/cert.ts';
import type { Sql } from '../db/client.ts';

/** Told of on this channel: `PSA 149595098`, the run that has something new. */
export const RUNS_CHANNEL = 'valuations';

/** How long a process that died holds a run, and one that is gone still counts as waiting for it. */
const LEASE = `interval '8 seconds'`;
const WANTED = `interval '4 seconds'`;
/** Ended runs are kept for streams that come back. */
const KEPT = `interval '10 minutes'`;

export type RunKey = Pick<ReadCert, 'company' | 'key'>;

/** A run as the database has it. */
export type RunRow = {
  runId: number;
  state: 'running' | 'stopped' | 'done';
  events: string[];
  attempts: number;
  /** Its process died, or let go of it. */
  orphaned: boolean;
};

const COLUMNS = 'run_id as "runId", state, events, attempts';

/**
 * Takes up the run of a cert in one atomic statement: a new one, or where an orphan stopped. Null: another process is at it.
 */
export async function claimRun(sql: Sql, cert: ReadCert, owner: string): Promise<RunRow | null> {
  const [row] = await sql.prepared<Omit<RunRow, 'orphaned'>>(
    'run_claim',
    `insert into valuations as v (company, cert_key, cert_number, owner, lease_until)
     values ($1, $2, $3, $4, clock_timestamp() + ${LEASE})
     on conflict (company, cert_key) do update set owner = $4, lease_until = excluded.lease_until, state = 'running',
       ended_at = null, cert_number = case v.state when 'done' then $3 else v.cert_number end,
       run_id = case v.state when 'done' then nextval('valuation_runs') else v.run_id end,
       events = case v.state when 'done' then '{}' else v.events end,
       attempts = case v.state when 'running' then v.attempts + 1 else 1 end,
       is_job = v.state = 'running' and v.is_job,
       started_at = case v.state when 'running' then v.started_at else now() end
     where v.state <> 'running' or v.lease_until < clock_timestamp()
     returning ${COLUMNS}`,
    [cert.company, cert.key, cert.certNumber, owner],
  );
  return row === undefined ? null : { ...row, orphaned: false };
}

export async function readRun(sql: Sql, { company, key }: RunKey): Promise<RunRow | null> {
  const [row] = await sql.prepared<RunRow>(
    'run_read',
    `select ${COLUMNS}, state = 'running' and lease_until < clock_timestamp() as orphaned
     from valuations where company = $1 and cert_key = $2`,
    [company, key],
  );
  return row ?? null;
}

/** Adds to what a run told, and tells of it; `ends` with the last. False: the run is not this owner's any more. */
export async function appendEvents(
  sql: Sql,
  { company, key }: RunKey,
  { owner, events, ends }: { owner: string; events: readonly string[]; ends: boolean },
): Promise<boolean> {
  const told = await sql.prepared(
    'run_append',
    `with told as (
       update valuations set events = events || $4::text[], lease_until = clock_timestamp() + ${LEASE},
         state = case when $5 then 'done' else state end, ended_at = case when $5 then clock_timestamp() end
       where company = $1 and cert_key = $2 and owner = $3 and state = 'running' returning company, cert_key)
     select pg_notify('${RUNS_CHANNEL}', company || ' ' || cert_key) from told`,
    [company, key, owner, events, ends],
  );
  return told.length > 0;
}

/** Renews the leases of runs. Those that are still the owner's come back, with whether anybody needs them elsewhere. */
export async function beatRuns(
  sql: Sql,
  owner: string,
  runs: readonly RunKey[],
): Promise<(RunKey & { needed: boolean })[]> {
  return sql.prepared(
    'run_beat',
    `update valuations v set lease_until = clock_timestamp() + ${LEASE}
     from unnest($2::text[], $3::text[]) as mine (company, cert_key)
     where v.company = mine.company and v.cert_key = mine.cert_key and v.owner = $1 and v.state = 'running'
     returning v.company, v.cert_key as key, v.is_job or v.wanted_until > clock_timestamp() as needed`,
    [owner, ...columnsOf(runs)],
  );
}

/** Says that somebody waits here for runs of other processes. */
export async function wantRuns(sql: Sql, runs: readonly RunKey[]): Promise<void> {
  await sql.prepared(
    'run_want',
    `update valuations v set wanted_until = clock_timestamp() + ${WANTED}
     from unnest($1::text[], $2::text[]) as theirs (company, cert_key)
     where v.company = theirs.company and v.cert_key = theirs.cert_key`,
    columnsOf(runs),
  );
}

/** A run that somebody stopped waiting for goes on. */
export async function makeJob(sql: Sql, { company, key }: RunKey): Promise<void> {
  await sql.query(
    `update valuations set is_job = true where company = $1 and cert_key = $2 and state = 'running' and not is_job`,
    [company, key],
  );
}

/** Lets go of a run: `stopped`, or left for whoever takes it up. */
export async function letGo(
  sql: Sql,
  { company, key }: RunKey,
  { owner, goesOn }: { owner: string; goesOn: boolean },
): Promise<void> {
  await sql.query(
    `with gone as (
       update valuations set lease_until = '-infinity', is_job = is_job or $4,
         state = case when $4 or is_job then 'running' else 'stopped' end,
         ended_at = case when $4 or is_job then null else clock_timestamp() end
       where company = $1 and cert_key = $2 and owner = $3 and state = 'running' returning company, cert_key)
     select pg_notify('${RUNS_CHANNEL}', company || ' ' || cert_key) from gone`,
    [company, key, owner, goesOn],
  );
}

/** Certs of runs whose process died or let go of them, the oldest first. */
export async function orphanedRuns(sql: Sql, limit: number): Promise<(RunKey & { certNumber: string })[]> {
  return sql.query<{ company: CertCompany; key: string; certNumber: string }>(
    `select company, cert_key as key, cert_number as "certNumber" from valuations
     where state = 'running' and lease_until < clock_timestamp() order by lease_until limit $1`,
    [limit],
  );
}

/** Forgets runs that ended a while ago; returns how many. */
export async function dropEndedRuns(sql: Sql): Promise<number> {
  const gone = await sql.query(`delete from valuations where ended_at < clock_timestamp() - ${KEPT} returning 1`);
  return gone.length;
}

function columnsOf(runs: readonly RunKey[]): [string[], string[]] {
  return [runs.map(({ company }) => company), runs.map(({ key }) => key)];
}
