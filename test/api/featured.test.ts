import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Game } from '../../src/catalog/games.ts';
import type { Sql } from '../../src/db/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
let api: TestApp;

/** A card that sold steadily for 100 dollars until last week; returns its id. */
async function aSteadyCard(sql: Sql, game: Game, name: string): Promise<string> {
  const itemId = await anItem(sql, { set: await aSet(sql, { game }), name });
  await manySales(sql, { itemId, from: '2026-01-01', to: '2026-06-20', everyDays: 2 });
  return itemId;
}

/** Three sales of this week at another price. */
async function moves(sql: Sql, itemId: string, usdCents: number, gradeKey = 'psa-10'): Promise<void> {
  for (const sold of ['2026-06-26', '2026-06-27', '2026-06-28']) await aSale(sql, { itemId, sold, usdCents, gradeKey });
}

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await moves(db, await aSteadyCard(db, 'pokemon', 'Riser'), 200_00);
  await moves(db, await aSteadyCard(db, 'sports', 'Faller'), 25_00);
  await moves(db, await aSteadyCard(db, 'mtg', 'Catalog only'), 300_00);
  await moves(db, await aSteadyCard(db, 'pokemon', 'Unmoved'), 100_00);
  await aSteadyCard(db, 'pokemon', 'Unsold this week');
  const both = await aSteadyCard(db, 'pokemon', 'Two grades');
  await manySales(db, { itemId: both, gradeKey: 'psa-9', from: '2026-01-01', to: '2026-06-20', everyDays: 2 });
  await moves(db, both, 200_00);
  await moves(db, both, 250_00, 'psa-9');
  for (let n = 1; n <= 30; n++) await aSteadyCard(db, 'one-piece', `Market ${n}`);
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('featured cards', () => {
  test('are the largest seven-day moves, up or down, of indexed games; with a sale of the week behind them', async () => {
    const { status, json, headers } = await api.get('/v1/items/featured');
    expect(status).toBe(200);
    const names = json.cards.map((one: { name: string }) => one.name);
    expect(names).toContain('Riser');
    expect(names).toContain('Faller');
    for (const absent of ['Catalog only', 'Unmoved', 'Unsold this week']) expect(names).not.toContain(absent);
    const sizes = json.cards.map((one: { deltaPct: number }) => Math.abs(one.deltaPct));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(json.cards[0]).toMatchObject({ gradeLabel: expect.stringMatching(/^PSA/), tags: [] });
    expect(headers['last-modified']).toMatch(/GMT$/);
  });

  test('are one tile a card: the grade that moved most stands for it', async () => {
    const { cards } = (await api.get('/v1/items/featured')).json;
    const tiles = cards.filter((one: { name: string }) => one.name === 'Two grades');
    const { grades } = (await api.get(`/v1/items/by-id/${tiles[0].id}/overview`)).json;
    const moved = grades.map((one: { deltaPct: number }) => one.deltaPct);
    expect([tiles.length, tiles[0].deltaPct]).toEqual([1, Math.max(...moved)]);
    expect(new Set(cards.map((one: { id: string }) => one.id)).size).toBe(cards.length);
  });

  test('leave out a move that only repeats the market, however large, and one without a sale behind it', async () => {
    const market = await freshDatabase();
    for (let n = 1; n <= 30; n++) {
      const itemId = await aSteadyCard(market.db, 'one-piece', `Market ${n}`);
      await moves(market.db, itemId, 110_00);
    }
    await aSteadyCard(market.db, 'one-piece', 'Carried along');
    await closeDays(market.db);
    const fallen = await testApp(market.db);
    expect((await fallen.get('/v1/items/featured')).json.cards).toEqual([]);
    const [set] = await market.db.query<{ segment: string }>('select segment from sets');
    const { cards } = (await fallen.get(`/v1/sets/one-piece/${set!.segment}`)).json;
    for (const { deltaPct, name } of cards) expect(deltaPct, name).toBeGreaterThan(3);
    await fallen.app.close();
    await market.close();
  });

  test('say the move that the card itself says', async () => {
    for (const { href, deltaPct, priceUsdCents } of (await api.get('/v1/items/featured')).json.cards) {
      const { json } = await api.get(href.replace('/card', '/v1/items'));
      expect([json.deltaPct, json.priceUsdCents], href).toEqual([deltaPct, priceUsdCents]);
    }
  });

  test('are as many as asked, at most 48', async () => {
    expect((await api.get('/v1/items/featured?limit=1')).json.cards).toHaveLength(1);
    expect((await api.get('/v1/items/featured?limit=48')).status).toBe(200);
    for (const limit of ['0', '49', '-1', 'x', '', '1&limit=2'])
      expect((await api.get(`/v1/items/featured?limit=${limit}`)).status, limit).toBe(400);
  });

  test('are none before the first close', async () => {
    const fresh = await freshDatabase();
    await aSteadyCard(fresh.db, 'pokemon', 'Waiting');
    const unclosed = await testApp(fresh.db);
    expect((await unclosed.get('/v1/items/featured')).json).toEqual({ cards: [] });
    await unclosed.app.close();
    await fresh.close();
  });
});
