import type { Sql } from '../db/client.ts';

/** Less than the minutes between midnight and the close of a day. */
const MOST_APART_MS = 5 * 60_000;

/** Why the process's clock cannot be used with this database: one sentence that says what to do. Null: they agree. */
export async function clockDoubt(sql: Sql, clock: () => number): Promise<string | null> {
  const before = clock();
  const [row] = await sql.query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms');
  const databaseMs = row!.ms;
  // The database read its clock at some moment of this time.
  const apartMs = before > databaseMs ? before - databaseMs : Math.max(databaseMs - clock(), 0);
  if (apartMs <= MOST_APART_MS) return null;
  const way = before > databaseMs ? 'ahead of' : 'behind';
  return `The clock of this machine is ${minutes(apartMs)} ${way} the database's (${isoTime(databaseMs)}): correct the wrong one, then start the workers again.`;
}

function minutes(ms: number): string {
  const whole = Math.round(ms / 60_000);
  return whole < 120
    ? `${whole} minutes`
    : whole < 2880
      ? `${Math.round(whole / 60)} hours`
      : `${Math.round(whole / 1440)} days`;
}

function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
