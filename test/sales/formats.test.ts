import { describe, expect, test } from 'vitest';
import { parseDay } from '../../src/lib/day.ts';
import { importListings } from '../../src/sales/crawl/crawled-listings.ts';
import { ebaySold } from '../../src/sales/formats/ebay-sold.ts';
import { fanaticsSales } from '../../src/sales/formats/fanatics.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from '../../src/sales/formats/index.ts';
import { renaissListings } from '../../src/sales/formats/listings.ts';
import { renaissSales } from '../../src/sales/formats/renaiss.ts';
import type { SaleEntry, SalesFormat } from '../../src/sales/formats/sales-format.ts';
import { importSales } from '../../src/sales/import/import-sales.ts';
import { freshDatabase } from '../support/database/database.ts';
import { testData } from '../support/test-data.ts';

const TODAY = parseDay('2026-11-21')!;
const root = testData('sales');
const path = (...parts: string[]) => [root, ...parts].join('/');

async function entriesOf(format: SalesFormat, file: string): Promise<SaleEntry[]> {
  const entries: SaleEntry[] = [];
  for await (const entry of format.read(file)) entries.push(entry);
  return entries;
}

test('every format has a name of its own and states what it reads', () => {
  expect(SALES_FORMATS.map(({ name }) => name)).toEqual([
    'mintmark',
    'csv',
    'ebay-orders',
    'tcgplayer-orders',
    'fanatics',
    'ebay-sold',
    'renaiss',
  ]);
  expect(LISTINGS_FORMATS.map(({ name }) => name)).toEqual(['mintmark', 'csv', 'renaiss']);
});

describe.skipIf(root === null)('files of titles', () => {
  test('881 sold lots are read, price and day out of the text', async () => {
    const entries = await entriesOf(fanaticsSales, path('auction-house-sold', 'fanatics-mega-all-data.json'));
    expect(entries).toHaveLength(881);
    expect(entries.filter(({ sale }) => sale === null)).toEqual([]);
    const types = entries.map(({ sale }) => sale?.saleType);
    expect(types.filter((type) => type === 'house_auction')).toHaveLength(304);
    expect(types.filter((type) => type === 'fixed')).toHaveLength(577);
    expect(entries[0]!.sale).toMatchObject({ priceMinor: 75000, soldAtMs: Date.UTC(2025, 8, 9), source: 'fanatics' });
    expect(entries.some(({ sale }) => sale?.priceMinor === 123000)).toBe(true);
    expect(entries.some(({ sale }) => /sold on|buyers/.test(sale?.title ?? ''))).toBe(false);
  });

  test('94 sold listings are read', async () => {
    const entries = await entriesOf(ebaySold, path('marketplace-sold-search', 'sold_dedup.json'));
    expect(entries.filter(({ sale }) => sale !== null)).toHaveLength(94);
    expect(entries[0]!.sale).toMatchObject({ priceMinor: 1500, soldAtMs: Date.UTC(2025, 6, 18) });
  });

  test('30 on-chain sales are read, and 300 asks', async () => {
    const entries = await entriesOf(renaissSales, path('onchain-slab-sales', 'site-home-activities.json'));
    expect(entries.filter(({ sale }) => sale !== null)).toHaveLength(30);
    expect(entries[0]!.sale).toMatchObject({ company: 'PSA', grade: '10', priceMinor: 23670, source: 'renaiss' });
    let asks = 0;
    for await (const entry of renaissListings.read(path('onchain-slab-sales', 'api-marketplace.json'), TODAY)) {
      expect(entry.listing).toMatchObject({ currency: 'USD', lastSeenMs: TODAY * 86_400_000 });
      asks++;
    }
    expect(asks).toBe(300);
  });

  test('a file of another format is rejected as a whole', async () => {
    const file = path('marketplace-sold-search', 'sold_dedup.json');
    await expect(entriesOf(fanaticsSales, file)).rejects.toThrow('not a JSON array of sold lots');
    await expect(entriesOf(renaissSales, file)).rejects.toThrow('not a JSON array of Renaiss activities');
    await expect(entriesOf(ebaySold, path('titles.json'))).rejects.toThrow('not a JSON array of sold listings');
  });

  test('rows whose card cannot be identified wait or are rejected; none is lost', async () => {
    const fresh = await freshDatabase();
    const sales: [SalesFormat, string][] = [
      [fanaticsSales, path('auction-house-sold')],
      [ebaySold, path('marketplace-sold-search', 'sold_dedup.json')],
      [renaissSales, path('onchain-slab-sales', 'site-home-activities.json')],
    ];
    for (const [format, file] of sales) {
      const { added, rows, rejected, waiting } = await importSales(fresh.db, { format, paths: [file], today: TODAY });
      const sum = [...Object.values(rejected), ...Object.values(waiting)].reduce((total, count) => total + count, 0);
      expect([added, sum]).toEqual([0, rows]);
    }
    const asks = await importListings(fresh.db, {
      format: renaissListings,
      paths: [path('onchain-slab-sales', 'api-marketplace.json')],
      today: TODAY,
    });
    expect(asks).toMatchObject({ rows: 300, listings: 0 });
    await fresh.close();
  });
});
