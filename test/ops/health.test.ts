import { expect, test } from 'vitest';
import { openDb } from '../../src/db/client.ts';
import { testApp } from '../support/app.ts';
import { anItem, aSale, closeDays } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';

test('health is ok while the database answers, under both paths, and says the last closed day', async () => {
  const { db, close } = await freshDatabase();
  const api = await testApp(db);
  for (const path of ['/health', '/v1/health']) {
    const { status, headers, json } = await api.get(path);
    expect([status, json.ok, json.db, json.closedDay], path).toEqual([200, true, true, null]);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
  }
  await aSale(db, { itemId: await anItem(db), sold: '2026-06-01' });
  await closeDays(db);
  expect((await api.get('/health')).json.closedDay).toBe('2026-06-29');
  await api.app.close();
  await close();
});

test('without a database health is 503 and says so, and reads are 503 that may be tried again', async () => {
  const database = await freshDatabase();
  const db = openDb({ connection: database.connection, poolSize: 1 });
  const api = await testApp(db, { cacheMb: 1 });
  await database.close();
  const { status, headers, json } = await api.get('/health');
  expect(status).toBe(503);
  expect(json).toMatchObject({ ok: false, db: false, error: 'unavailable', status: 503 });
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(headers['retry-after']).toMatch(/^\d+$/);
  const read = await api.get('/v1/sets/pokemon/base-base1');
  expect([read.status, read.json.error]).toEqual([503, 'unavailable']);
  expect(read.headers['retry-after']).toMatch(/^\d+$/);
  expect(read.text).not.toContain('mintmark_test');
  await api.app.close();
  await db.close();
});

test('a database that comes back is used again', async () => {
  const { db, connection, close } = await freshDatabase();
  const api = await testApp(db);
  expect((await api.get('/health')).status).toBe(200);
  const other = openDb({ connection, poolSize: 1 });
  await other.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await other.close();
  await expect.poll(async () => (await api.get('/health')).status).toBe(200);
  await api.app.close();
  await close();
});
