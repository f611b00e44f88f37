import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const HREF = '/card/one-piece/awakening-op05/op05-060-luffy-psa-10-6e7fdc9a';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db, { game: 'one-piece', name: 'Awakening', code: 'OP05' });
  await anItem(db, { set, id: ID, number: 'OP05-060', name: 'Luffy' });
  await manySales(db, { itemId: ID });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('a card whose printed number begins with the code of its set', () => {
  test('has the number within the set and the printed one in every shape, and keeps its address', async () => {
    const body = async (path: string) => (await api.get(path)).json;
    const detail = await body(`/v1/items/by-id/${ID}`);
    expect(detail.href).toBe(HREF);
    const shapes = [
      detail,
      await body(`/v1/items/by-id/${ID}/overview`),
      (await body(`/v1/items/summaries?ids=${ID}`))[0],
      (await body('/v1/sets/one-piece/awakening-op05')).cards[0],
      (await body('/v1/trades/recent')).trades[0].card,
      (await body('/v1/search?q=luffy')).results[0],
      (await body('/v1/search/suggest?q=luffy')).suggestions[0],
    ];
    for (const shape of shapes)
      expect([shape.id, shape.cardNumber, shape.printedNumber]).toEqual([ID, '060', 'OP05-060']);
  });

  test('is found by the printed number, and shown with it on pages', async () => {
    expect((await api.get('/v1/search?q=op05-060')).json.results[0].id).toBe(ID);
    for (const path of [HREF, `${HREF}.md`, '/card/one-piece/awakening-op05', '/'])
      expect((await api.get(path)).text, path).toContain('OP05-060');
  });
});
