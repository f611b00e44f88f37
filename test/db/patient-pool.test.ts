import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { patient } from '../../src/db/servers/patient-pool.ts';
import { freshDatabase } from '../support/database/database.ts';

/** A pool of a database whose server is away until `isBack`. */
function poolOf(connection: pg.ClientConfig) {
  const server = { isBack: false, tries: 0 };
  class Client extends pg.Client {}
  const { connect } = pg.Client.prototype;
  Client.prototype.connect = function (this: pg.Client, callback: (error: Error) => void) {
    server.tries++;
    if (server.isBack) return connect.call(this, callback);
    return callback(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }));
  } as typeof connect;
  return { server, pool: new pg.Pool({ ...connection, Client }) };
}

test('connections wait for a database that is away, up to a limit and to the signal to stop', async () => {
  const database = await freshDatabase();
  const { server, pool } = poolOf(database.connection);
  const stopping = new AbortController();
  patient(pool, 2000, stopping.signal);
  await expect(pool.connect()).rejects.toThrow('ECONNREFUSED');
  expect(server.tries).toBeGreaterThan(1);

  const connecting = pool.connect();
  await sleep(300);
  server.isBack = true;
  const client = await connecting;
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();

  server.isBack = false;
  const querying = Promise.all([pool.query('select 2 as two'), pool.query('select 2 as two')]);
  await sleep(300);
  server.isBack = true;
  for (const { rows } of await querying) expect(rows).toEqual([{ two: 2 }]);

  server.isBack = false;
  stopping.abort();
  const idle = await pool.connect();
  const before = server.tries;
  await expect(pool.connect()).rejects.toThrow('ECONNREFUSED');
  expect(server.tries).toBe(before + 1);
  idle.release();
  await pool.end();
  await database.close();
});
