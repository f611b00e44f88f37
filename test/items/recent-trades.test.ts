import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { aListing, anItem, aSale, aSet, aVoid, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const pokemon = await anItem(db, { id: '6e7fdc9a-0000-4000-8000-000000000001' });
  const magic = await anItem(db, {
    set: await aSet(db, { game: 'mtg', name: 'Alpha', code: 'lea' }),
    number: null,
    name: 'Black Lotus',
  });
  await manySales(db, { itemId: pokemon, from: '2026-01-01', to: '2026-03-30', everyDays: 1 });
  await aSale(db, { itemId: magic, sold: '2026-06-28', gradeKey: 'bgs-9-5', usdCents: 5_000_00 });
  await aSale(db, { itemId: pokemon, sold: '2026-06-29', rejection: 'lot' });
  await aVoid(db, await aSale(db, { itemId: pokemon, sold: '2026-06-29' }), 'unpaid', '2026-06-30');
  await aListing(db, { itemId: pokemon, firstSeen: '2026-06-29', lastSeen: '2026-06-30' });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('recent trades', () => {
  test('are the newest accepted sales of all cards, newest first, each with its card', async () => {
    const { status, json } = await api.get('/v1/trades/recent');
    expect(status).toBe(200);
    expect(json.trades).toHaveLength(12);
    expect(json.trades[0]).toMatchObject({
      observedAt: '2026-06-28T00:00:00.000Z',
      kind: 'transaction',
      disposition: 'used',
      priceUsdCents: 5_000_00,
      card: {
        game: 'mtg',
        name: 'Black Lotus',
        grade: '9.5 Gem Mint',
        gradeLabel: 'BGS 9.5',
        setCode: 'lea',
        cardNumber: null,
      },
    });
    expect(json.trades[0].card.href).toMatch(/^\/card\/mtg\/alpha-lea\/black-lotus-bgs-9-5-[0-9a-f]{8}$/);
    expect(json.trades[1].card.href).toBe('/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a');
    const times = json.trades.map((one: { observedAt: string }) => one.observedAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(json.trades.map((one: { id: string }) => one.id)).size).toBe(12);
  });

  test('are as many as requested, at most 50', async () => {
    expect((await api.get('/v1/trades/recent?limit=1')).json.trades).toHaveLength(1);
    expect((await api.get('/v1/trades/recent?limit=50')).json.trades).toHaveLength(50);
    for (const limit of ['0', '51', '-1', '5.0', '', 'all', '1&limit=2'])
      expect((await api.get(`/v1/trades/recent?limit=${limit}`)).status, limit).toBe(400);
  });

  test('of an empty ledger are an empty success', async () => {
    const fresh = await freshDatabase();
    const empty = await testApp(fresh.db);
    expect((await empty.get('/v1/trades/recent')).json).toEqual({ trades: [] });
    await empty.app.close();
    await fresh.close();
  });
});
