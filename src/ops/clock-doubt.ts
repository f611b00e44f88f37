import type { Sql } from '../db/client.ts';

/** Less than the minutes between midnight and the close of a day. */
const MOST_APART_MS = 5 * 60_000;
const LOOK_MS = 30_000;

/** Why the process's clock cannot be used with this database: one sentence that says what to do. Null: they agree. */
export async function clockDoubt(sql: Sql, clock: () => number): Promise<string | null> {
  const before = clock();
  const [row] = await sql.query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms');
  const databaseMs = row!.ms;
  // The database read its clock at some moment of this time.
  const apartMs = before > databaseMs ? before - databaseMs : Math.max(databaseMs - clock(), 0);
  if (apartMs <= MOST_APART_MS) return null;
  const way = before > databaseMs ? 'ahead of' : 'behind';
  return `The clock of this machine is ${minutes(apartMs)} ${way} the database's (${isoTime(databaseMs)}): correct the wrong one, then run this again.`;
}

/**
 * Calls `onSetBack` once, with a sentence, when the clock has been set back by more than clocks may differ: what is scheduled by it
 * would not run until it is again where it was. Returns what ends the watch.
 */
export function watchClock(
  clock: () => number,
  onSetBack: (why: string) => void,
  monotonicMs = () => performance.now(),
): () => void {
  let furthestMs = clock() - monotonicMs();
  const timer = setInterval(() => {
    const nowMs = clock() - monotonicMs();
    furthestMs = Math.max(furthestMs, nowMs);
    if (furthestMs - nowMs <= MOST_APART_MS) return;
    clearInterval(timer);
    onSetBack(
      `The clock of this machine was set back by ${minutes(furthestMs - nowMs)} to ${isoTime(clock())}: the worker ends, since its jobs would wait as long. Start it again.`,
    );
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
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
