import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { aListing, anItem, aSale, aVoid, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const CARD = '/v1/items/pokemon/base-base1/4-charizard-6e7fdc9a/series';
const PSA_10 = '/v1/items/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a/series';

type Point = { t: string; usdCents: number; n: number; kind: string; gradeLabel: string };

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anItem(db, { id: ID });
  await aSale(db, { itemId: ID, sold: '2026-06-20', usdCents: 100_00 });
  await aSale(db, { itemId: ID, sold: '2026-06-20', soldTime: '23:59:59', usdCents: 105_00 });
  await aSale(db, { itemId: ID, sold: '2026-06-21', usdCents: 200_00 });
  await aSale(db, { itemId: ID, sold: '2026-06-20', gradeKey: 'psa-9', usdCents: 50_00 });
  await aSale(db, { itemId: ID, sold: '2026-06-20', usdCents: 900_00, rejection: 'lot' });
  const unpaid = await aSale(db, { itemId: ID, sold: '2026-06-20', usdCents: 900_00 });
  await aVoid(db, unpaid, 'unpaid', '2026-06-22');
  await aSale(db, { itemId: ID, sold: '2021-01-01', usdCents: 10_00 });
  await aListing(db, { itemId: ID, firstSeen: '2026-06-20', lastSeen: '2026-06-22', usdCents: 130_00 });
  await aListing(db, {
    itemId: ID,
    firstSeen: '2026-06-21',
    lastSeen: '2026-06-29',
    endedAt: '2026-06-21',
    usdCents: 150_00,
  });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

async function points(path: string): Promise<Point[]> {
  const { status, json } = await api.get(path);
  expect(status, path).toBe(200);
  return json.points;
}
const short = (all: Point[]) => all.map(({ t, kind, usdCents, n }) => [t.slice(5, 10), kind, usdCents, n]);

describe('the price series', () => {
  test('has a point a day, kind and grade: the average of accepted sales, and separately of the asks live that day', async () => {
    expect(short(await points(PSA_10))).toEqual([
      ['06-20', 'listing', 130_00, 1],
      ['06-20', 'transaction', 102_50, 2],
      ['06-21', 'listing', 140_00, 2],
      ['06-21', 'transaction', 200_00, 1],
      ['06-22', 'listing', 130_00, 1],
    ]);
  });

  test('counts a sale at 00:00Z in its own day alone, and one at 23:59:59Z in the same', async () => {
    const sales = (await points(PSA_10)).filter(({ kind }) => kind === 'transaction');
    expect(sales.map(({ t, n }) => [t, n])).toEqual([
      ['2026-06-20T00:00:00.000Z', 2],
      ['2026-06-21T00:00:00.000Z', 1],
    ]);
  });

  test('is of every grade on a slug without one, of the representative one by id', async () => {
    const labels = async (path: string) => new Set((await points(path)).map(({ gradeLabel }) => gradeLabel));
    expect(await labels(CARD)).toEqual(new Set(['PSA 10', 'PSA 9']));
    expect((await labels(`/v1/items/by-id/${ID}/series`)).size).toBe(1);
  });

  test('reaches 90 days back with today by default', async () => {
    const { json } = await api.get(PSA_10);
    expect(json.windowDays).toBe(90);
    expect(short(await points(`${PSA_10}?window=10`)).map(([day]) => day)).toEqual(['06-21', '06-21', '06-22']);
    expect((await points(`${PSA_10}?window=9`)).map(({ t }) => t.slice(0, 10))).toEqual(['2026-06-22']);
    for (const window of ['all', '36500']) {
      const all = await api.get(`${PSA_10}?window=${window}`);
      expect([all.json.windowDays, all.json.points[0].t]).toEqual([36500, '2021-01-01T00:00:00.000Z']);
    }
  });

  test('rejects an invalid window', async () => {
    for (const window of ['0', '36501', '1y', '-1', '']) {
      const { status, json } = await api.get(`${PSA_10}?window=${window}`);
      expect([status, json.errors[0].parameter], window).toEqual([400, 'window']);
    }
  });
});
