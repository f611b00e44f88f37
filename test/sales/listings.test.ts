import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';
import { importListings, startListings } from '../../src/sales/crawl/crawled-listings.ts';
import { importRates } from '../../src/sales/currency.ts';
import { listingEntryOf, ownListings } from '../../src/sales/formats/listings.ts';
import { mintmarkSales } from '../../src/sales/formats/mintmark.ts';
import { importSales } from '../../src/sales/import/import-sales.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const TODAY = parseDay('2026-11-21')!;
const folder = mkdtempSync(join(tmpdir(), 'mintmark-listings-'));
let fresh: FreshDatabase;
let db: Db;
let item: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  item = await anItem(db);
});
afterAll(async () => {
  await fresh.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

describe('importing listings', () => {
  const HEADER = 'item_id,company,grade,price,currency,source,listing_id,first_seen,last_seen,ended_at';
  const load = (...rows: string[]) =>
    importListings(db, { format: ownListings, paths: [file('asks.csv', HEADER, ...rows)], today: TODAY });

  test('an ask seen again moves its last day, and an older file changes only its first', async () => {
    await load(`${item},PSA,10,100,USD,myslabs,a,,2026-11-10,`);
    await load(`${item},PSA,10,120,USD,myslabs,a,,2026-11-20,`);
    await load(`${item},PSA,10,90,USD,myslabs,a,,2026-11-01,`);
    const expected = [
      {
        price_usd_cents: 12000,
        first_seen: new Date('2026-11-01T00:00:00Z'),
        last_seen: new Date('2026-11-20T00:00:00Z'),
        ended_at: null,
      },
    ];
    const asks = () => db.query('select price_usd_cents, first_seen, last_seen, ended_at from listings');
    expect(await asks()).toEqual(expected);
    expect(await load(`${item},PSA,10,120,USD,myslabs,a,,2026-11-20,`)).toMatchObject({ rows: 1, listings: 1 });
    expect(await asks()).toEqual(expected);
  });

  test('odd characters and years cost at most their own row', async () => {
    const asks = [
      { title: 'Charizard \0 \ud83d PSA 10', listing_id: 'odd-title' },
      { url: 'https://a.example/\0', listing_id: 'odd-url' },
      { url: 'https://a.example/\udc00', listing_id: 'odd-url-2' },
      { listing_id: 'odd\0' },
      { first_seen: '0000-01-01', listing_id: 'year-0' },
      { first_seen: '0001-01-01T00:00:00+14:00', listing_id: 'year-before-1' },
      { ended_at: '9999-12-31T23:59:59-14:00', listing_id: 'year-10000' },
      { title: `${'x'.repeat(499)}\u{1f525}`, listing_id: 'cut' },
    ];
    const run = await startListings(db, 'odd');
    for (const [line, ask] of asks.entries()) {
      const fields = {
        item_id: item,
        company: 'PSA',
        grade: '10',
        price: '50',
        currency: 'USD',
        source: 'myslabs',
        ...ask,
      };
      await run.take(listingEntryOf(fields, TODAY, line, JSON.stringify(fields)));
    }
    expect(await run.finish()).toMatchObject({
      rows: 8,
      listings: 2,
      rejected: { bad_url: 2, bad_id: 1, bad_date: 3 },
    });
  });

  test('rows that are not asks of a priced grade are counted by reason', async () => {
    const report = await load(
      `${item},PSA,10,0,USD,myslabs,b,,,`,
      `${item},SGC,10,50,USD,myslabs,c,,,`,
      `${item},PSA,10,1e300,USD,myslabs,d,,,`,
      `${item},PSA,10,50,USD,myslabs,,,,`,
      `${item},PSA,10,50,USD,myslabs,e,2026-11-20,2026-11-01,`,
      `${item},PSA,10,50,USD,myslabs,f,,2027-01-01,`,
      '11111111-1111-4111-8111-111111111111,PSA,10,50,USD,myslabs,g,,,',
      `${item},PSA,10,50,USD,myslabs,h,,,`,
    );
    expect(report).toMatchObject({
      rows: 8,
      listings: 1,
      rejected: { absurd_price: 1, company_unsupported: 1, bad_price: 1, bad_id: 1, bad_date: 1, future: 1 },
      unmatched: { item_unknown: 1 },
    });
  });
});

describe('rates', () => {
  test('are imported, and a sale rejected for lack of one is accepted when it is reported again', async () => {
    const sales = file(
      'yen.csv',
      'item_id,company,grade,price,currency,sold_at,source,sale_id',
      `${item},PSA,10,16500,JPY,2026-05-08,cardhobby,1`,
    );
    const load = () => importSales(db, { format: mintmarkSales, paths: [sales], today: TODAY });
    expect(await load()).toMatchObject({ rejected: { fx_missing: 1 } });
    const report = await importRates(db, {
      paths: [
        file(
          'rates.csv',
          'date,currency,usd_per_unit',
          '2026-05-01,JPY,0.0064',
          '2026-05-31,JPY,-1',
          'x,JPY,1',
          '2026-05-01,USD,1',
        ),
      ],
    });
    expect(report).toMatchObject({ rows: 4, stored: 1, rejected: [{ line: 3 }, { line: 4 }, { line: 5 }] });
    expect(await load()).toMatchObject({ corrected: 1 });
    expect(await load()).toMatchObject({ repeated: 1 });
    const rows = await db.query(
      'select revision, price_usd_cents, usd_per_unit, rejection from sales order by revision',
    );
    expect(rows).toEqual([
      { revision: 0, price_usd_cents: null, usd_per_unit: null, rejection: 'fx_missing' },
      { revision: 1, price_usd_cents: 10560, usd_per_unit: 0.0064, rejection: null },
    ]);
  });

  test('a file of other columns stores nothing', async () => {
    await expect(importRates(db, { paths: [file('other.csv', 'day,currency', '1,EUR')] })).rejects.toThrow(
      'lacks date',
    );
  });
});
