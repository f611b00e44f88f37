import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GAMES, INDEXED_GAMES } from '../../src/catalog/games.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { imaged } from '../support/tags.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const base = await aSet(db);
  const jungle = await aSet(db, { name: 'Jungle', code: 'base2' });
  await db.query(`update sets set year = case segment when 'base-base1' then 1999 else 2001 end`);
  const sold = await anItem(db, { set: base, number: '1' });
  await anItem(db, { set: base, number: '2' });
  await anItem(db, { set: base, number: '2', language: 'Japanese' });
  const gone = await anItem(db, { set: jungle, number: '3', language: 'German' });
  await imaged(db, sold, gone);
  await db.query('update items set removed_at = now() where id = $1', [gone]);
  await manySales(db, { itemId: sold });
  await manySales(db, { itemId: gone });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('games', () => {
  test('all nine are listed, those without a card with zeros', async () => {
    const { status, json } = await api.get('/v1/games');
    expect(status).toBe(200);
    expect(json.games.map((one: { game: string }) => one.game)).toEqual([...GAMES]);
    for (const { game, indexed } of json.games) expect(indexed, game).toBe(INDEXED_GAMES.includes(game));
    expect(json.games.find((one: { game: string }) => one.game === 'gundam')).toEqual({
      game: 'gundam',
      label: 'Gundam',
      type: 'GUNDAM',
      indexed: false,
      setCount: 0,
      itemCount: 0,
      imagedCount: 0,
      soldCount: 0,
      languages: [],
      newestSetYear: null,
    });
  });

  test('counts are of live cards: a removed card, and a set of removed cards, count nowhere', async () => {
    const { json } = await api.get('/v1/games');
    expect(json.games[0]).toEqual({
      game: 'pokemon',
      label: 'Pokémon',
      type: 'POKEMON',
      indexed: true,
      setCount: 1,
      itemCount: 3,
      imagedCount: 1,
      soldCount: 1,
      languages: [
        { language: 'English', itemCount: 2 },
        { language: 'Japanese', itemCount: 1 },
      ],
      newestSetYear: 1999,
    });
  });
});
