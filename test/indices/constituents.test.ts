import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeIndices } from '../../src/indices/close/close.ts';
import { parseDay } from '../../src/lib/day.ts';
import { usd, usdToTheCent } from '../../src/web/format.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const CLOSED = '2026-06-29';

let database: FreshDatabase;
let api: TestApp;
/** The constituents that sold in the last seven days, for more than before. */
const sold: string[] = [];

/** A live index of expensive cards, of which two sold in its last seven days. */
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  for (let n = 1; n <= 25; n++) {
    const itemId = await anItem(db, { set, number: String(n), name: `Card ${n}` });
    const usdCents = 12_000_37 + n * 1_234_56;
    await manySales(db, { itemId, from: '2026-01-01', to: '2026-06-19', everyDays: 4, usdCents });
    if (n < 24) continue;
    sold.push(itemId);
    await manySales(db, {
      itemId,
      from: '2026-06-24',
      to: '2026-06-28',
      everyDays: 2,
      usdCents: Math.round(usdCents * 1.07),
    });
  }
  await closeDays(db, CLOSED);
  await closeIndices(db, { through: parseDay(CLOSED)! });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const detail = async () => (await api.get('/v1/indices/pokemon')).json;

test('top movers are fewer than three where fewer members sold in seven days', async () => {
  const { topMovers, constituents } = await detail();
  expect(constituents.length).toBeGreaterThan(10);
  const names = topMovers.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(['Card 24', 'Card 25']);
});

test('prices of constituents are to the cent in columns, Markdown and feeds, in whole dollars from 10,000 elsewhere', async () => {
  const own = (await detail()).constituents.find(({ id }: { id: string }) => id === sold[0]);
  const price = own.priceUsdCents;
  expect(price).toBeGreaterThan(1_000_000);
  const inColumns = ['/indices/pokemon', '/card/pokemon/base-base1'];
  for (const path of [...inColumns, '/indices/pokemon.md', '/movers.xml', '/card/pokemon/base-base1.md'])
    expect((await api.get(path)).text, path).toContain(usdToTheCent(price));
  const { text } = await api.get('/', { accept: 'text/html' });
  expect(text).toContain(usd(price));
  expect(text.replace(/<script[^>]*json.*?<\/script>/gs, '')).not.toContain(usdToTheCent(price));
});

test('constituents show the close and its day; their links show the present price', async () => {
  const before = await detail();
  expect(before.asOf).toBe(CLOSED);
  const own = before.constituents.find(({ id }: { id: string }) => id === sold[1]);
  const card = async () => (await api.get(own.href.replace('/card', '/v1/items'))).json;
  expect((await card()).priceUsdCents).toBe(own.priceUsdCents);
  // Recorded after the close: the card's price counts it at once.
  await aSale(database.db, { itemId: sold[1]!, sold: '2026-06-30', usdCents: Math.round(own.priceUsdCents * 1.3) });
  const now = await card();
  expect(now.priceUsdCents).toBeGreaterThan(own.priceUsdCents);
  const { constituents, asOf } = await detail();
  expect([asOf, constituents]).toEqual([CLOSED, before.constituents]);
  const page = (await api.get('/indices/pokemon', { accept: 'text/html' })).text;
  expect(page).toContain(`datetime="${CLOSED}`);
  expect(page).toContain(`href="${own.href}"`);
  expect(page).not.toContain(usd(now.priceUsdCents));
});

test('until the index has closed a day too, constituents show the close of their prices, and its day', async () => {
  await closeDays(database.db, '2026-06-30');
  const { asOf, sparkline, constituents } = await detail();
  expect(sparkline.at(-1).t).toBe(`${CLOSED}T00:00:00.000Z`);
  const own = constituents.find(({ id }: { id: string }) => id === sold[1]);
  const then = await api.get(`${own.href.replace('/card', '/v1/items')}?asOf=${asOf}`);
  expect([asOf, own.priceUsdCents]).toEqual(['2026-06-30', then.json.priceUsdCents]);
});

test('until then there is no index as of that day', async () => {
  for (const path of ['/v1/indices/pokemon?asOf=', '/v1/indices/pokemon/series?asOf=', '/indices/pokemon?on=']) {
    const statuses = [CLOSED, '2026-06-30'].map(async (day) => (await api.get(path + day)).status);
    expect([path, await Promise.all(statuses)]).toEqual([path, [200, 404]]);
  }
  await closeIndices(database.db, { through: parseDay('2026-06-30')! });
  expect((await api.get('/v1/indices/pokemon?asOf=2026-06-30')).json.value).toBe((await detail()).value);
});
