import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';
import { MODEL_VERSION } from '../../src/pricing/model/params.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { seriesOfItems } from '../../src/pricing/read/price-series.ts';
import { closedDay, quotesOf, type SeriesQuote } from '../../src/pricing/read/quotes.ts';
import { quoteOf } from '../../src/pricing/read/series-quote.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { anItem, aSale } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';
import { everythingStored } from './stored.ts';

const market = syntheticMarket({ seed: 3, days: 120, cards: 80, sales: 4000 });
const LAST_DAY = FIRST_DAY + 119;
const cards = [...new Set(market.map((sale) => itemIdOf(sale.card)))];

describe('reprice', () => {
  const open: FreshDatabase[] = [];
  async function ledger(): Promise<Db> {
    const fresh = await freshDatabase();
    open.push(fresh);
    await catalogCards(fresh.db, market);
    await recordSales(fresh.db, market);
    return fresh.db;
  }
  let whole: Db;
  const live: { day: number; quotes: SeriesQuote[] }[] = [];

  beforeAll(async () => {
    whole = await ledger();
  });
  afterAll(async () => {
    for (const fresh of open) await fresh.close();
  });

  test('closes every day of the ledger and prices every card that sold often', async () => {
    const report = await reprice(whole, { through: LAST_DAY });
    expect(report).toEqual({ days: 120, sales: market.length, closedDay: LAST_DAY });
    expect(await closedDay(whole)).toBe(LAST_DAY);
    const quotes = await quotesOf(
      whole,
      market.map((sale) => itemIdOf(sale.card)),
    );
    const busiest = quotes.get(itemIdOf(market[0]!.card))!;
    expect(busiest.some((quote) => quote.priceUsdCents !== null)).toBe(true);
  });

  test('what a day at a time stores is, byte for byte, what one run stores', async () => {
    const daily = await ledger();
    for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
      await reprice(daily, { through: day });
      // As closed: the ledger has the sales of the days to come already.
      if (day % 15 === 0) live.push({ day, quotes: (await seriesOfItems(daily, cards)).map(quoteOf) });
    }
    expect(await everythingStored(daily)).toEqual(await everythingStored(whole));
  });

  test('a daily line has for each past day what was quoted on it', async () => {
    let compared = 0;
    for (const itemId of cards.slice(0, 20)) {
      for (const gradeKey of ['psa-10', 'psa-9', 'raw-A']) {
        const line = await dailyLine(whole, itemId, gradeKey, FIRST_DAY, LAST_DAY);
        for (const { day, quotes } of live) {
          const quote = quotes.find((one) => one.itemId === itemId && one.gradeKey === gradeKey && !one.estimated);
          const point = line[day - FIRST_DAY];
          expect(point?.usdCents ?? null).toBe(quote?.priceUsdCents ?? null);
          expect(point?.highUsdCents ?? null).toBe(quote?.highUsdCents ?? null);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(400);
  });

  test('two at once close each day once', async () => {
    const both = await ledger();
    const reports = await Promise.all([1, 2].map(() => reprice(both, { through: LAST_DAY })));
    expect(reports.map(({ days }) => days).sort((a, b) => a - b)).toEqual([0, 120]);
    expect(await everythingStored(both)).toEqual(await everythingStored(whole));
  });

  test('a day without a sale is closed too, and so is one behind it', async () => {
    const quiet = await freshDatabase();
    open.push(quiet);
    const itemId = await anItem(quiet.db);
    for (const sold of ['2024-03-01', '2024-03-05']) await aSale(quiet.db, { itemId, sold });
    const day = parseDay('2024-03-01')!;
    expect(await reprice(quiet.db, { through: day + 1 })).toMatchObject({ days: 2, sales: 1, closedDay: day + 1 });
    expect(await reprice(quiet.db, { through: day + 6 })).toMatchObject({ days: 5, sales: 1, closedDay: day + 6 });
    expect(await reprice(quiet.db, { through: day + 8 })).toMatchObject({ days: 2, sales: 0, closedDay: day + 8 });
  });

  test('the last point of a daily line is the quote', async () => {
    for (const [itemId, quotes] of await quotesOf(whole, cards)) {
      for (const quote of quotes) {
        const line = await dailyLine(whole, itemId, quote.gradeKey, LAST_DAY - 3, LAST_DAY);
        expect(line).toHaveLength(4);
        expect(line.at(-1)).toEqual({
          day: LAST_DAY,
          usdCents: quote.priceUsdCents,
          lowUsdCents: quote.lowUsdCents,
          highUsdCents: quote.highUsdCents,
          nextSaleRange: quote.nextSaleRange,
          version: MODEL_VERSION,
        });
      }
    }
  });
});
