import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { MODEL_VERSION } from '../../../src/pricing/model/params.ts';
import { upgradePrices } from '../../../src/pricing/upgrade.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aVoid, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { priceOn, soldCard } from './world.ts';

const VOIDS = 23;
let database: FreshDatabase;
let db: Db;
let api: TestApp;
let card: string;

type Entry = { id: string; at: string };
const get = async (query: string) => (await api.get(`/v1/corrections?${query}`)).json;
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);

/** Every page from `after` on. */
async function pages(limit: number, after = ''): Promise<Entry[]> {
  const { corrections, nextCursor, hasMore } = await get(`limit=${limit}&after=${after}`);
  expect(hasMore).toBe(nextCursor !== null);
  return nextCursor === null ? corrections : [...corrections, ...(await pages(limit, nextCursor))];
}

beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
  card = await anItem(db);
  await manySales(db, { itemId: card });
  const sales: number[] = [];
  for (let i = 0; i < VOIDS; i++) sales.push(await aSale(db, { itemId: card, sold: `2026-06-${10 + (i % 5)}` }));
  await closeDays(db, '2026-06-20');
  // Some became known at the same moment.
  for (const [i, sale] of sales.entries()) await aVoid(db, sale, 'voided', `2026-06-${21 + (i % 7)}`);
  await closeDays(db, '2026-06-29');
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('the list of corrections', () => {
  test('is in the order in which they became known, newest first, by pages of any size', async () => {
    const { corrections, hasMore } = await get('limit=200');
    expect([corrections.length, hasMore]).toEqual([VOIDS, false]);
    const times = corrections.map(({ at }: Entry) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(times).size).toBe(7);
    for (const limit of [1, 4, 22, 23]) expect(idsOf(await pages(limit))).toEqual(idsOf(corrections));
  });

  test('goes on where a page ended, whatever was added in between', async () => {
    const first = await get('limit=10');
    const rest = await pages(10, first.nextCursor);
    const { odd } = await soldCard(db, '9');
    const early = await aSale(db, { itemId: card, sold: '2026-06-15', known: '2026-06-29' });
    await closeDays(db, '2026-06-30');
    await aVoid(db, odd, 'voided', '2026-06-29');
    await aVoid(db, early, 'unpaid', '2026-07-01');
    await closeDays(db, '2026-07-02');
    expect(await pages(10, first.nextCursor)).toEqual(rest);
    const all = await get('limit=200');
    expect(idsOf(all.corrections).slice(0, 1)).toEqual([`sale-${early}`]);
    expect(all.corrections).toHaveLength(VOIDS + 2);
  });

  test('takes a cursor only as it was sent, with the card that it was made for', async () => {
    const { nextCursor } = await get('limit=5');
    const ofCard = (await get(`limit=5&item=${card}`)).nextCursor;
    expect((await api.get(`/v1/corrections?limit=9&after=${nextCursor}`)).status).toBe(200);
    const last = nextCursor.at(-1) === 'A' ? 'B' : 'A';
    for (const query of [
      `after=${nextCursor.slice(0, -1)}${last}`,
      `after=${nextCursor}=`,
      'after=1',
      `after=${Buffer.from('1.x').toString('base64url')}`,
      `after=${nextCursor}&item=${card}`,
      `after=${ofCard}`,
    ]) {
      const { status, json } = await api.get(`/v1/corrections?${query}`);
      expect([status, json.error, json.errors[0].parameter], query).toEqual([400, 'invalid_cursor', 'after']);
    }
  });

  test('has at most 200 a page, and rejects what is not a limit or an id', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=1.0', 'limit=', 'item=1', 'item=', `item=${card}&item=${card}`])
      expect([query, (await api.get(`/v1/corrections?${query}`)).status]).toEqual([query, 400]);
    const unknown = await api.get('/v1/corrections?item=00000000-0000-4000-8000-000000000000');
    expect([unknown.status, unknown.json.error]).toEqual([404, 'not_found']);
    expect((await get(`item=${card.toUpperCase()}&limit=1`)).corrections[0].item).toBe(card);
  });

  test('keeps the corrections of a withdrawn card', async () => {
    const { id, odd } = await soldCard(db, '12');
    await closeDays(db, '2026-07-03');
    await aVoid(db, odd, 'voided', '2026-07-04');
    await closeDays(db, '2026-07-04');
    await db.query('update items set removed_at = now() where id = $1', [id]);
    expect((await get(`item=${id}`)).corrections).toMatchObject([{ item: id, cause: 'sale_voided' }]);
  });
});

test('the prices of an entry stay, also where the card loses its last sale later', async () => {
  const fresh = await freshDatabase();
  const once = await anItem(fresh.db);
  const [first, last] = [
    await aSale(fresh.db, { itemId: once, sold: '2026-06-01', usdCents: 100_00 }),
    await aSale(fresh.db, { itemId: once, sold: '2026-06-20', usdCents: 180_00 }),
  ];
  await closeDays(fresh.db, '2026-06-24');
  await aVoid(fresh.db, first, 'unpaid', '2026-06-25');
  const app = await testApp(fresh.db);
  const list = async () => (await app.get('/v1/corrections')).json.corrections;
  expect(await list()).toMatchObject([{ priceAfterUsdCents: null }]);
  await closeDays(fresh.db, '2026-06-26');
  const after = await priceOn(fresh.db, once, '2026-06-25');
  expect(after).toBeGreaterThan(100_00);
  await expect.poll(list).toMatchObject([{ priceAfterUsdCents: after }]);
  await aVoid(fresh.db, last, 'unpaid', '2026-06-28');
  await closeDays(fresh.db, '2026-06-29');
  await expect.poll(list).toMatchObject([{ priceAfterUsdCents: null }, { priceAfterUsdCents: after }]);
  await app.app.close();
  await fresh.close();
});

test('another version of the model is one entry for the installation, and the prices of its time stay', async () => {
  const fresh = await freshDatabase();
  const { id, odd } = await soldCard(fresh.db, '1');
  await closeDays(fresh.db, '2026-06-24');
  await aVoid(fresh.db, odd, 'unpaid', '2026-06-25');
  await closeDays(fresh.db, '2026-06-27');
  await fresh.db.query(`update model_state set version = '2'`);
  await fresh.db.query('update market_days set level = level + 0.1');
  const app = await testApp(fresh.db);
  const list = async (query = '') => (await app.get(`/v1/corrections${query}`)).json.corrections;
  const [before] = await list();
  await upgradePrices(fresh.db);
  await closeDays(fresh.db, '2026-06-28');
  const [model, sale, ...more] = await list();
  expect(more).toEqual([]);
  expect(model).toMatchObject({
    id: 'model-2',
    at: '2026-06-28T00:00:00.000Z',
    cause: 'model',
    item: null,
    card: null,
    fromDay: '2026-01-03',
    toDay: '2026-06-27',
    priceBeforeUsdCents: null,
    note: `Version ${MODEL_VERSION} of the price model took over from version 2.`,
    href: '/methodology/model',
  });
  expect(sale).toEqual(before);
  expect(sale.priceBeforeUsdCents).toBe(await priceOn(fresh.db, id, '2026-06-24'));
  expect(await list(`?item=${id}`)).toEqual([sale]);
  await app.app.close();
  await fresh.close();
});
