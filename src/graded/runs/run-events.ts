import type { Sql } from '../../db/client.ts';

/** NOTIFY of a run that has a new event: the key of its job. */
export const EVENTS_CHANNEL = 'valuation_events';

/** An event at its place in a run, from 0 on; the last is the `result`. `data` is JSON. */
export type RunEvent = { runId: number; place: number; name: 'progress' | 'result'; data: string };

export function readEvents(sql: Sql, runId: number, from = 0): Promise<RunEvent[]> {
  return sql.prepared(
    'run_events',
    `select run_id as "runId", place, name, data from valuation_events
     where run_id = $1 and place >= $2 order by place`,
    [runId, from],
  );
}

/** Stores an event and notifies the watchers. Rejects when another process has added an event at this place. */
export async function addEvent(sql: Sql, key: string, { runId, place, name, data }: RunEvent): Promise<void> {
  await sql.prepared(
    'run_add_event',
    `with added as (insert into valuation_events (run_id, place, name, data) values ($1, $2, $3, $4))
     select pg_notify('${EVENTS_CHANNEL}', $5)`,
    [runId, place, name, data, key],
  );
}

/** Deletes the events of runs ten minutes after their end, and after a day those of runs that never ended. */
export async function dropOldEvents(sql: Sql): Promise<void> {
  await sql.query(
    `delete from valuation_events where at < clock_timestamp() - interval '1 day' or run_id in (
       select run_id from valuation_events where name = 'result' and at < clock_timestamp() - interval '10 minutes')`,
  );
}
