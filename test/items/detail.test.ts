import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const SET = '/v1/items/pokemon/base-base1';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anItem(db, { id: ID, year: 1999 });
  await anItem(db, { id: '11111111-0000-4000-8000-000000000001', variation: 'Shadowless' });
  await anItem(db, { id: '22222222-0000-4000-8000-000000000001', language: 'Japanese' });
  await manySales(db, { itemId: ID, usdCents: 300_00 });
  await manySales(db, { itemId: ID, usdCents: 340_00, source: 'goldin', everyDays: 30 });
  await manySales(db, { itemId: ID, gradeKey: 'psa-9', usdCents: 90_00, everyDays: 2 });
  await manySales(db, { itemId: '22222222-0000-4000-8000-000000000001', gradeKey: 'psa-9', usdCents: 70_00 });
  await aSale(db, { itemId: ID, sold: '2024-01-01', usdCents: 250_00, source: 'heritage' });
  await aSale(db, { itemId: ID, sold: '2026-06-02', usdCents: 1_00, source: 'junkyard', rejection: 'lot' });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('the detail of a card at a grade', () => {
  test('returns its price, range, moves and evidence', async () => {
    const { status, json } = await api.get(`${SET}/4-charizard-psa-10-6e7fdc9a`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: ID,
      company: 'PSA',
      grade: '10 Gem Mint',
      gradeLabel: 'PSA 10',
      year: 1999,
      observationCount: 16,
      totalObservationCount: 17,
      sourceCount: 2,
      observationWindowDays: 365,
      refreshing: false,
      estimated: false,
      tags: [],
      receiptUrl: `https://prices.example/v1/receipts/${ID}/psa-10/2026-06-29`,
      pageUrl: 'https://prices.example/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a',
      href: '/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a',
    });
    expect(json.priceRangeUsdCents.low).toBeLessThan(json.priceUsdCents);
    expect(json.priceRangeUsdCents.high).toBeGreaterThan(json.priceUsdCents);
    expect(json.deltas.d7).toBe(json.deltaPct);
    expect(json.deltas.d30).toBe(Math.round(json.deltas.d30 * 100) / 100);
    expect(json.attribution.url).toBe(json.pageUrl);
  });

  test('says what the price is made of, and where the method is explained', async () => {
    const { json } = await api.get(`${SET}/4-charizard-psa-10-6e7fdc9a`);
    const { shares, sales, lastOwnSale, marketSinceLastSalePct } = json.explanation;
    expect(json.basis).toBe('own_sales');
    expect(json.asOf).toMatch(/^2026-06-\d\d$/);
    expect(lastOwnSale.soldAt).toBe(json.lastSaleAt);
    expect(lastOwnSale.priceUsdCents).toBe(
      (await api.get(`${SET}/4-charizard-psa-10-6e7fdc9a/trades`)).json.trades[0].priceUsdCents,
    );
    expect(shares.ownSales + shares.otherGrades + shares.setAndGame).toBeCloseTo(1, 10);
    expect(marketSinceLastSalePct).toBe(Math.round(marketSinceLastSalePct * 100) / 100);
    expect(sales).toHaveLength(5);
    const [first] = sales;
    expect(first).toMatchObject({ company: 'PSA', soldAt: expect.stringMatching(/^2026-06-.*Z$/), weight: 1 });
    expect(first.influence).toBeGreaterThan(sales[4].influence);
    expect(json.methodologyUrl).toBe('https://prices.example/methodology/model?version=3#2-a-day');
    expect(json.dataLicense).toBeNull();
    const { json: none } = await api.get(`${SET}/4-charizard-bgs-9-6e7fdc9a`);
    expect([none.basis, none.explanation, none.asOf]).toEqual([null, null, null]);
  });

  test('breaks accepted sales down by source, for a year and for ever; rejected ones are in neither', async () => {
    const { json } = await api.get(`${SET}/4-charizard-psa-10-6e7fdc9a`);
    const counts = (rows: { source: string; count: number; medianUsdCents: number }[]) =>
      Object.fromEntries(rows.map(({ source, count, medianUsdCents }) => [source, [count, medianUsdCents]]));
    expect(counts(json.sourceBreakdown)).toEqual({ ebay: [13, 300_00], goldin: [3, 340_00] });
    expect(counts(json.sourceBreakdownAllTime)).toEqual({
      ebay: [13, 300_00],
      goldin: [3, 340_00],
      heritage: [1, 250_00],
    });
    expect(json.sourceBreakdown[0]).toMatchObject({ bucket: 'public', category: 'public', displayName: 'ebay' });
    expect(json.trackedSources.map((one: { source: string }) => one.source).sort()).toEqual([
      'ebay',
      'goldin',
      'heritage',
    ]);
  });

  test('lists the model with plain averages, the model first', async () => {
    const { json } = await api.get(`${SET}/4-charizard-psa-10-6e7fdc9a`);
    expect(json.methods.map((one: { method: string }) => one.method)).toEqual(['model', 'median', 'mean', 'vwap']);
    expect(json.methods[0]).toMatchObject({ priceUsdCents: json.priceUsdCents, confidence: json.confidence });
    expect(json.methods[1]).toMatchObject({ priceUsdCents: 300_00, confidence: null, observationCount: 16 });
  });

  test('lists the grades of the card, this one marked, and the other printings', async () => {
    const { json } = await api.get(`${SET}/4-charizard-psa-9-6e7fdc9a`);
    const grades = json.otherGrades.map((one: { gradeLabel: string; current: boolean }) => [
      one.gradeLabel,
      one.current,
    ]);
    expect(Object.fromEntries(grades)).toEqual({ 'PSA 10': false, 'PSA 9': true });
    expect(json.otherVariants).toMatchObject([{ variation: 'Shadowless', priceUsdCents: null, gradeLabel: null }]);
    expect(json.otherLanguages).toMatchObject([
      {
        language: 'Japanese',
        gradeLabel: 'PSA 9',
        href: '/card/pokemon/base-base1/4-charizard-psa-9-japanese-22222222',
      },
    ]);
    expect(json.otherLanguages[0].priceUsdCents).toBeGreaterThan(0);
  });

  test('of a valid grade that the card never had is 200 with a null price and no history', async () => {
    const path = `${SET}/4-charizard-bgs-9-5-6e7fdc9a`;
    const { status, json } = await api.get(path);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      gradeLabel: 'BGS 9.5',
      priceUsdCents: null,
      priceRangeUsdCents: null,
      confidence: null,
      deltas: { d7: null, d30: null, d365: null },
      observationCount: 0,
      totalObservationCount: 0,
      sourceBreakdown: [],
      sourceBreakdownAllTime: [],
      spark: [],
      lastSaleAt: null,
    });
    expect((await api.get(`${path}/trades`)).json).toMatchObject({ trades: [], total: 0 });
    expect((await api.get(`${path}/series?window=all`)).json.points).toEqual([]);
    expect((await api.get(`${path}/fmv-series?window=all`)).json.points).toEqual([]);
  });

  test('knows every token of the scale', async () => {
    const labels = {
      'psa-8-5': 'PSA 8.5',
      'bgs-10': 'BGS 10 Pristine',
      'bgs-10-5': 'BGS 10 Black Label',
      'cgc-9-5': 'CGC 9.5',
      'cgc-10-gem-mint': 'CGC 10',
      'cgc-10': 'CGC 10 Pristine',
      'cgc-10-5': 'CGC 10 Perfect',
      'raw-D': 'Raw D',
    };
    for (const [token, label] of Object.entries(labels))
      expect((await api.get(`${SET}/4-charizard-${token}-6e7fdc9a`)).json.gradeLabel, token).toBe(label);
    // A grade that no company gives.
    expect((await api.get(`${SET}/4-charizard-psa-9-5-6e7fdc9a`)).status).toBe(404);
    expect((await api.get(`${SET}/4-charizard-psa-9-5`)).status).toBe(404);
  });
});

describe('the representative grade of a card', () => {
  async function representativeOf(sales: (itemId: string) => Promise<void>): Promise<unknown> {
    const fresh = await freshDatabase();
    const set = await aSet(fresh.db);
    const itemId = await anItem(fresh.db, { set });
    // The market has to be known for a price; another card carries it.
    const other = await anItem(fresh.db, { set, number: '5' });
    await manySales(fresh.db, { itemId: other, everyDays: 1 });
    current = fresh;
    await sales(itemId);
    await closeDays(fresh.db);
    const alone = await testApp(fresh.db);
    const { json } = await alone.get(`/v1/items/by-id/${itemId}`);
    const [summary] = (await alone.get(`/v1/items/summaries?ids=${itemId}`)).json;
    expect(summary.gradeLabel).toBe(json.gradeLabel);
    await alone.app.close();
    await fresh.close();
    return json.gradeLabel;
  }
  let current: FreshDatabase;

  test('is PSA 10 when that is priced with a sale of its own', async () => {
    const label = await representativeOf(async (itemId) => {
      await manySales(current.db, { itemId, gradeKey: 'psa-9', everyDays: 2 });
      await manySales(current.db, { itemId, gradeKey: 'psa-10' });
    });
    expect(label).toBe('PSA 10');
  });

  test('is else the priced one with most sales of the year', async () => {
    const label = await representativeOf(async (itemId) => {
      await manySales(current.db, { itemId, gradeKey: 'psa-9', usdCents: 500_00 });
      await manySales(current.db, { itemId, gradeKey: 'cgc-9', everyDays: 3 });
    });
    expect(label).toBe('CGC 9');
  });

  test('among equally many, the more expensive one', async () => {
    const label = await representativeOf(async (itemId) => {
      await manySales(current.db, { itemId, gradeKey: 'raw-A', usdCents: 20_00 });
      await manySales(current.db, { itemId, gradeKey: 'psa-8', usdCents: 80_00 });
    });
    expect(label).toBe('PSA 8');
  });

  test('is else the last sold, without a price', async () => {
    const label = await representativeOf(async (itemId) => {
      await aSale(current.db, { itemId, gradeKey: 'psa-9', sold: '2015-02-01' });
      await aSale(current.db, { itemId, gradeKey: 'psa-8', sold: '2015-03-01' });
    });
    expect(label).toBe('PSA 8');
  });

  test('is null for a card that never sold', async () => {
    const { json } = await api.get('/v1/items/by-id/11111111-0000-4000-8000-000000000001');
    expect(json).toMatchObject({ company: null, grade: null, gradeLabel: null, priceUsdCents: null });
    expect(json.href).toBe('/card/pokemon/base-base1/4-charizard-11111111');
  });
});
