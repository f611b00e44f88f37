import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFree, openListener } from '../../src/db/listen.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

test('a name that is locked while the connection is made again is locked once, and free when it is let go', async () => {
  const connection = { ...database.connection, application_name: 'listener' };
  const listener = openListener(connection);
  const received: string[] = [];
  const pids = () =>
    database.db.query<{ pid: number }>("select pid from pg_stat_activity where application_name = 'listener'");
  await listener.listen('news', (payload) => received.push(payload));
  const host = connection.host!;
  // The server cannot be reached for the first try to connect again.
  connection.host = '/nowhere';
  await database.db.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener'");
  await expect.poll(pids).toEqual([]);
  await sleep(100);
  connection.host = host;
  await listener.hold('a name');
  await expect.poll(() => received, { timeout: 5000 }).toContain('');
  expect(await pids()).toHaveLength(1);
  const free = () => database.db.query(`select ${isFree("'a name'")} as free`);
  expect(await free()).toEqual([{ free: false }]);
  await database.db.query("select pg_notify('news', 'once')");
  await expect.poll(() => received.filter((payload) => payload === 'once')).toHaveLength(1);
  await listener.letGo('a name');
  expect(await free()).toEqual([{ free: true }]);
  await listener.close();
  await expect.poll(pids).toEqual([]);
});
