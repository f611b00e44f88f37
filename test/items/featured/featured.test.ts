import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Game } from '../../../src/catalog/games.ts';
import type { Sql } from '../../../src/db/client.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;

/** A card that sold steadily for 100 dollars until last week; returns its id. */
async function aSteadyCard(sql: Sql, game: Game, name: string): Promise<string> {
  const itemId = await anItem(sql, { set: await aSet(sql, { game }), name });
  await manySales(sql, { itemId, from: '2026-01-01', to: '2026-06-20', everyDays: 2 });
  return itemId;
}

/** Four sales of this week at another price: the third confirms it, the fourth counts whole as it does. */
async function moves(sql: Sql, itemId: string, usdCents: number, gradeKey = 'psa-10'): Promise<void> {
  for (const sold of ['2026-06-25', '2026-06-26', '2026-06-27', '2026-06-28'])
    await aSale(sql, { itemId, sold, usdCents, gradeKey });
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
  await moves(db, both, 130_00);
  await moves(db, both, 150_00, 'psa-9');
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
    const { status, json } = await api.get('/v1/items/featured');
    expect(status).toBe(200);
    const names = json.cards.map((one: { name: string }) => one.name);
    expect(names).toContain('Riser');
    expect(names).toContain('Faller');
    expect(names).not.toContain('Catalog only');
    const ofWeek = json.cards.filter((one: { moveWindowDays: number }) => one.moveWindowDays === 7);
    for (const absent of ['Unmoved', 'Unsold this week'])
      expect(ofWeek.map((one: { name: string }) => one.name)).not.toContain(absent);
    const sizes = ofWeek.map((one: { movePct: number }) => Math.abs(one.movePct));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(json.cards[0]).toMatchObject({ gradeLabel: expect.stringMatching(/^PSA/), tags: [] });
  });

  test('are one tile a card: the grade that moved most represents it', async () => {
    const { cards } = (await api.get('/v1/items/featured')).json;
    const tiles = cards.filter((one: { name: string }) => one.name === 'Two grades');
    const { grades } = (await api.get(`/v1/items/by-id/${tiles[0].id}/overview`)).json;
    const moved = grades.map((one: { deltaPct: number }) => one.deltaPct);
    expect([tiles.length, tiles[0].deltaPct]).toEqual([1, Math.max(...moved)]);
    expect(new Set(cards.map((one: { id: string }) => one.id)).size).toBe(cards.length);
  });

  test('leave out a card that its market carries along without a sale of its own', async () => {
    const market = await freshDatabase();
    for (let n = 1; n <= 30; n++) {
      const itemId = await aSteadyCard(market.db, 'one-piece', `Market ${n}`);
      await moves(market.db, itemId, 110_00);
    }
    const carried = await anItem(market.db, {
      set: await aSet(market.db, { game: 'one-piece' }),
      name: 'Carried along',
    });
    await manySales(market.db, { itemId: carried, from: '2026-01-01', to: '2026-05-25', everyDays: 2 });
    await closeDays(market.db);
    const risen = await testApp(market.db);
    const { cards } = (await risen.get('/v1/items/featured?limit=48')).json;
    expect(cards.length).toBe(30);
    expect(cards.map((one: { name: string }) => one.name)).not.toContain('Carried along');
    await risen.app.close();
    await market.close();
  });

  test('name the window and the sales that the move rests on; longer windows fill the list', async () => {
    const later = await freshDatabase();
    const { db } = later;
    const weeks: [name: string, sold: string[]][] = [
      ['This week', ['2026-06-25', '2026-06-28']],
      ['Last week', ['2026-06-17', '2026-06-19']],
      ['This month', ['2026-06-03', '2026-06-05']],
      ['Two months ago', ['2026-05-10', '2026-05-12']],
    ];
    for (const [name, sold] of weeks) {
      const itemId = await anItem(db, { set: await aSet(db, { game: 'pokemon' }), name });
      await manySales(db, { itemId, from: '2026-01-01', to: '2026-05-01', everyDays: 2 });
      for (const [n, day] of sold.entries()) await aSale(db, { itemId, sold: day, usdCents: 118_00 + 100 * n });
    }
    for (let n = 1; n <= 30; n++) await aSteadyCard(db, 'one-piece', `Market ${n}`);
    await closeDays(db);
    const app = await testApp(db);
    const { cards } = (await app.get('/v1/items/featured?limit=48')).json;
    const rows = cards
      .filter(({ game }: { game: string }) => game === 'pokemon')
      .map((one: Record<string, unknown>) => [one.name, one.moveWindowDays, one.saleCount, one.lastSaleUsdCents]);
    expect(rows).toEqual([
      ['This week', 7, 2, 119_00],
      ['Last week', 14, 2, 119_00],
      ['This month', 30, 2, 119_00],
    ]);
    for (const { movePct } of cards.slice(0, 3)) expect(movePct).toBeGreaterThan(1);
    const home = await app.get('/');
    expect(home.text).toMatch(/2 sales in 14 days, last \$119/);
    await app.app.close();
    await later.close();
  });

  test('have the move of their own page, with the sales since the close', async () => {
    const later = await freshDatabase();
    const { db } = later;
    const [riser, faller] = [await aSteadyCard(db, 'pokemon', 'Riser'), await aSteadyCard(db, 'pokemon', 'Back again')];
    for (const itemId of [riser, faller]) await moves(db, itemId, 120_00);
    for (let n = 1; n <= 30; n++) await aSteadyCard(db, 'one-piece', `Market ${n}`);
    await closeDays(db);
    await aSale(db, { itemId: riser, sold: '2026-06-30', usdCents: 123_00 });
    // Reported late: it is not the newest.
    await aSale(db, { itemId: riser, sold: '2026-06-26', known: '2026-06-30', usdCents: 121_00 });
    for (let n = 0; n < 4; n++) await aSale(db, { itemId: faller, sold: '2026-06-30', usdCents: 92_00 + n });
    const app = await testApp(db, { today: '2026-06-30' });
    const ofWeek = (await app.get('/v1/items/featured?limit=48')).json.cards.filter(
      (one: { moveWindowDays: number }) => one.moveWindowDays === 7,
    );
    const row = ofWeek.find((one: { id: string }) => one.id === riser);
    const { json: page } = await app.get(row.href.replace('/card/', '/v1/items/'));
    expect(row).toMatchObject({
      movePct: page.deltas.d7,
      priceUsdCents: page.priceUsdCents,
      saleCount: 6,
      lastSaleUsdCents: 123_00,
      lastSaleAt: '2026-06-30T00:00:00.000Z',
    });
    expect(ofWeek.map((one: { id: string }) => one.id)).toEqual([riser]);
    await app.app.close();
    await later.close();
  });

  test.each([
    ['agrees with the price before', 104_00, true],
    ['is far from it', 190_00, false],
  ])('with a single sale are listed when it %s', async (_, usdCents, isListed) => {
    const single = await freshDatabase();
    const itemId = await aSteadyCard(single.db, 'pokemon', 'Single');
    for (let n = 1; n <= 30; n++) await aSteadyCard(single.db, 'one-piece', `Market ${n}`);
    await aSale(single.db, { itemId, sold: '2026-06-28', usdCents });
    await closeDays(single.db);
    const app = await testApp(single.db);
    const { cards } = (await app.get('/v1/items/featured?limit=48')).json;
    const row = cards.find(
      ({ id, moveWindowDays }: { id: string; moveWindowDays: number }) => id === itemId && moveWindowDays === 7,
    );
    expect(row?.saleCount).toBe(isListed ? 1 : undefined);
    await app.app.close();
    await single.close();
  });

  test('do not rest on sales that count less', async () => {
    const doubted = await freshDatabase();
    const itemId = await aSteadyCard(doubted.db, 'pokemon', 'Doubted');
    for (let n = 1; n <= 30; n++) await aSteadyCard(doubted.db, 'one-piece', `Market ${n}`);
    // Far from the price, on two days of one source: they move it a little and are not believed.
    for (const sold of ['2026-06-26', '2026-06-27'])
      await aSale(doubted.db, { itemId, sold, usdCents: 300_00, source: 'house' });
    await closeDays(doubted.db);
    const app = await testApp(doubted.db);
    const { trades } = (await app.get(`/v1/items/by-id/${itemId}/trades?source=house`)).json;
    expect(trades.map(({ disposition }: { disposition: string }) => disposition)).toEqual(
      Array(2).fill('downweighted'),
    );
    expect(Math.abs((await app.get(`/v1/items/by-id/${itemId}`)).json.deltaPct)).toBeGreaterThan(1);
    const { cards } = (await app.get('/v1/items/featured?limit=48')).json;
    expect(cards.map(({ name, moveWindowDays }: Record<string, unknown>) => `${name} ${moveWindowDays}`)).not.toContain(
      'Doubted 7',
    );
    await app.app.close();
    await doubted.close();
  });

  test('say the move that the card itself says', async () => {
    for (const { href, deltaPct, priceUsdCents } of (await api.get('/v1/items/featured')).json.cards) {
      const { json } = await api.get(href.replace('/card', '/v1/items'));
      expect([json.deltaPct, json.priceUsdCents], href).toEqual([deltaPct, priceUsdCents]);
    }
  });

  test('are as many as requested, at most 48', async () => {
    expect((await api.get('/v1/items/featured?limit=1')).json.cards).toHaveLength(1);
    expect((await api.get('/v1/items/featured?limit=48')).status).toBe(200);
    for (const limit of ['0', '49', '-1', 'x', '', '1&limit=2'])
      expect((await api.get(`/v1/items/featured?limit=${limit}`)).status, limit).toBe(400);
  });

  test('is empty before the first close', async () => {
    const fresh = await freshDatabase();
    await aSteadyCard(fresh.db, 'pokemon', 'Waiting');
    const unclosed = await testApp(fresh.db);
    expect((await unclosed.get('/v1/items/featured')).json).toEqual({ cards: [] });
    await unclosed.app.close();
    await fresh.close();
  });
});
