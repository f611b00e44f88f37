import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { OBSERVATION_DAYS } from '../../src/pricing/model/recent.ts';
import { seriesOfItems } from '../../src/pricing/read/price-series.ts';
import { quotesAsOf } from '../../src/pricing/read/quotes.ts';
import { quoteOf, type SeriesQuote } from '../../src/pricing/read/series-quote.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { anItem, aSale } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const DAYS = 570;
const CLOSES = [150, 190, 230, 270, 310, 350, 390, 450, 559, 560, DAYS - 1].map((place) => FIRST_DAY + place);
const market = syntheticMarket({ seed: 5, days: DAYS, cards: 120, sales: 2100 });
/** A card whose PSA 9 moved on one day, and never sold again, while its PSA 10 sold on. */
const OTHER_CARD = itemIdOf(999);
const MOVED = 195;
const OTHER_GRADE_UNTIL = 550;
const ITEMS = [OTHER_CARD, ...new Set(market.map(({ card }) => itemIdOf(card)))].sort();

/** By close, what was published of every series. */
const published = new Map<number, SeriesQuote[]>();
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  // A price of three times as much, which no second sale confirms.
  await fresh.db.query('update sales set price_usd_cents = price_usd_cents * 3 where id % 7 = 0');
  await anItem(fresh.db, { id: OTHER_CARD, number: '999', name: 'Other' });
  const sell = (gradeKey: string, place: number, usdCents: number) =>
    aSale(fresh.db, { itemId: OTHER_CARD, gradeKey, sold: formatDay(FIRST_DAY + place), usdCents });
  for (let place = 100; place <= OTHER_GRADE_UNTIL; place += 5) await sell('psa-10', place, place % 2 ? 95_00 : 105_00);
  for (let place = 100; place < MOVED; place += 5) await sell('psa-9', place, place % 2 ? 47_00 : 53_00);
  await sell('psa-9', MOVED, 150_00);
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
    for (const { unconfirmedMove } of quotes) if (unconfirmedMove?.days.some((sold) => sold < day - 112)) old++;
  }
  expect(old).toBeGreaterThan(4);
});

test('a year after its sale a move has no days any more, whenever its card sold last', async () => {
  const yearAfter = FIRST_DAY + MOVED + OBSERVATION_DAYS;
  const daysOn = (day: number) => {
    const quote = published.get(day)!.find((one) => one.itemId === OTHER_CARD && one.gradeKey === 'psa-9')!;
    return quote.unconfirmedMove!.days;
  };
  expect(daysOn(yearAfter - 1)).toEqual([FIRST_DAY + MOVED]);
  expect(daysOn(yearAfter)).toEqual([]);
});
