import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { dayOf } from '../../src/lib/day.ts';
import { crawlTracked, takeSeries, trackSeries } from '../../src/sales/crawl/crawl-tracked.ts';
import type { SaleSource } from '../../src/sales/sources/source.ts';
import { anItem, aSale, aSet, aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { type MarketServer, marketServer } from '../support/servers/market-server.ts';
import { cardShopAt, crawlContext, crawlTen, never } from './crawl-world.ts';
import { NOW_MS } from './sources/world.ts';

let database: FreshDatabase;
let db: Db;
let shop: MarketServer;
let itemId: string;
let nowMs: number;

beforeEach(async () => {
  database = await freshDatabase();
  db = database.db;
  nowMs = NOW_MS;
  shop = await marketServer(() => ({ body: [] }));
  itemId = await anItem(db, { number: '4', name: 'Charizard', year: 1999 });
});
afterEach(async () => {
  await shop.close();
  await database.close();
});

const cardShop = (more?: object) => cardShopAt(db, shop, more);
const contextOf = (...markets: SaleSource[]) => crawlContext(db, () => nowMs, markets);

describe('tracked series', () => {
  const HOUR_MS = 3_600_000;
  const today = dayOf(NOW_MS);

  async function sold(usdCents: number, more: { sold?: string; number?: string } = {}): Promise<string> {
    const set = await aSet(db);
    const id = await anItem(db, { set, number: more.number ?? String(Math.random()), name: 'Card' });
    await aSale(db, { itemId: id, usdCents, sold: more.sold ?? '2026-06-01' });
    return id;
  }
  const crawled = (id: string, hoursAgo: number) =>
    db.query('update crawl_states set crawled_at = $2 where item_id = $1', [id, new Date(nowMs - hoursAgo * HOUR_MS)]);
  const taken = async () => (await takeSeries(db, nowMs))?.itemId ?? null;

  test('are those sold within a year, at the price of the newest accepted sale', async () => {
    const card = await sold(100_00, { sold: '2026-05-01' });
    await aSale(db, { itemId: card, usdCents: 300_00, sold: '2026-06-01' });
    await aSale(db, { itemId: card, usdCents: 900_00, sold: '2026-06-02', rejection: 'absurd_price' });
    const voided = await aSale(db, { itemId: card, usdCents: 800_00, sold: '2026-06-03' });
    await aVoid(db, voided, 'unpaid', '2026-06-04');
    await sold(50_00, { sold: '2025-06-01' });
    expect(await trackSeries(db, today)).toBe(1);
    const rows = () => db.query('select item_id as id, value_usd_cents as cents from crawl_states');
    expect(await rows()).toEqual([{ id: card, cents: 300_00 }]);
    expect(await trackSeries(db, today + 400)).toBe(0);
    expect(await rows()).toEqual([]);
  });

  test('are taken by value times the time since the last crawl, and not before six hours', async () => {
    const [cheap, expensive, middling] = [await sold(10_00), await sold(1000_00), await sold(100_00)];
    await trackSeries(db, today);
    // 10 × 240 < 100 × 48 < 1000 × 7
    await crawled(cheap, 240);
    await crawled(middling, 48);
    await crawled(expensive, 7);
    expect([await taken(), await taken(), await taken(), await taken()]).toEqual([expensive, middling, cheap, null]);
    nowMs += 6 * 60_000;
    // The leases are over: 10 × 240 < 100 × 48 still, and the expensive one was crawled.
    await crawled(expensive, 5);
    expect([await taken(), await taken(), await taken()]).toEqual([middling, cheap, null]);
  });

  test('are taken once each, however many workers take at once', async () => {
    for (let n = 0; n < 12; n++) await sold(100_00 + n * 50_00);
    await trackSeries(db, today);
    const all: string[] = [];
    const worker = async () => {
      for (let misses = 0; misses < 20; ) {
        const one = await taken();
        if (one === null) misses++;
        else all.push(one);
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(all).toHaveLength(12);
    expect(new Set(all).size).toBe(12);
  });

  test('are crawled one after the other; one that no market answered to is tried again later', async () => {
    const [one, other] = [await sold(100_00), await sold(50_00)];
    await trackSeries(db, today);
    shop.next({ status: 500 });
    const context = await contextOf(cardShop());
    expect(await crawlTracked(context, never, 5000)).toEqual({ series: 2, added: 0 });
    const state = async (id: string) =>
      (
        await db.query<object>('select crawled_at, taken_until, problems from crawl_states where item_id = $1', [id])
      )[0];
    expect(await state(one)).toEqual({
      crawled_at: new Date(0),
      taken_until: new Date(nowMs + 15 * 60_000),
      problems: [{ source: 'card-shop', reason: 'server_error' }],
    });
    expect(await state(other)).toMatchObject({ crawled_at: new Date(nowMs), problems: [] });
  });

  test('leave a fifth of the budget to others, and stop when no market may be called', async () => {
    for (let n = 0; n < 9; n++) await sold(100_00 + n);
    const market = cardShop({ budgetPerDay: 5 });
    expect(await crawlTracked(await contextOf(market), never, 5000)).toEqual({ series: 5, added: 0 });
    expect(shop.received).toHaveLength(4);
    expect(await crawlTen(await contextOf(market), itemId)).toMatchObject({ sources: [{ problem: null }] });
  });
});
