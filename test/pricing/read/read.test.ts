import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../../src/db/client.ts';
import { dayStartMs, formatDay } from '../../../src/lib/day.ts';
import { dailyLine } from '../../../src/pricing/read/item-prices.ts';
import { MAX_MOVERS, movers, moversOver, warmMovers } from '../../../src/pricing/read/movers.ts';
import { closedDay, closedPricesOf, type PricedDb, quotesOf } from '../../../src/pricing/read/quotes.ts';
import { shownQuote } from '../../../src/pricing/read/series-quote.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { anItem, aSale } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../ledger.ts';
import { syntheticMarket } from '../model/synthetic-market.ts';

const DAYS = 420;
const LAST_DAY = FIRST_DAY + DAYS - 1;
/** Ten minutes into the day after, as the nightly close. */
const CLOSED_AT = dayStartMs(LAST_DAY + 1) + 600_000;
const market = syntheticMarket({ seed: 6, days: DAYS, cards: 50, sales: 6000 });
const date = (day: number) => formatDay(FIRST_DAY + day);

describe('before the first close', () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.close());

  test('there is no closed day, no mover and no line, and a sale is priced provisionally', async () => {
    const itemId = await anItem(fresh.db);
    expect((await quotesOf(fresh.db, [itemId])).size).toBe(0);
    await aSale(fresh.db, { itemId });
    expect(await closedDay(fresh.db)).toBeNull();
    expect(await movers(fresh.db, 10)).toEqual([]);
    const quotes = (await quotesOf(fresh.db, [itemId])).get(itemId)!;
    expect(quotes).toHaveLength(1);
    expect(quotes[0]).toMatchObject({
      gradeKey: 'psa-10',
      priceUsdCents: expect.any(Number),
      totalObservationCount: 1,
    });
    expect(await dailyLine(fresh.db, itemId, 'psa-10', 0, 10)).toEqual([]);
  });

  test('a ledger without a sale closes nothing', async () => {
    const empty = await freshDatabase();
    expect(await reprice(empty.db, { through: LAST_DAY })).toEqual({ days: 0, sales: 0, closedDay: null });
    await empty.close();
  });
});

describe('quotes', () => {
  let fresh: FreshDatabase;
  let db: Db;
  let jumped: string;
  let sparse: string;
  const heard: string[] = [];

  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    await db.listen('prices', (day) => heard.push(day));
    await catalogCards(db, market);
    await recordSales(db, market);
    jumped = await anItem(db, { number: '7', name: 'Jumped' });
    for (let day = 300; day < 412; day += 8) {
      await aSale(db, {
        itemId: jumped,
        sold: date(day),
        usdCents: 100_00,
        source: day % 16 === 12 ? 'ebay' : 'house',
      });
    }
    for (const day of [414, 416, 417]) await aSale(db, { itemId: jumped, sold: date(day), usdCents: 190_00 });
    sparse = await anItem(db, { number: '8', name: 'Sparse' });
    await aSale(db, { itemId: sparse, sold: date(10), usdCents: 50_00 });
    await aSale(db, { itemId: sparse, sold: date(400), usdCents: 52_00 });
    await reprice(db, { through: LAST_DAY, clock: () => CLOSED_AT });
  });
  afterAll(() => fresh.close());

  const quoteOf = async (itemId: string, gradeKey = 'psa-10') =>
    (await quotesOf(db, [itemId])).get(itemId)!.find((quote) => quote.gradeKey === gradeKey)!;

  test('have the counts of 365 days, the sources, the newest sale and the close', async () => {
    const quote = await quoteOf(sparse);
    expect(quote.observationCount).toBe(1);
    expect(quote.totalObservationCount).toBe(2);
    expect(quote.sourceCount).toBe(1);
    expect(quote.lastSaleAtMs).toBe(dayStartMs(FIRST_DAY + 400));
    expect(quote.updatedAtMs).toBe(CLOSED_AT);
    expect((await quoteOf(jumped)).sourceCount).toBe(2);
  });

  test('agree with their own daily line in price, range, moves and spark', async () => {
    for (const itemId of [jumped, itemIdOf(market[0]!.card)]) {
      for (const quote of (await quotesOf(db, [itemId])).get(itemId)!) {
        const line = await dailyLine(db, itemId, quote.gradeKey, LAST_DAY - 365, LAST_DAY);
        const back = (days: number) => line.at(-1 - days)!.usdCents;
        expect(back(0)).toBe(quote.priceUsdCents);
        expect(line.at(-1)!.lowUsdCents).toBe(quote.lowUsdCents);
        const weekly = Array.from({ length: 17 }, (_, i) => back(7 * (16 - i))).filter((cents) => cents !== null);
        expect(quote.spark).toEqual(weekly);
        for (const [pct, days] of [
          [quote.delta7Pct, 7],
          [quote.delta30Pct, 30],
          [quote.delta365Pct, 365],
        ] as const) {
          const then = back(days);
          if (then === null || quote.priceUsdCents === null) expect(pct).toBeNull();
          else expect(Math.abs(pct! - 100 * (quote.priceUsdCents / then - 1))).toBeLessThan(0.1);
        }
      }
    }
  });

  test('a price has a range around it and a confidence with its label; no price has neither', async () => {
    const ids = [...new Set(market.map((sale) => itemIdOf(sale.card)))];
    const all = [...(await quotesOf(db, ids)).values()].flat();
    expect(all.some((quote) => quote.priceUsdCents !== null)).toBe(true);
    for (const quote of all) {
      const { priceUsdCents: price, lowUsdCents: low, highUsdCents: high, confidence, confidenceScore } = quote;
      if (price === null) expect([low, high, confidence, confidenceScore]).toEqual([null, null, null, null]);
      else {
        expect(low!).toBeLessThanOrEqual(price);
        expect(high!).toBeGreaterThanOrEqual(price);
        const expected = confidenceScore! >= 0.8 ? ['prime', 'high'] : confidenceScore! >= 0.5 ? ['medium'] : ['low'];
        expect(expected).toContain(confidence);
      }
      expect(quote.estimated).toBe(false);
    }
  });

  test('a sale that waits for its close tracks its grade, and counts already; a rejected one does neither', async () => {
    await aSale(db, { itemId: jumped, sold: date(DAYS), gradeKey: 'psa-9', usdCents: 70_00 });
    await aSale(db, { itemId: jumped, sold: date(DAYS), gradeKey: 'psa-8', usdCents: 30_00, rejection: 'lot' });
    const quotes = (await quotesOf(db, [jumped])).get(jumped)!;
    expect(quotes.map((quote) => quote.gradeKey).sort()).toEqual(['psa-10', 'psa-9']);
    const waiting = quotes.find((quote) => quote.gradeKey === 'psa-9')!;
    expect(waiting.totalObservationCount).toBe(1);
    expect(waiting.estimated).toBe(false);
  });

  test('movers need sales of their own; those of the shortest window come first, by the size of the move', async () => {
    const found = await movers(db, MAX_MOVERS);
    expect(found.map(({ itemId }) => itemId)).toContain(jumped);
    expect(found.map(({ itemId }) => itemId)).not.toContain(sparse);
    const order = found.map(({ moveWindowDays, movePct }) => moveWindowDays * 1e6 - Math.abs(movePct));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    const prices = await closedPricesOf(
      db,
      found.map(({ itemId }) => itemId),
    );
    for (const { itemId, gradeKey, moveWindowDays, movePct } of found)
      if (moveWindowDays === 7)
        expect(movePct).toBe(shownQuote(prices.get(itemId)!.find((one) => one.gradeKey === gradeKey)!).delta7Pct);
    expect((await movers(db, 1)).length).toBe(1);
  });

  test('moves that a visit could not wait for are computed all the same, and then known', async () => {
    const server = openDb({ connection: fresh.connection, poolSize: 3, statementWithinMs: 300 });
    const memory: PricedDb = { ...server, prices: {} };
    // The pass over its sales takes longer than that.
    const { visit, warming } = await db.transaction(async (session) => {
      await session.query('lock table sales in access exclusive mode');
      const visit = expect(moversOver(memory, 7)).rejects.toThrow(/statement timeout/);
      await expect.poll(() => memory.prices?.movers?.byWindow.has(7)).toBe(true);
      const warming = warmMovers(memory);
      await sleep(900);
      return { visit, warming };
    });
    await Promise.all([visit, warming]);
    await db.transaction(async (session) => {
      await session.query('lock table sales in access exclusive mode');
      expect(await moversOver(memory, 7)).not.toHaveLength(0);
    });
    await server.close();
  });

  test('each closed day was announced on the channel', () => {
    expect(heard).toEqual(Array.from({ length: DAYS }, (_, day) => String(FIRST_DAY + day)));
  });

  test('after a later close the same call returns the new day', async () => {
    await reprice(db, { through: LAST_DAY + 1, clock: () => CLOSED_AT + 1 });
    expect((await quoteOf(jumped)).updatedAtMs).toBe(CLOSED_AT + 1);
    expect((await quoteOf(jumped, 'psa-9')).totalObservationCount).toBe(1);
  });
});
