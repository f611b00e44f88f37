import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/routes.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const DOCUMENTED_SIBLING = '/v1/cards/by-upstream-id/:rid';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  await anItem(database.db, { id: ID, upstreamItemId: 'inv-1' });
  api = await testApp(database.db, { cacheMb: 1 });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const filled = (path: string) =>
  path
    .replace(':game/:set/:item', 'pokemon/base-base1/4-charizard-6e7fdc9a')
    .replace(':id', ID)
    .replace(':rid', 'inv-1');

test('every item route answers the same under /v1/cards, marked as deprecated, from the cache too', async () => {
  const routes = ROUTES.map(({ path }) => path).filter(
    (path) =>
      path.startsWith('/v1/items/') && path !== '/v1/items/by-upstream-id/:rid' && !path.includes('by-external-id'),
  );
  expect(routes.length).toBeGreaterThanOrEqual(18);
  for (const path of routes) {
    const current = await api.get(filled(path));
    expect([current.status, current.headers.deprecation], path).toEqual([200, undefined]);
    for (const round of ['fresh', 'cached']) {
      const legacy = await api.get(filled(path).replace('/v1/items', '/v1/cards'));
      expect([legacy.status, legacy.headers.deprecation], `${path} ${round}`).toEqual([200, '@1767225600']);
      expect(legacy.headers.link, path).toContain('</changelog>; rel="deprecation sunset"');
      if (current.headers.link) expect(legacy.headers.link, path).toContain(current.headers.link);
      // Not earlier than the deprecation (RFC 8594).
      expect(Date.parse(legacy.headers.sunset as string)).toBeGreaterThan(1_767_225_600_000);
      expect(legacy.json, path).toEqual(current.json);
    }
  }
});

test('bare, an upstream id under /v1/cards is the detail, as documented', async () => {
  const { json } = await api.get(filled(DOCUMENTED_SIBLING));
  expect(json.id).toBe(ID);
});

test('nothing else is served under /v1/cards', async () => {
  for (const path of ['/v1/cards', '/v1/cards/search', '/v1/cards/by-id'])
    expect((await api.get(path)).status).toBe(404);
});
