import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  for (const number of ['01', '02', '03']) await anItem(db, { set, number, name: 'Charizard' });
  await anItem(db, { set, number: '02', name: 'Charizard', language: 'Japanese' });
  for (let n = 1; n <= 30; n++) await anItem(db, { set, number: '02', name: 'Charizard', variation: `Refractor ${n}` });
  const sold = await anItem(db, { set, number: '09', name: 'Sold' });
  await manySales(db, { itemId: sold });
  await anItem(db, { set: await aSet(db, { name: 'Jungle', code: 'base2' }), number: '01', name: 'Elsewhere' });
  const row = await aSet(db, { name: 'Row', code: 'row1' });
  for (let n = 1; n <= 30; n++) {
    const itemId = await anItem(db, { set: row, number: String(n).padStart(2, '0'), name: 'In a row' });
    if (n === 3 || n === 28) await manySales(db, { itemId });
  }
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('similar cards', () => {
  test('are other cards of the same set and language, each once, priced ones first', async () => {
    const [card] = (await api.get('/v1/sets/pokemon/base-base1')).json.cards.filter(
      (one: { cardNumber: string; variation: string | null; language: string }) =>
        one.cardNumber === '02' && one.variation === null && one.language === 'English',
    );
    const { status, json } = await api.get(`${card.href.replace('/card', '/v1/items')}/similar`);
    expect(status).toBe(200);
    expect(json.similar.map((one: { cardNumber: string }) => one.cardNumber)).toEqual(['09', '01', '03']);
    expect(json.similar[0]).toMatchObject({ gradeLabel: 'PSA 10', tags: [] });
  });

  test('a card of many parallels is one neighbor of the next card', async () => {
    const { json } = await api.get('/v1/items/pokemon/base-base1/01-charizard/similar');
    const numbers = json.similar.map((one: { cardNumber: string }) => one.cardNumber);
    expect(numbers).toEqual(['09', '02', '03']);
    expect(json.similar[1].variation).toBeNull();
  });

  test('of a large set the nearest in print, and before them one that has sold', async () => {
    const { json } = await api.get('/v1/items/pokemon/row-row1/15-in-a-row/similar');
    const numbers = json.similar.map((one: { cardNumber: string }) => one.cardNumber);
    expect(numbers).toEqual(['03', '09', '10', '11', '12', '13', '14', '16', '17', '18', '19', '20']);
  });

  test('a page shows the six nearest of them, in one row', async () => {
    const { headers } = await api.get('/card/pokemon/row-row1/15-in-a-row');
    const { text } = await api.get(headers.location as string);
    const tiles = text.split('id="similar"')[1]!.split('</section>')[0]!;
    const numbers = [...tiles.matchAll(/href="\/card\/pokemon\/row-row1\/(\d+)-/g)].map(([, number]) => number);
    expect([...new Set(numbers)].sort()).toEqual(['03', '12', '13', '14', '16', '17']);
  });
});
