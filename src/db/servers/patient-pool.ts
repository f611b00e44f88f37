import type pg from 'pg';
import { openPatience } from './patience.ts';

/**
 * Makes connections of a pool wait for a database that accepts none: for so many milliseconds and no longer than until
 * `stopping`. The job runner ends where its clock cannot connect at a full minute, such as while PostgreSQL is restarted.
 * Returns the pool.
 */
export function patient(pool: pg.Pool, withinMs: number, stopping: AbortSignal): pg.Pool {
  const connect = pool.connect.bind(pool);
  const { wait } = openPatience({ connect: async () => (await connect()).release(), withinMs, stopping });
  // With a callback: the pool itself, for `query`.
  type Callback = Parameters<typeof connect>[0];
  pool.connect = ((callback?: Callback) => {
    const connected = wait(() => connect());
    if (callback === undefined) return connected;
    connected.then((client) => callback(undefined, client, client.release), callback as (error: Error) => void);
  }) as typeof pool.connect;
  return pool;
}
