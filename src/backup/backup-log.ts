import type { Sql } from '../db/client.ts';
import { isLocked } from '../db/locks.ts';

/** How backups of this installation went. */
export type BackupState = {
  /** The newest that succeeded. */
  last: { atMs: number; place: string; bytes: number } | null;
  /** Why the newest attempt that counts (see `readBackupState`) failed, in a sentence, and when; null unless it did. */
  failed: { atMs: number; problem: string } | null;
};

const CUT_OFF = 'It was cut off before its end.';

/** Notes that a backup begins; returns its id. */
export async function noteBegin(sql: Sql, place: string): Promise<number> {
  const [row] = await sql.query<{ id: number }>('insert into backups (place) values ($1) returning id', [place]);
  return row!.id;
}

/** Notes how a backup ended: the path and size of the file, or why there is none. */
export async function noteEnd(
  sql: Sql,
  id: number,
  end: { place: string; bytes: number } | { problem: string },
): Promise<void> {
  const { place, bytes, problem } = { place: null, bytes: null, problem: null, ...end };
  await sql.query(
    `update backups set finished_at = clock_timestamp(), place = coalesce($2, place), bytes = $3, problem = $4
     where id = $1`,
    [id, place, bytes, problem],
  );
}

/**
 * `schedule`: the folder of the daily backups; null without them. An attempt counts if it went there or where the last good one
 * is: one that a person made elsewhere, such as into a mistyped folder, concerns that person alone.
 */
export async function readBackupState(sql: Sql, schedule: string | null): Promise<BackupState> {
  const rows = await sql.query<{
    place: string;
    started: Date;
    finished: Date | null;
    bytes: number | null;
    problem: string | null;
    isRunning: boolean;
  }>(
    `with last as (select * from backups where bytes is not null order by id desc limit 1)
     select place, started_at as started, finished_at as finished, bytes, problem, ${isLocked('backup')} as "isRunning"
     from backups
     where id = (select id from last) or id = (
       select max(id) from backups b
       where not exists (select from last) or b.place = $1
         or b.place in (select unnest(array[place, regexp_replace(place, '/[^/]*$', '')]) from last))
     order by id desc`,
    [schedule],
  );
  const newest = rows[0];
  const last = rows.find(({ bytes }) => bytes !== null);
  const isCut = newest !== undefined && newest.finished === null && !newest.isRunning;
  const problem = isCut ? CUT_OFF : (newest?.problem ?? null);
  return {
    last: last === undefined ? null : { atMs: last.finished!.getTime(), place: last.place, bytes: last.bytes! },
    failed: problem === null ? null : { atMs: (newest!.finished ?? newest!.started).getTime(), problem },
  };
}
