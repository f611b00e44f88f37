import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriesOfItems } from '../../src/pricing/read/price-series.ts';
import { quotesAsOf } from '../../src/pricing/read/quotes.ts';
import { quoteOf, type SeriesQuote } from '../../src/pricing/read/series-quote.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const DAYS = 420;
const CLOSES = [150, 190, 230, 270, 310, 350, 390, DAYS - 1].map((place) => FIRST_DAY + place);
const market = syntheticMarket({ seed: 5, days: DAYS, cards: 120, sales: 1500 });
const ITEMS = [...new Set(market.map(({ card }) => itemIdOf(card)))].sort();

/** By close, what was published of every series. */
const published = new Map<number, SeriesQuote[]>();
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  // A price of three times as much, which no second sale confirms.
  await fresh.db.query('update sales set price_usd_cents = price_usd_cents * 3 where id % 7 = 0');
  for (const day of CLOSES) {
    await reprice(fresh.db, { through: day });
    // Without the sales of later days, which wait for their closes.
    const series = await seriesOfItems({ ...fresh.db, prices: {} }, ITEMS);
    published.set(day, series.filter(({ own }) => own !== null).map(quoteOf));
  }
}, 120_000);
afterAll(() => fresh.close());

const sorted = (quotes: readonly SeriesQuote[]) =>
  quotes.toSorted((a, b) => (`${a.itemId} ${a.gradeKey}` < `${b.itemId} ${b.gradeKey}` ? -1 : 1));

test('as of a day, a move of months before is the one that its close published', async () => {
  let old = 0;
  for (const [day, quotes] of published) {
    const asOf = [...(await quotesAsOf(fresh.db, ITEMS, day)).values()].flat();
    expect(sorted(asOf)).toEqual(sorted(quotes));
    for (const { unconfirmedMove } of quotes) if (unconfirmedMove && unconfirmedMove.days[0]! < day - 112) old++;
  }
  expect(old).toBeGreaterThan(4);
});
