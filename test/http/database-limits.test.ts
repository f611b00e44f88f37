import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf, freePort, type Program, startProgram } from '../support/program.ts';

const LIMIT_MS = 300;

let database: FreshDatabase;
let limited: Db;
let api: TestApp;
let itemId: string;
beforeAll(async () => {
  database = await freshDatabase();
  itemId = await anItem(database.db);
  await aSale(database.db, { itemId, sold: '2026-06-20' });
  await closeDays(database.db);
  limited = openDb({ connection: database.connection, poolSize: 3, statementWithinMs: LIMIT_MS });
  api = await testApp(limited, { cacheMb: 8 });
});
afterAll(async () => {
  await api.app.close();
  await limited.close();
  await database.close();
});

/** Works while no statement can read the catalog. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  return database.db.transaction(async (session) => {
    await session.query('lock table items in access exclusive mode');
    return work();
  });
}

describe('a statement over its time', () => {
  test.each(['/v1/items/by-id/%s/overview', '/v1/sets?game=pokemon', '/card/pokemon', '/v1/items/featured'])(
    'ends %s with 503 and when to try again',
    async (template) => {
      const path = template.replace('%s', itemId);
      const { status, headers, text } = await whileLocked(() => api.get(path));
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('5');
      expect(text).toContain('The database takes too long to answer this');
      expect((await api.get(path)).status).toBe(200);
    },
  );

  test('is said to take too long also where the driver, not the database, ends it', async () => {
    const connection = { ...database.connection, query_timeout: LIMIT_MS };
    const impatient = openDb({ connection, poolSize: 3 });
    const { app, get } = await testApp(impatient);
    try {
      const { status, text } = await whileLocked(() => get(`/v1/items/by-id/${itemId}/overview`));
      expect(status).toBe(503);
      expect(text).toContain('The database takes too long to answer this');
    } finally {
      await app.close();
      await impatient.close();
    }
  });

  test('leaves cached responses as they are', async () => {
    const origin = await api.app.listen({ port: 0 });
    const read = async () => {
      const response = await fetch(`${origin}/v1/items/by-id/${itemId}/overview`);
      return { status: response.status, text: await response.text() };
    };
    const before = await read();
    expect(before.status).toBe(200);
    expect(await whileLocked(read)).toEqual(before);
  });

  test('does not end work in a session or a transaction, nor what has no limit', async () => {
    const slow = `select pg_sleep(${(LIMIT_MS * 2) / 1000})`;
    await expect(limited.query(slow)).rejects.toMatchObject({ code: '57014' });
    await expect(limited.prepared('slow', slow)).rejects.toMatchObject({ code: '57014' });
    await limited.session((session) => session.query(slow));
    await limited.transaction((session) => session.query(slow));
    await database.db.query(slow);
    // The connections that the sessions had are limited again.
    for (let n = 0; n < 4; n++) await expect(limited.query(slow)).rejects.toMatchObject({ code: '57014' });
  });
});

test('a full disk is named as what it is', async () => {
  await database.db.query(`
    create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on submissions execute function full_disk()`);
  const { status, headers, json } = await api.post('/v1/report', {
    message: 'The price of this card is far too high.',
  });
  expect(json.detail).toBe('The disk of the database is full: nothing can be stored until there is room.');
  expect(status).toBe(503);
  expect(headers['retry-after']).toBe('60');
});

test('serve answers 503 within 4 s while the catalog is locked, and an import at the same time waits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
  const port = await freePort();
  const env = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: folder, LIMITS: 'off' };
  const server = startProgram(['serve'], { ...env, PORT: String(port) });
  const status = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
  let importing: Program | undefined;
  try {
    await expect.poll(() => status('/health'), { timeout: 60_000, interval: 100 }).toBe(200);
    await whileLocked(async () => {
      importing = startProgram(['tags', 'derive'], env);
      const startedMs = Date.now();
      expect(await status(`/v1/items/by-id/${itemId}/overview`)).toBe(503);
      expect(Date.now() - startedMs).toBeLessThan(4_000);
      await expect
        .poll(
          () =>
            database.db.query(
              `select 1 from pg_stat_activity where wait_event_type = 'Lock' and now() - query_start > interval '3 s'`,
            ),
          { timeout: 60_000 },
        )
        .not.toEqual([]);
    });
    expect(await importing?.ended).toBe(0);
    expect(await status(`/v1/items/by-id/${itemId}/overview`)).toBe(200);
  } finally {
    for (const program of [importing, server]) program?.kill();
    await Promise.all([importing?.ended, server.ended]);
    rmSync(folder, { recursive: true });
  }
});
