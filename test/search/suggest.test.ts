import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
let charizard: string;

const LONG = 'The Most Dangerous Gamer of All the Very Long Names That Were Ever Printed';

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const base = await aSet(db);
  charizard = await anItem(db, { set: base });
  await anItem(db, { set: base, variation: '1st Edition' });
  await anItem(db, { set: base, language: 'Japanese' });
  const blastoise = await anItem(db, { set: base, number: '2', name: 'Blastoise' });
  await anItem(db, { set: base, number: null, name: 'Chansey' });
  await anItem(db, { set: await aSet(db, { name: 'A Set of a Long Name Too', code: 'x' }), number: '42', name: LONG });
  const crowd = await aSet(db, { game: 'digimon', name: 'Crowd', code: 'BT1' });
  for (let n = 1; n <= 12; n++) await anItem(db, { set: crowd, number: `BT1-${n}`, name: 'Agumon' });
  await manySales(db, { itemId: charizard });
  await manySales(db, { itemId: blastoise });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const ask = (q: string, more = '') => api.get(`/v1/search/suggest?q=${encodeURIComponent(q)}${more}`);
type Suggestion = { text: string; id: string; name: string };

describe('suggestions', () => {
  test('are cards by what has been typed so far, each once however many printings it has', async () => {
    const { status, json } = await ask('chariz');
    expect(status).toBe(200);
    expect(json).toEqual({
      query: 'chariz',
      suggestions: [
        {
          text: 'Charizard Base 4',
          id: charizard,
          game: 'pokemon',
          name: 'Charizard',
          setName: 'Base',
          variation: null,
          language: 'English',
          cardNumber: '4',
          printedNumber: '4',
          imageUrlThumb: null,
          href: expect.stringMatching(/^\/card\/pokemon\/base-base1\/4-charizard/),
        },
      ],
    });
  });

  test('come from two letters on, and through typing errors', async () => {
    for (const q of ['ch', 'Ch', 'charizrd', 'base chariz', 'psa 10 charizard']) {
      const { suggestions } = (await ask(q)).json;
      expect(
        suggestions.slice(0, 2).map(({ name }: Suggestion) => name),
        q,
      ).toContain('Charizard');
    }
  });

  test('are texts that find the card when they are searched for, and short enough to be', async () => {
    for (const q of ['chariz', 'blasto', 'chansey', 'agumon', 'dangerous gamer']) {
      const { json } = await ask(q);
      expect(json.suggestions.length, q).toBeGreaterThan(0);
      for (const { text, id } of json.suggestions as Suggestion[]) {
        expect([...text].length, text).toBeLessThanOrEqual(80);
        const found = await api.get(`/v1/search?q=${encodeURIComponent(text)}`);
        expect(found.json.results[0].id, text).toBe(id);
      }
    }
  });

  test('are 10 by default, and from 1 to 10', async () => {
    expect((await ask('agumon')).json.suggestions).toHaveLength(10);
    expect((await ask('agumon', '&limit=1')).json.suggestions).toHaveLength(1);
    expect((await ask('agumon', '&limit=10')).json.suggestions).toHaveLength(10);
    for (const limit of ['', '0', '11', '-1', '01', '1.0', '1e0', 'ten'])
      expect((await ask('agumon', `&limit=${limit}`)).status, limit).toBe(400);
  });

  test('nothing found is an empty success', async () => {
    for (const q of ['qqqqqqqq', '  ', '??', '\u0001\u0001', '\u200b\u200b'])
      expect((await ask(q)).json.suggestions, JSON.stringify(q)).toEqual([]);
  });
});

describe('the query', () => {
  test('has 2 to 80 characters, counted as code points', async () => {
    for (const sign of ['a', '龍', '😀']) {
      expect((await ask(sign.repeat(2))).status).toBe(200);
      expect((await ask(sign.repeat(80))).status).toBe(200);
      expect((await ask(sign)).status).toBe(400);
      expect((await ask(sign.repeat(81))).status).toBe(400);
    }
    expect((await ask('')).status).toBe(400);
    expect((await api.get('/v1/search/suggest')).status).toBe(400);
  });

  test('repeated is 400', async () => {
    expect((await ask('charizard', '&q=charizard')).status).toBe(400);
    expect((await ask('charizard', '&limit=1&limit=1')).status).toBe(400);
  });
});

test('an index that cannot be read is 503 with Retry-After', async () => {
  const broken = await freshDatabase();
  const there = await testApp(broken.db);
  await broken.db.query('alter table items rename to items_away');
  const { status, headers, json } = await there.get('/v1/search/suggest?q=charizard');
  expect(status).toBe(503);
  expect(json.error).toBe('unavailable');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  await there.app.close();
  await broken.close();
});
