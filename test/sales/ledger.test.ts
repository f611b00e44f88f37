import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fingerprintWith } from '../../src/access/pepper.ts';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';
import { breakdownOf } from '../../src/sales/breakdown.ts';
import { recentTrades, tradesOf } from '../../src/sales/ledger.ts';
import { priceSeriesOf, salesByDayAndSource } from '../../src/sales/sales-by-day.ts';
import { anImport, anItem, aSale } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const sign = fingerprintWith(Buffer.alloc(32, 7));

let fresh: FreshDatabase;
let db: Db;
let itemId: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
});
afterAll(() => fresh.close());
beforeEach(async () => {
  itemId = await anItem(db, { number: String(Math.random()) });
});

const ALL = { gradeKey: null, sourceId: null, fromDay: null, afterSaleId: null, limit: 50 };

async function aListing(over: { first: string; last: string; ended?: string; usdCents?: number }): Promise<void> {
  await db.query(`insert into sources (id, display_name) values ('myslabs', 'MySlabs') on conflict do nothing`);
  await db.query(
    `insert into listings (source, source_listing_id, item_id, company, grade, grade_key, price_usd_cents, price_minor,
       currency, first_seen, last_seen, ended_at, import_id)
     values ('myslabs', $1, $2, 'PSA', '10 Gem Mint', 'psa-10', $3, $3, 'USD', $4, $5, $6, $7)`,
    [
      String(Math.random()),
      itemId,
      over.usdCents ?? 100_00,
      over.first,
      over.last,
      over.ended ?? null,
      await anImport(db),
    ],
  );
}

describe('trades', () => {
  test('are newest first, with the names of their source and what became of them', async () => {
    await aSale(db, { itemId, sold: '2026-01-01' });
    const outlier = await aSale(db, { itemId, sold: '2026-01-03', usdCents: 900_00 });
    await db.query('insert into sale_uses (sale_id, weight, closed_day) values ($1, 0.1, 1)', [outlier]);
    await aSale(db, { itemId, sold: '2026-01-02', rejection: 'lot' });
    const { trades, total } = await tradesOf(db, { ...ALL, itemId, gradeKey: 'psa-10' }, sign);
    expect(total).toBe(3);
    expect(trades.map((trade) => [trade.observedAt.slice(0, 10), trade.disposition, trade.dispositionReason])).toEqual([
      ['2026-01-03', 'downweighted', 'outlier'],
      ['2026-01-02', 'refused', 'lot'],
      ['2026-01-01', 'used', null],
    ]);
    expect(trades[2]).toEqual({
      source: 'ebay',
      bucket: 'public',
      category: 'public',
      displayName: 'ebay',
      observedAt: '2026-01-01T00:00:00.000Z',
      kind: 'transaction',
      priceUsdCents: 10000,
      priceMinor: 10000,
      currency: 'USD',
      detail: null,
      sourceUrl: null,
      company: 'PSA',
      grade: '10 Gem Mint',
      gradeLabel: 'PSA 10',
      saleType: 'auction',
      certHash: null,
      disposition: 'used',
      dispositionReason: null,
    });
  });

  test('of one grade leave the others out; of all grades hold those off the scale too', async () => {
    await aSale(db, { itemId });
    await aSale(db, { itemId, gradeKey: 'raw-B' });
    const off = await aSale(db, { itemId, rejection: 'company_unsupported' });
    await db.query(`update sales set company = 'SGC', grade = '9.5', grade_key = null where id = $1`, [off]);
    expect((await tradesOf(db, { ...ALL, itemId, gradeKey: 'raw-B' }, sign)).trades).toHaveLength(1);
    const { trades } = await tradesOf(db, { ...ALL, itemId }, sign);
    expect(trades.map((trade) => trade.gradeLabel).sort()).toEqual(['PSA 10', 'Raw B', 'SGC 9.5']);
  });

  test('are limited, windowed and filtered by source and so are their counts, but for the limit', async () => {
    for (const sold of ['2026-01-01', '2026-02-01', '2026-03-01']) await aSale(db, { itemId, sold });
    await aSale(db, { itemId, sold: '2026-02-15', source: 'goldin' });
    expect(await tradesOf(db, { ...ALL, itemId, limit: 1 }, sign)).toMatchObject({ total: 4, trades: [{}] });
    const since = await tradesOf(db, { ...ALL, itemId, fromDay: parseDay('2026-02-01') }, sign);
    expect(since).toMatchObject({ total: 3, sourceCounts: { ebay: 2, goldin: 1 } });
    const goldin = await tradesOf(db, { ...ALL, itemId, sourceId: 'goldin' }, sign);
    expect(goldin).toMatchObject({ total: 1, sourceCounts: { goldin: 1 } });
    expect(goldin.trades).toHaveLength(1);
  });

  test('show a corrected sale once, as it was corrected, and one taken back as rejected', async () => {
    const old = await aSale(db, { itemId, saleId: 'x', usdCents: 1000 });
    const taken = await aSale(db, { itemId, saleId: 'y', usdCents: 3000 });
    const imported = await anImport(db);
    for (const [id, reason] of [
      [old, 'corrected'],
      [taken, 'unpaid'],
    ])
      await db.query(
        'insert into sale_voids (sale_id, reason, known_at, known_day, import_id) values ($1, $2, now(), 1, $3)',
        [id, reason, imported],
      );
    const { trades } = await tradesOf(db, { ...ALL, itemId }, sign);
    expect(trades.map((trade) => [trade.priceUsdCents, trade.dispositionReason])).toEqual([[3000, 'unpaid']]);
  });

  test('of all cards come newest first, only accepted ones', async () => {
    await aSale(db, { itemId, sold: '2030-01-02', usdCents: 7 });
    await aSale(db, { itemId, sold: '2030-01-03', rejection: 'lot' });
    await aSale(db, { itemId, sold: '2030-01-01', usdCents: 8 });
    const recent = await recentTrades(db, { limit: 2 }, sign);
    expect(recent.map((trade) => [trade.itemId, trade.gradeKey, trade.priceUsdCents])).toEqual([
      [itemId, 'psa-10', 7],
      [itemId, 'psa-10', 8],
    ]);
  });
});

describe('daily averages', () => {
  const days = { fromDay: parseDay('2026-01-01')!, toDay: parseDay('2026-01-05')! };

  test('a sale at midnight belongs to the day that begins; rejected sales are left out', async () => {
    await aSale(db, { itemId, sold: '2026-01-02', usdCents: 1000 });
    await aSale(db, { itemId, sold: '2026-01-02', usdCents: 2001 });
    await aSale(db, { itemId, sold: '2026-01-02', usdCents: 9000, rejection: 'lot' });
    await aSale(db, { itemId, sold: '2026-01-06' });
    const points = await priceSeriesOf(db, { itemId, gradeKey: null, ...days });
    expect(points).toEqual([
      { day: parseDay('2026-01-02'), kind: 'transaction', gradeKey: 'psa-10', usdCents: 1501, n: 2 },
    ]);
  });

  test('a listing counts on each day it was live, to its end', async () => {
    await aListing({ first: '2025-12-01T00:00:00Z', last: '2026-01-02T10:00:00Z', usdCents: 500 });
    await aListing({
      first: '2026-01-02T00:00:00Z',
      last: '2026-01-09T00:00:00Z',
      ended: '2026-01-03T00:00:00Z',
      usdCents: 700,
    });
    const points = await priceSeriesOf(db, { itemId, gradeKey: 'psa-10', ...days });
    expect(points.map(({ day, usdCents, n }) => [day - days.fromDay, usdCents, n])).toEqual([
      [0, 500, 1],
      [1, 600, 2],
      [2, 700, 1],
    ]);
  });

  test('are counted by source', async () => {
    await aSale(db, { itemId, sold: '2026-01-02', usdCents: 1000 });
    await aSale(db, { itemId, sold: '2026-01-02', usdCents: 3000, source: 'goldin' });
    const rows = await salesByDayAndSource(db, { itemId, gradeKey: 'psa-10', ...days });
    expect(rows.map(({ source, usdCents, n }) => [source, usdCents, n])).toEqual([
      ['ebay', 1000, 1],
      ['goldin', 3000, 1],
    ]);
  });
});

test('the window of a breakdown begins with the sales of its first day', async () => {
  await aSale(db, { itemId, sold: '2026-01-01', usdCents: 50_00 });
  await aSale(db, { itemId, sold: '2026-01-02', usdCents: 100_00 });
  await aSale(db, { itemId, sold: '2026-01-03', usdCents: 200_00 });
  const series = { itemId, gradeKey: 'psa-10', fromDay: parseDay('2026-01-02')!, asOf: null };
  expect(await breakdownOf(db, series)).toMatchObject([
    { source: 'ebay', windowCount: 2, windowMedianUsdCents: 150_00, count: 3, medianUsdCents: 100_00 },
  ]);
});
