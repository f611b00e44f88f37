import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aTag } from '../../support/tags.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  const cheap = await anItem(db, { set, number: '1', name: 'Cheap' });
  const expensive = await anItem(db, { set, number: '2', name: 'Expensive' });
  await anItem(db, { set, number: '3', name: 'Unsold' });
  const gone = await anItem(db, { set, number: '4', name: 'Gone' });
  await db.query('update items set removed_at = now() where id = $1', [gone]);
  await aTag(db, { kind: 'mood', slug: 'calm', name: 'Calm', itemIds: [expensive] });
  await manySales(db, { itemId: cheap, usdCents: 10_00 });
  await manySales(db, { itemId: expensive, usdCents: 500_00 });
  await aSet(db, { game: 'mtg', name: 'Alpha', code: 'lea' });
  // Large enough to be read in parts, the priced one in the last of them.
  const large = await aSet(db, { game: 'mtg', name: 'Large', code: 'lrg' });
  await db.query(
    `insert into items (id, game, set_id, number, name, language, stem, identity_key)
     select md5('large' || n)::uuid, 'mtg', $1, n::text, 'Card ' || n, 'English', 'a-' || n, 'large' || n
     from generate_series(1, 1100) n`,
    [large.id],
  );
  const last = await anItem(db, { set: large, number: '9', name: 'Zebra' });
  await manySales(db, { itemId: last, usdCents: 20_00 });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('a set', () => {
  test('lists every card it tracks, highest price first and unpriced last', async () => {
    const { status, json } = await api.get('/v1/sets/pokemon/base-base1');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      game: 'pokemon',
      setName: 'Base',
      setCode: 'base1',
      language: 'English',
      setSegment: 'base-base1',
      href: '/card/pokemon/base-base1',
      cardCount: 3,
    });
    expect(json.cards.map((one: { name: string }) => one.name)).toEqual(['Expensive', 'Cheap', 'Unsold']);
    expect(json.cards[0]).toMatchObject({ gradeLabel: 'PSA 10' });
    expect(json.cards.map(({ tags }: { tags: unknown }) => tags)).toEqual([
      [{ kind: 'mood', slug: 'calm', name: 'Calm' }],
      [],
      [],
    ]);
    expect(json.cards[2]).toMatchObject({ company: null, grade: null, priceUsdCents: null });
  });

  test('of more cards than are read at a time has each once, the priced one first', async () => {
    const { cardCount, cards } = (await api.get('/v1/sets/mtg/large-lrg')).json;
    expect([cardCount, new Set(cards.map(({ id }: { id: string }) => id)).size]).toEqual([1101, 1101]);
    expect(cards[0].name).toBe('Zebra');
    const stems = cards.slice(1).map(({ href }: { href: string }) => href);
    expect(stems).toEqual([...stems].sort());
  });

  test('takes its segment in upper case', async () => {
    expect((await api.get('/v1/sets/pokemon/BASE-Base1')).json.href).toBe('/card/pokemon/base-base1');
  });

  test('without cards is an empty success', async () => {
    const { status, json } = await api.get('/v1/sets/mtg/alpha-lea');
    expect([status, json.cardCount, json.cards]).toEqual([200, 0, []]);
  });

  test('is of one game: elsewhere the same segment is 404, and an unknown game is distinguished', async () => {
    expect((await api.get('/v1/sets/yugioh/base-base1')).json.error).toBe('not_found');
    expect((await api.get('/v1/sets/Pokemon/base-base1')).json.error).toBe('unknown_game');
  });
});
