import { expect } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';
import { aTag, imaged } from '../support/tags.ts';

export type Query = Record<string, string | string[] | undefined>;

/** The real app over a few tagged cards. */
export type SearchWorld = {
  db: Db;
  api: TestApp;
  /** Pokémon cards 1 to 6 of Base by number, with images; the first are in most demand. */
  pokemon: string[];
  /** Gundam cards 1 and 2, with images. */
  gundam: string[];
  /** A live card without an image, a removed one with an image. */
  bare: string;
  removed: string;
  /** 310 Digimon cards of one tag, with images. */
  many: string[];
  /** Sends a query with its values encoded; those undefined are left out. */
  ask(query: Query): ReturnType<TestApp['get']>;
  /** The ids of the results of a query that has to succeed. */
  idsOf(query: Query): Promise<string[]>;
  expectRefused(query: Query, code?: string): Promise<void>;
  /** Builds the index anew. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

export async function searchWorld(): Promise<SearchWorld> {
  const database = await freshDatabase();
  const pokemon: string[] = [];
  const gundam: string[] = [];
  const many: string[] = [];
  const { db } = database;
  const base = await aSet(db);
  const jungle = await aSet(db, { name: 'Jungle', code: 'base2' });
  const first = await aSet(db, { game: 'gundam', name: 'Newtype Rising', code: 'GD01' });
  const crowd = await aSet(db, { game: 'digimon', name: 'Crowd', code: 'BT1' });
  const names = ['Charizard', 'Blastoise', 'Venusaur', 'Pikachu', 'Raichu', 'Mewtwo'];
  for (const [at, name] of names.entries()) pokemon.push(await anItem(db, { set: base, number: String(at + 1), name }));
  await anItem(db, { set: jungle, number: '1', name: 'Flareon' });
  gundam.push(await anItem(db, { set: first, number: 'GD01-001', name: 'Gundam' }));
  gundam.push(await anItem(db, { set: first, number: 'GD01-002', name: 'Charizard Mask' }));
  const bare = await anItem(db, { set: base, number: '7', name: 'Squirtle' });
  const removed = await anItem(db, { set: base, number: '8', name: 'Wartortle' });
  for (let n = 1; n <= 310; n++) many.push(await anItem(db, { set: crowd, number: String(n), name: `Agumon ${n}` }));
  await imaged(db, ...pokemon, ...gundam, ...many, removed);
  await db.query('update items set removed_at = now() where id = $1', [removed]);

  await aTag(db, { slug: 'happy', name: 'Happy', itemIds: [...pokemon.slice(0, 4), bare, removed, gundam[0]!] });
  await aTag(db, { slug: 'calm', name: 'Calm', itemIds: pokemon.slice(2, 6) });
  await aTag(db, { slug: 'retired', itemIds: pokemon, active: false });
  await aTag(db, { slug: 'a:b', itemIds: [pokemon[0]!] });
  await aTag(db, { slug: 'x'.repeat(120), itemIds: [pokemon[1]!] });
  await aTag(db, { slug: 'twice', itemIds: pokemon.slice(0, 2) });
  await aTag(db, { slug: 'twice', game: 'pokemon', itemIds: pokemon.slice(0, 3) });
  await aTag(db, { slug: 'scoped', game: 'pokemon', itemIds: pokemon.slice(0, 1) });
  await aTag(db, { slug: 'scoped', game: 'gundam', itemIds: gundam.slice(0, 1) });
  await aTag(db, { slug: 'crowd', itemIds: many });
  const fire = await aTag(db, { kind: 'character', slug: 'charizard', name: 'Charizard', itemIds: [pokemon[0]!] });
  await db.query(`update tags set aliases = '{Glurak,リザードン}' where id = $1`, [fire]);
  await aTag(db, { kind: 'character', slug: 'charizard', game: 'gundam', itemIds: [gundam[1]!] });
  await aTag(db, { kind: 'character', slug: 'squirtle', name: 'Squirtle', itemIds: [bare] });
  for (const [at, itemId] of pokemon.slice(0, 4).entries()) await manySales(db, { itemId, everyDays: 2 + at * 3 });
  await manySales(db, { itemId: pokemon[0]!, gradeKey: 'psa-9', everyDays: 1 });
  await manySales(db, { itemId: pokemon[5]!, gradeKey: 'raw-A', everyDays: 30 });
  await closeDays(db, '2026-06-27');
  const api = await testApp(db);

  function ask(query: Query) {
    const parts = Object.entries(query).flatMap(([name, values = []]) =>
      [values].flat().map((value) => `${name}=${encodeURIComponent(value)}`),
    );
    return api.get(`/v1/search?${parts.join('&')}`);
  }

  return {
    ...{ db, api, pokemon, gundam, bare, removed, many, ask },
    async idsOf(query) {
      const { status, json } = await ask(query);
      expect(status, JSON.stringify(json)).toBe(200);
      return json.results.map((one: { id: string }) => one.id);
    },
    async expectRefused(query, code = 'invalid_parameter') {
      const { status, json } = await ask(query);
      expect(status, JSON.stringify(query)).toBe(400);
      expect(json.error, JSON.stringify(query)).toBe(code);
    },
    refresh: () => api.context.liveIndex.refresh(),
    async close() {
      await api.app.close();
      await database.close();
    },
  };
}
