import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { imaged } from '../../support/tags.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const sets = [
    ['Base', 'base1', 1999],
    ['Jungle', 'base2', 2001],
    ['Aquapolis', 'ecard2', 2001],
    ['Undated', 'u1', null],
    ['Emptied', 'e1', 2003],
  ] as const;
  for (const [name, code, year] of sets) {
    const set = await aSet(db, { name, code });
    await db.query('update sets set year = $2 where id = $1', [set.id, year]);
    await anItem(db, { set, number: '1' });
    const second = await anItem(db, { set, number: '2' });
    if (name === 'Base') {
      await imaged(db, second);
      await manySales(db, { itemId: second });
    }
    if (name === 'Emptied') await db.query('update items set removed_at = now() where set_id = $1', [set.id]);
  }
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('sets of a game', () => {
  test('are those with a live card, newest first, undated last, equal years by name', async () => {
    const { status, json } = await api.get('/v1/sets?game=pokemon');
    expect(status).toBe(200);
    expect(json.sets.map((set: { setName: string }) => set.setName)).toEqual([
      'Aquapolis',
      'Jungle',
      'Base',
      'Undated',
    ]);
    expect(json.sets[2]).toEqual({
      setSegment: 'base-base1',
      setName: 'Base',
      setCode: 'base1',
      language: 'English',
      year: 1999,
      cardCount: 2,
      imagedCount: 1,
      soldCount: 1,
      href: '/card/pokemon/base-base1',
    });
  });

  test('the address of each leads to its cards, as many as it says', async () => {
    for (const { href, cardCount } of (await api.get('/v1/sets?game=pokemon')).json.sets)
      expect((await api.get(href.replace('/card', '/v1/sets'))).json.cardCount).toBe(cardCount);
  });

  test('a game without cards has none', async () => {
    expect((await api.get('/v1/sets?game=gundam')).json).toEqual({ game: 'gundam', sets: [] });
  });

  test('a missing, unknown or repeated game is 400', async () => {
    for (const query of ['', '?game=', '?game=chess', '?game=Pokemon', '?game=pokemon&game=pokemon'])
      expect((await api.get(`/v1/sets${query}`)).status, query).toBe(400);
  });
});
