import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let open: TestApp;
let limited: TestApp;
let card: string;
let key: Record<string, string>;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const itemId = await anItem(db, { set: await aSet(db), number: '4', name: 'Charizard' });
  await manySales(db, { itemId });
  await closeDays(db);
  card = `/v1/items/by-id/${itemId}`;
  open = await testApp(db);
  limited = await testApp(db, { cacheMb: 8, env: { HISTORY_PUBLIC_DAYS: '30' } });
  const { id, secret } = await limited.issueKey();
  key = { 'x-api-key': id, 'x-api-secret': secret };
});
afterAll(async () => {
  await open.app.close();
  await limited.app.close();
  await database.close();
});

const LONG = ['/trades', '/trades?window=31', '/trades?window=all', '/series', '/series?window=31', '/fmv-series'];

/** A new key is known everywhere within a second. */
async function asPartner(path: string) {
  await expect.poll(async () => (await limited.get(path, key)).status).toBe(200);
  return limited.get(path, key);
}

describe('trade history where HISTORY_PUBLIC_DAYS is 30', () => {
  test('is open to everybody up to 30 days, in a default window too', async () => {
    for (const path of ['/trades?window=30', '/series?window=7', '/fmv-series?window=30', '', '/overview'])
      expect((await limited.get(card + path)).status, path).toBe(200);
    expect((await limited.get('/v1/indices/pokemon/series?window=all')).status).toBe(200);
  });

  test('beyond that is 403 without a key, and says which window is open', async () => {
    for (const path of LONG) {
      const { status, json, headers } = await limited.get(card + path);
      expect([status, json.error], path).toEqual([403, 'approved_access_required']);
      expect(json.detail, path).toMatch(/^window must be at most 30 without a partner key; got \d+ days\. /);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('is a partner’s, the same body as where all is open, and kept by no cache', async () => {
    for (const path of LONG) {
      const { json, headers } = await asPartner(card + path);
      const everybody = (await open.get(card + path)).json;
      // A cursor carries the time at which it was made.
      expect({ ...json, nextCursor: null }, path).toEqual({ ...everybody, nextCursor: null });
      expect(headers['cache-control'], path).toBe('no-store');
      expect((await limited.get(card + path)).status, `${path} after a partner`).toBe(403);
    }
  });

  test('is not shared with a concurrent caller', async () => {
    await asPartner(`${card}/trades`);
    const both = await Promise.all([
      limited.get(`${card}/trades?window=365`, key),
      limited.get(`${card}/trades?window=365`),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 403]);
  });
});

test('trade history is open to everybody where nothing is set', async () => {
  for (const path of LONG) expect((await open.get(card + path)).status, path).toBe(200);
});
