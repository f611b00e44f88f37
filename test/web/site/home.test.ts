import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moversOver } from '../../../src/pricing/read/movers.ts';
import type { PricedDb } from '../../../src/pricing/read/quotes.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anIndex, anItem, aSale, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { complaintsOf, typesOf } from '../../support/structured-data.ts';
import { HOSTILE_NAME } from '../world.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const items = await anIndex(db);
  await db.query('update items set name = $2 where id = $1', [items[0], HOSTILE_NAME]);
  await aSale(db, { itemId: items[0]!, sold: '2026-06-30', known: '2026-06-30' });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const HTML = { accept: 'text/html' };

describe('the home page', () => {
  test('shows indices, latest sales and games, with the numbers of the API', async () => {
    const { status, text } = await api.get('/', HTML);
    expect(status).toBe(200);
    const [{ indices }, { trades }, { games }] = await Promise.all(
      ['/v1/indices', '/v1/trades/recent', '/v1/games'].map(async (path) => (await api.get(path)).json),
    );
    expect(text).toContain(indices[0].value.toLocaleString('en-US', { minimumFractionDigits: 2 }));
    for (const { card } of trades) expect(text).toContain(`href="${card.href}"`);
    for (const { game } of games) expect(text).toContain(`href="/card/${game}"`);
    expect(text).toContain('<form action="/search" method="get">');
    expect(text).not.toMatch(/<script>alert| style=/);
  });

  test('shows the movers of the API, and where there are none says what it takes to be one', async () => {
    const { text } = await api.get('/', HTML);
    const { cards } = (await api.get('/v1/items/featured')).json;
    for (const { href } of cards) expect(text).toContain(`class="tile-name" href="${href}"`);
    expect(text.includes('No card has moved on its own sales')).toBe(cards.length === 0);
  });

  test('does not wait for moves that are still computed, and is not kept without them', async () => {
    const db: PricedDb = api.context.db;
    await moversOver(db, 7);
    const { byWindow } = db.prices!.movers!;
    byWindow.set(7, new Promise(() => {}));
    const { status, headers, text } = await api.get('/', HTML);
    byWindow.delete(7);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(text).toContain('The moves of the last close are being computed.');
    expect((await api.get('/', HTML)).headers['cache-control']).toContain('max-age=60');
  });

  test('says who publishes it and that it is a site, and nothing more', async () => {
    const { text } = await api.get('/', HTML);
    expect(typesOf(text)).toEqual(['Organization', 'WebSite']);
    expect(await complaintsOf(text)).toEqual([]);
    expect(text).toContain('<link rel="canonical" href="https://prices.example/"/>');
  });

  test('is whole over an empty catalog', async () => {
    const empty = await freshDatabase();
    const young = await testApp(empty.db);
    const { status, text } = await young.get('/', HTML);
    expect(status).toBe(200);
    for (const said of ['No index has started yet', 'No card has moved on its own sales', 'No sale is recorded yet'])
      expect(text).toContain(said);
    await young.app.close();
    await empty.close();
  });

  test('draws a card whose price began within the year from its first price on', async () => {
    const { db, close } = await freshDatabase();
    const itemId = await anItem(db);
    await manySales(db, { itemId, from: '2026-06-19', to: '2026-06-28', everyDays: 1 });
    await closeDays(db);
    const young = await testApp(db);
    const { text } = await young.get('/', HTML);
    expect(text).toContain('PSA 10, all time: reference price from');
    expect(text).toContain('1 card from 1 game. Have a slab');
    const line = /<path class="chart-line" d="M([\d.]+)/.exec(text);
    expect(Number(line![1])).toBe(0);
    await young.app.close();
    await close();
  });

  test('takes from no budget', async () => {
    const limited = await testApp(database.db, { env: { LIMITS: 'on' } });
    const { headers, status } = await limited.get('/', HTML);
    expect([status, headers['x-ratelimit-limit']]).toEqual([200, undefined]);
    await limited.app.close();
  });
});
