import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const OTHER_LANGUAGE_ID = '0db0d045-0000-4000-8000-000000000002';
const PATH = '/v1/items/pokemon/base-base1/4-charizard-6e7fdc9a/overview';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anItem(db, { id: ID, upstreamItemId: 'inv-1' });
  await anItem(db, { id: OTHER_LANGUAGE_ID, language: 'Japanese' });
  await manySales(db, { itemId: ID, gradeKey: 'psa-9', usdCents: 200_00 });
  await manySales(db, { itemId: ID, gradeKey: 'psa-10', usdCents: 900_00 });
  await manySales(db, { itemId: ID, gradeKey: 'psa-10', usdCents: 900_00, source: 'goldin', everyDays: 30 });
  // Five years old: too uncertain for a price, and tracked all the same.
  await aSale(db, { itemId: ID, gradeKey: 'cgc-5', sold: '2021-01-01' });
  await aSale(db, { itemId: ID, gradeKey: 'psa-8', sold: '2026-06-01', rejection: 'lot' });
  await aSale(db, { itemId: ID, offScale: { company: 'SGC', grade: '9' }, rejection: 'company_unsupported' });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('the overview', () => {
  test('names the card and its tracked grades, highest price first and unpriced last', async () => {
    const { status, json } = await api.get(PATH);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: ID,
      upstreamItemId: 'inv-1',
      game: 'pokemon',
      type: 'POKEMON',
      name: 'Charizard',
      setName: 'Base',
      setCode: 'base1',
      cardNumber: '4',
      variation: null,
      language: 'English',
      gradeCount: 3,
      href: '/card/pokemon/base-base1/4-charizard-6e7fdc9a',
      attribution: {
        text: 'Reference price by Mintmark',
        url: 'https://prices.example/card/pokemon/base-base1/4-charizard-6e7fdc9a',
      },
    });
    expect(json.grades.map((one: { gradeLabel: string }) => one.gradeLabel)).toEqual(['PSA 10', 'PSA 9', 'CGC 5']);
    const prices = json.grades.map((one: { priceUsdCents: number | null }) => one.priceUsdCents);
    expect(prices[0]).toBeGreaterThan(prices[1]);
    expect(prices[2]).toBeNull();
  });

  test('a rejected sale tracks no grade', async () => {
    const { json } = await api.get(PATH);
    const labels = json.grades.map((one: { gradeLabel: string }) => one.gradeLabel);
    expect(labels).not.toContain('PSA 8');
    expect(labels.join()).not.toContain('SGC');
  });

  test('a grade has its price, evidence and address', async () => {
    const [psa10, , unpriced] = (await api.get(PATH)).json.grades;
    expect(psa10).toMatchObject({
      company: 'PSA',
      grade: '10 Gem Mint',
      sourceCount: 2,
      observationCount: 16,
      updatedAt: '2026-06-30T00:00:00.000Z',
      lastSaleAt: '2026-06-24T00:00:00.000Z',
      estimated: false,
      href: '/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a',
    });
    expect(psa10.priceUsdCents).toBeGreaterThan(800_00);
    expect(psa10.priceUsdCents).toBeLessThan(1000_00);
    expect(psa10.deltaPct).toBe(Math.round(psa10.deltaPct * 100) / 100);
    expect(psa10.confidenceScore).toBeGreaterThan(0.5);
    expect(psa10.spark.length).toBeGreaterThan(10);
    expect(psa10.spark.at(-1)).toBe(psa10.priceUsdCents);
    const { json: card } = await api.get('/v1/items/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a');
    expect(psa10.priceRangeUsdCents).toEqual(card.priceRangeUsdCents);
    expect(psa10.priceRangeUsdCents.low).toBeLessThan(psa10.priceUsdCents);
    expect(unpriced).toMatchObject({ deltaPct: null, confidence: null, confidenceScore: null, spark: [] });
    expect([unpriced.priceRangeUsdCents, unpriced.updatedAt]).toEqual([null, null]);
    expect(unpriced.lastSaleAt).toBe('2021-01-01T00:00:00.000Z');
  });

  test('of a graded slug is that of its card', async () => {
    const graded = await api.get(PATH.replace('-6e7fdc9a', '-psa-9-6e7fdc9a'));
    expect(graded.json).toEqual((await api.get(PATH)).json);
    expect(graded.headers.link).toBe(
      '<https://prices.example/card/pokemon/base-base1/4-charizard-6e7fdc9a>; rel="canonical"',
    );
  });

  test('of a card that never sold has no grades', async () => {
    const { status, json } = await api.get(`/v1/items/by-id/${OTHER_LANGUAGE_ID}/overview`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ gradeCount: 0, grades: [], language: 'Japanese' });
    expect(json.href).toBe('/card/pokemon/base-base1/4-charizard-japanese-0db0d045');
  });
});

describe('before the first close', () => {
  test('a sale prices its grade provisionally, and a cert alone tracks a grade without a price or its moment', async () => {
    const fresh = await freshDatabase();
    const itemId = await anItem(fresh.db);
    await aSale(fresh.db, { itemId, sold: '2026-06-30' });
    const unsold = await anItem(fresh.db, { number: '9', name: 'Unsold' });
    await aCert(fresh.db, { certNumber: '10000001', itemId: unsold });
    const unclosed = await testApp(fresh.db);
    const { status, json } = await unclosed.get(`/v1/items/by-id/${itemId}/overview`);
    expect(status).toBe(200);
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(json.grades).toMatchObject([{ gradeLabel: 'PSA 10', priceUsdCents: expect.any(Number), updatedAt: moment }]);
    const { json: certified } = await unclosed.get(`/v1/items/by-id/${unsold}/overview`);
    expect(certified.grades).toMatchObject([{ gradeLabel: 'PSA 10', priceUsdCents: null, updatedAt: null }]);
    await unclosed.app.close();
    await fresh.close();
  });
});

describe('a set whose cards are distinguished by id', () => {
  test('equal slugs lead to the card of their id', async () => {
    const set = await aSet(database.db, { game: 'gundam', name: 'GD01', code: 'gd01' });
    const plain = await anItem(database.db, { set, id: 'aaaaaaaa-0000-4000-8000-000000000001' });
    const foil = await anItem(database.db, { set, id: 'bbbbbbbb-0000-4000-8000-000000000001', variation: 'Foil' });
    const of = async (id8: string) => (await api.get(`/v1/items/gundam/gd01-gd01/4-charizard-${id8}/overview`)).json.id;
    expect([await of('aaaaaaaa'), await of('bbbbbbbb')]).toEqual([plain, foil]);
  });
});
