import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type Db, openDb } from '../../src/db/client.ts';
import { SERVER_LIMITS } from '../../src/http/connection/server-limits.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

describe('a page over its time', () => {
  const PAGE_MS = 200;
  let database: FreshDatabase;
  /** Connections that no slow page occupies. */
  let free: Db;
  let unlimited: TestApp;
  let slow: FastifyInstance;
  let origin: string;
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  beforeAll(async () => {
    database = await freshDatabase();
    free = openDb({ connection: database.connection, poolSize: 2 });
    unlimited = await testApp(database.db, { cacheMb: 8, log });
    slow = buildApp(unlimited.context, { ...SERVER_LIMITS, pageWithinMs: PAGE_MS });
    origin = await slow.listen({ port: 0 });
  });
  afterAll(async () => {
    await slow.close();
    await unlimited.app.close();
    await free.close();
    await database.close();
  });

  /** Works while no statement can read the catalog. */
  const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
    free.transaction(async (session) => {
      await session.query('lock table items in access exclusive mode');
      return work();
    });

  /** Gives up where the server does not, so that the lock is released. */
  const visit = (path: string) =>
    fetch(origin + path, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(45_000) });
  const waiting = async () =>
    (await free.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .length;

  test('is three seconds by default', () => expect(SERVER_LIMITS.pageWithinMs).toBe(3000));

  test('is a page of 503 that says when to come again, however long each statement may take', async () => {
    await whileLocked(async () => {
      const { status, headers, ...response } = await visit('/card/pokemon').then(async (one) => ({
        status: one.status,
        headers: one.headers,
        text: await one.text(),
      }));
      expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([503, '5', 'no-store']);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.text).toContain('This page takes too long to build; try again shortly.');
      expect(lines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ url: '/card/pokemon', msg: 'a page takes too long to build' }),
      );
    });
  });

  test('is built once for all waiting visitors, to its end, and is there for the next visitor', async () => {
    const path = '/card/pokemon?once';
    await whileLocked(async () => {
      for (let n = 0; n < 3; n++) expect((await visit(path)).status).toBe(503);
      await expect.poll(waiting).toBeGreaterThan(0);
      expect(await waiting()).toBe(1);
    });
    await expect.poll(() => unlimited.context.cache.get(path)?.status).toBe(200);
    // No statement is needed any more.
    expect(await whileLocked(async () => (await visit(path)).status)).toBe(200);
  });

  test('costs others nothing: a cached page is served', async () => {
    await expect.poll(async () => (await visit('/about')).status).toBe(200);
    expect(await whileLocked(async () => (await visit('/about')).status)).toBe(200);
  });
});
