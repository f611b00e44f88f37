import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const RARE = '22222222-0000-4000-8000-000000000001';
const PSA_10 = '/v1/items/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a/fmv-series';

type Point = {
  t: string;
  usdCents: number | null;
  n: number;
  lowUsdCents: number | null;
  highUsdCents: number | null;
  bySource: { source: string; usdCents: number; n: number }[];
};

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anItem(db, { id: ID });
  await manySales(db, { itemId: ID, from: '2026-03-01', to: '2026-06-27', everyDays: 3 });
  await aSale(db, { itemId: ID, sold: '2026-06-21', usdCents: 110_00, source: 'goldin' });
  await aSale(db, { itemId: ID, sold: '2026-06-21', usdCents: 90_00, source: 'goldin' });
  await aSale(db, { itemId: ID, sold: '2026-06-21', usdCents: 5_00, rejection: 'lot' });
  // A price of a few cents stays above zero.
  const cheap = await anItem(db, { id: '11111111-0000-4000-8000-000000000001', number: '5' });
  await manySales(db, { itemId: cheap, gradeKey: 'raw-D', usdCents: 50, everyDays: 2 });
  await anItem(db, { id: RARE, number: '6' });
  for (const usdCents of [10_00, 20_00, 90_00]) await aSale(db, { itemId: RARE, sold: '2026-06-10', usdCents });
  await aSale(db, { itemId: RARE, sold: '2026-06-12', usdCents: 50_00 });
  await aSale(db, { itemId: RARE, sold: '2026-06-12', usdCents: 1_00, rejection: 'lot' });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

async function line(path: string): Promise<Point[]> {
  const { status, json } = await api.get(path);
  expect(status, path).toBe(200);
  return json.points;
}

describe('the line of reference prices', () => {
  test('has one point a calendar day up to the last closed one, carried on without sales', async () => {
    const points = await line(`${PSA_10}?window=30`);
    expect(points).toHaveLength(30);
    expect([points[0]!.t, points.at(-1)!.t]).toEqual(['2026-05-31T00:00:00.000Z', '2026-06-29T00:00:00.000Z']);
    for (let i = 1; i < points.length; i++)
      expect(Date.parse(points[i]!.t) - Date.parse(points[i - 1]!.t)).toBe(86_400_000);
    const quiet = points.at(-1)!;
    expect(quiet).toMatchObject({ n: 0, bySource: [] });
    expect(quiet.usdCents).toBeGreaterThan(0);
  });

  test('has a range around every price, and no price that is 0', async () => {
    for (const path of [PSA_10, '/v1/items/by-id/11111111-0000-4000-8000-000000000001/fmv-series']) {
      for (const { usdCents, lowUsdCents, highUsdCents } of await line(path)) {
        expect(usdCents === null).toBe(lowUsdCents === null);
        if (usdCents === null) continue;
        expect(lowUsdCents!).toBeGreaterThan(0);
        expect(lowUsdCents!).toBeLessThanOrEqual(usdCents);
        expect(highUsdCents!).toBeGreaterThanOrEqual(usdCents);
      }
    }
  });

  test('breaks the accepted sales of a day down by source; one at 00:00Z is of its own day alone', async () => {
    const points = await line(`${PSA_10}?window=30`);
    const on = (day: string) => points.find(({ t }) => t.startsWith(day))!;
    expect(on('2026-06-21')).toMatchObject({ n: 2, bySource: [{ source: 'goldin', usdCents: 100_00, n: 2 }] });
    expect([on('2026-06-20').n, on('2026-06-22').n]).toEqual([1, 0]);
    expect(on('2026-06-21').bySource[0]).toMatchObject({ bucket: 'public', category: 'public', displayName: 'goldin' });
    // Every third day from June 2 to June 26 is nine.
    expect(points.reduce((sum, { n }) => sum + n, 0)).toBe(9 + 2);
  });

  test('begins with the first price or sale, however far the window reaches', async () => {
    for (const window of ['365', 'all', '36500']) {
      const points = await line(`${PSA_10}?window=${window}`);
      expect(points[0]!.t, window).toBe('2026-03-01T00:00:00.000Z');
      expect(points, window).toHaveLength(121);
    }
  });

  test('is 365 days long by default, names its grade and method', async () => {
    const { json } = await api.get(PSA_10);
    expect(json).toMatchObject({ windowDays: 365, fmvWindowDays: 365, gradeLabel: 'PSA 10' });
    expect(json.series[0]).toMatchObject({ method: 'model', label: 'Reference price' });
    expect(json.series[0].scorerVersion).not.toBe('');
    const own = json.points.map(({ t, usdCents }: Point) => ({ t, usdCents }));
    expect(json.series[0].points).toEqual(own);
  });

  test('comes with the three plain averages of the last seven days, null where nothing sold', async () => {
    const { json } = await api.get(`${PSA_10}?window=30`);
    const [, median, mean, vwap] = json.series;
    expect(
      json.series.map(({ method, scorerVersion }: Record<string, string>) => [method, scorerVersion]).slice(1),
    ).toEqual([
      ['median', '7d'],
      ['mean', '7d'],
      ['vwap', '7d'],
    ]);
    const on = ({ points }: { points: Point[] }, day: string) => points.find(({ t }) => t.startsWith(day))!.usdCents;
    for (const one of [median, mean, vwap]) {
      expect(one.label).toMatch(/, 7 days$/);
      expect(one.points.map(({ t }: Point) => t)).toEqual(json.points.map(({ t }: Point) => t));
    }
    const sold = await api.get(`/v1/items/by-id/${RARE}/fmv-series?window=30`);
    const [, rareMedian, rareMean, rareVwap] = sold.json.series;
    // 10, 20 and 90 dollars on one day, 50 on another: the mean of the days is 45, over all copies it is 42.50.
    expect([on(rareMedian, '2026-06-12'), on(rareMean, '2026-06-12'), on(rareVwap, '2026-06-12')]).toEqual([
      35_00, 45_00, 42_50,
    ]);
    // The six days after a sale, and no longer; a sale before the window still counts in it.
    expect([on(rareMedian, '2026-06-10'), on(rareMedian, '2026-06-18'), on(rareMedian, '2026-06-19')]).toEqual([
      20_00,
      50_00,
      null,
    ]);
    const short = (await api.get(`/v1/items/by-id/${RARE}/fmv-series?window=14`)).json.series[1];
    expect(short.points[0]).toEqual({ t: '2026-06-16T00:00:00.000Z', usdCents: 35_00 });
  });

  test('of a card by id is that of its representative grade', async () => {
    const { json } = await api.get('/v1/items/by-id/11111111-0000-4000-8000-000000000001/fmv-series');
    expect(json.gradeLabel).toBe('Raw D');
  });

  test('rejects an invalid window', async () => {
    for (const window of ['0', '36501', 'year', '-1', '1e2', '', '7&window=30'])
      expect((await api.get(`${PSA_10}?window=${window}`)).status, window).toBe(400);
  });
});

describe('the line of a card without a price', () => {
  test('is empty when it never sold', async () => {
    const itemId = await anItem(database.db, { number: '99' });
    const { json } = await api.get(`/v1/items/by-id/${itemId}/fmv-series`);
    expect(json).toMatchObject({ gradeLabel: null, points: [] });
    expect(json.series.map(({ points }: { points: Point[] }) => points)).toEqual([[], [], [], []]);
  });
});
