import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  await anItem(database.db, { id: ID });
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('a catalog id', () => {
  test('gives every view of its card', async () => {
    for (const view of ['', '/overview', '/trades', '/series', '/fmv-series'])
      expect((await api.get(`/v1/items/by-id/${ID}${view}`)).status, view).toBe(200);
  });

  test('has no similar route, and by-id is never taken for a game', async () => {
    for (const path of [`${ID}/similar`, 'x/nope', 'x/overview/trades', `${ID}/detail`]) {
      const { status } = await api.get(`/v1/items/by-id/${path}`);
      expect(status, path).toBe(404);
    }
  });

  test('of a card that is gone from every source is withdrawn, not unknown', async () => {
    const set = await aSet(database.db, { name: 'Gone', code: 'gone' });
    const gone = await anItem(database.db, { set });
    await database.db.query('update items set removed_at = now() where id = $1', [gone]);
    expect((await api.get(`/v1/items/by-id/${gone}`)).status).toBe(410);
  });

  test('takes an upper-case id and a slash at the end', async () => {
    expect((await api.get(`/v1/items/by-id/${ID.toUpperCase()}/overview/`)).json.id).toBe(ID);
  });
});
