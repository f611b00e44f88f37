import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { seriesOfItems } from '../../src/pricing/read/price-series.ts';
import { quotesAsOf } from '../../src/pricing/read/quotes.ts';
import { quoteOf, type SeriesQuote } from '../../src/pricing/read/series-quote.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../src/pricing/store/from-ledger.ts';
import { FIRST_DAY, itemIdOf } from '../pricing/ledger.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { BUSY, catalogBusy, certify, importLate, LAST_DAY } from './busy-ledger.ts';

const HALF = FIRST_DAY + 50;
const ITEMS = [...new Set(BUSY.map(({ card }) => itemIdOf(card)))].sort();
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogBusy(fresh.db);
  // Grades that never sold have an estimate.
  await certify(fresh.db, ITEMS, 'psa-9');
  await reprice(fresh.db, { through: HALF });
  await importLate(fresh.db);
  await reprice(fresh.db, { through: LAST_DAY });
}, 120_000);
afterAll(() => fresh.close());

/** By item and grade, without the moment at which they were computed. */
const sorted = (quotes: readonly SeriesQuote[]) =>
  quotes
    .map(({ updatedAtMs: _at, ...quote }) => quote)
    .sort((a, b) => (`${a.itemId} ${a.gradeKey}` < `${b.itemId} ${b.gradeKey}` ? -1 : 1));

test('quotes and lines as of a day are those of a ledger cut there, bit by bit', async () => {
  const [first] = (await quotesAsOf(fresh.db, ITEMS, FIRST_DAY)).values();
  const { itemId, gradeKey } = first![0]!;
  const lineOf = (db: Db, asOf: number | null) => dailyLine(db, itemId, gradeKey, FIRST_DAY, LAST_DAY, asOf);
  let priced = 0;
  for (const day of [0, 8, 30, 31, 50, 51, 52, 60, 77, 94].map((place) => FIRST_DAY + place)) {
    const asOf = sorted([...(await quotesAsOf(fresh.db, ITEMS, day)).values()].flat());
    const line = await lineOf(fresh.db, day);
    const replayed = await withPricesFromLedger(
      fresh.db,
      fresh.connection,
      undefined,
      async (scratch) => ({
        // The ledger has sales of later days, which wait; the replay does not know them.
        quotes: sorted(
          (await seriesOfItems(scratch, ITEMS))
            .filter(({ own, item, gradeKey }) => own || item.certified.includes(gradeKey))
            .map(quoteOf),
        ),
        line: await lineOf(scratch, null),
      }),
      { through: day },
    );
    expect(asOf).toEqual(replayed.quotes);
    expect(line).toEqual(replayed.line);
    priced += asOf.filter(({ priceUsdCents }) => priceUsdCents !== null).length;
    if (day === LAST_DAY)
      expect(asOf.filter(({ estimated, priceUsdCents }) => estimated && priceUsdCents).length).toBeGreaterThan(0);
  }
  expect(priced).toBeGreaterThan(200);
}, 300_000);
