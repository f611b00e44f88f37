import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aTag } from '../support/tags.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let database: FreshDatabase;
let api: TestApp;
let first: string;
let second: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  first = await anItem(db, { set, number: '1', year: 1999 });
  second = await anItem(db, { set, number: '2', upstreamItemId: 'inv-2' });
  await manySales(db, { itemId: second });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const ids = (json: { id: string }[]) => json.map((one) => one.id);

describe('summaries', () => {
  test('come in the order of the request; unknown ids are left out', async () => {
    const { status, json } = await api.get(`/v1/items/summaries?ids=${second},${UNKNOWN},${first}`);
    expect(status).toBe(200);
    expect(ids(json)).toEqual([second, first]);
    expect(json[0]).toMatchObject({ upstreamItemId: 'inv-2', gradeLabel: 'PSA 10', tags: [] });
    expect(json[1]).toMatchObject({ upstreamItemId: null, year: 1999, gradeLabel: null, priceUsdCents: null });
    expect(ids((await api.get(`/v1/items/summaries?ids=${first},${second}`)).json)).toEqual([first, second]);
  });

  test('of no ids are an empty list', async () => {
    for (const query of ['', '?ids=', '?ids=,']) {
      const { status, json } = await api.get(`/v1/items/summaries${query}`);
      expect([status, json], query).toEqual([200, []]);
    }
  });

  test('take ids in any case, with spaces around them, and once for each time requested', async () => {
    const { json } = await api.get(`/v1/items/summaries?ids=${first.toUpperCase()},%20${second},${first}`);
    expect(ids(json)).toEqual([first, second, first]);
  });

  test('take 300 ids and refuse 301', async () => {
    const many = (count: number) => [first, ...Array(count - 1).fill(UNKNOWN)].join(',');
    const all = await api.get(`/v1/items/summaries?ids=${many(300)}`);
    expect([all.status, ids(all.json)]).toEqual([200, [first]]);
    const { status, json } = await api.get(`/v1/items/summaries?ids=${many(301)}`);
    expect([status, json.error, json.errors[0].parameter]).toEqual([400, 'invalid_parameter', 'ids']);
  });

  test('refuse what is not an id, and a repeated parameter', async () => {
    for (const bad of ['nope', `${first}x`, `${first};${second}`, '%27%20or%201=1', '%00', `${first}&ids=${second}`])
      expect((await api.get(`/v1/items/summaries?ids=${bad}`)).status, bad).toBe(400);
  });

  test('carry the tags of each card, sorted; without the key, and still 200, when they cannot be read', async () => {
    const { db } = database;
    await aTag(db, { slug: 'fierce', name: 'Fierce', itemIds: [first] });
    await aTag(db, { kind: 'color', slug: 'red', name: 'Red', itemIds: [first] });
    await aTag(db, { slug: 'retired', active: false, itemIds: [first] });
    const path = `/v1/items/summaries?ids=${first},${second}`;
    const { json } = await api.get(path);
    expect(json[0].tags).toEqual([
      { kind: 'color', slug: 'red', name: 'Red' },
      { kind: 'mood', slug: 'fierce', name: 'Fierce' },
    ]);
    expect(json[1].tags).toEqual([]);
    const detail = (await api.get(`/v1/items/by-id/${first}`)).json;
    expect(detail.tags).toEqual(json[0].tags);

    await db.query('alter table item_tags rename to item_tags_gone');
    try {
      const faulty = await api.get(path);
      expect(faulty.status).toBe(200);
      expect(ids(faulty.json)).toEqual([first, second]);
      for (const card of faulty.json) expect(card).not.toHaveProperty('tags');
    } finally {
      await db.query('alter table item_tags_gone rename to item_tags');
    }
    expect((await api.get(path)).json[0].tags).toHaveLength(2);
  });
});
