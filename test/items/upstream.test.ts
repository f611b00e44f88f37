import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  await anItem(database.db, { id: '6e7fdc9a-0000-4000-8000-000000000001', upstreamItemId: 'inv-1' });
  await anItem(database.db, { number: '5' });
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('an upstream id', () => {
  test('bare resolves to a site-relative link to the card, not to an API path', async () => {
    const { status, json } = await api.get('/v1/items/by-upstream-id/inv-1');
    expect([status, json]).toEqual([200, { href: '/card/pokemon/base-base1/4-charizard-6e7fdc9a' }]);
  });

  test('has its detail under /detail and under the documented sibling, which is not deprecated', async () => {
    const detail = await api.get('/v1/items/by-upstream-id/inv-1/detail');
    const sibling = await api.get('/v1/cards/by-upstream-id/inv-1');
    expect(detail.json).toMatchObject({ upstreamItemId: 'inv-1', methods: [{ method: 'model' }] });
    expect(sibling.json).toEqual(detail.json);
    expect(sibling.headers.deprecation).toBeUndefined();
  });

  test('that no item is mapped to is 404 in every view; it is exact, and no catalog id', async () => {
    for (const rid of ['inv-2', 'INV-1', 'inv-1%20', '%27', '6e7fdc9a-0000-4000-8000-000000000001', 'a'.repeat(400)]) {
      for (const view of ['', '/detail', '/overview', '/trades', '/series', '/fmv-series']) {
        const { status, json } = await api.get(`/v1/items/by-upstream-id/${rid}${view}`);
        expect([status, json.error], rid + view).toEqual([404, 'not_found']);
      }
    }
  });

  test('with a control character is not an id, whatever is left without it', async () => {
    expect((await api.get('/v1/items/by-upstream-id/inv-1%00')).status).toBe(400);
  });

  test('is not a card slug: the slug routes do not take it', async () => {
    expect((await api.get('/v1/items/pokemon/base-base1/inv-1')).status).toBe(404);
  });
});
