import type { Sql } from '../../db/client.ts';

/** NOTIFY of a run that has new events: its id, and how many it has. */
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

/** Rejects when another process has added events to the run. */
async function addEvents(sql: Sql, runId: number, events: readonly RunEvent[]): Promise<void> {
  await sql.prepared(
    'run_add_events',
    `with added as (
       insert into valuation_events (run_id, place, name, data)
       select $1::text::bigint, place, name, data from unnest($2::int[], $3::text[], $4::text[]) as e (place, name, data))
     select pg_notify('${EVENTS_CHANNEL}', $1 || ' ' || $5)`,
    [
      String(runId),
      events.map(({ place }) => place),
      events.map(({ name }) => name),
      events.map(({ data }) => data),
      String(events.at(-1)!.place + 1),
    ],
  );
}

/** Writes events from a place on, without the run waiting for it; those added while others are written go together. */
export function eventWriter(
  sql: Sql,
  { runId, place }: { runId: number; place: number },
  { control, onWritten }: { control: AbortController; onWritten(events: readonly RunEvent[]): void },
) {
  const waiting: RunEvent[] = [];
  let next = place;
  let writing = Promise.resolve();
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0 && !control.signal.aborted) {
      const events = waiting.splice(0);
      await addEvents(sql, runId, events);
      onWritten(events);
    }
    isWriting = false;
  }

  return {
    add(name: RunEvent['name'], body: unknown): void {
      waiting.push({ runId, place: next++, name, data: JSON.stringify(body) });
      if (isWriting) return;
      writing = write();
      writing.catch((error: unknown) => control.abort(error));
    },
    /** Resolves when everything is written that was added. */
    written: (): Promise<void> => writing,
  };
}

/** Forgets runs ten minutes after their end, and after a day those that never ended. */
export async function dropOldEvents(sql: Sql): Promise<void> {
  await sql.query(
    `delete from valuation_events where at < clock_timestamp() - interval '1 day' or run_id in (
       select run_id from valuation_events where name = 'result' and at < clock_timestamp() - interval '10 minutes')`,
  );
}
