import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const RETRY_MS = 250;

/**
 * Makes connections of a pool wait for a database that is away: for so many milliseconds and no
 * longer than until `stopping`. The job runner ends where its clock cannot connect at a full minute, such as while
 * PostgreSQL is restarted. Returns the pool.
 */
export function patient(pool: pg.Pool, withinMs: number, stopping: AbortSignal): pg.Pool {
  const connect = pool.connect.bind(pool);
  const connectInTime = async () => {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      try {
        return await connect();
      } catch (error) {
        if (pool.ending || stopping.aborted || performance.now() > untilMs) throw error;
        await sleep(RETRY_MS);
      }
    }
  };
  // With a callback: the pool itself, for `query`.
  type Callback = Parameters<typeof connect>[0];
  pool.connect = ((callback?: Callback) => {
    const connected = connectInTime();
    if (callback === undefined) return connected;
    connected.then((client) => callback(undefined, client, client.release), callback as (error: Error) => void);
  }) as typeof pool.connect;
  return pool;
}
