import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';
import { mintmarkSales } from '../../src/sales/formats/mintmark.ts';
import { importSales } from '../../src/sales/import/import-sales.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { csv, expectSum, HEADER, importFile, ledgerOf, rowOf, salesFiles, TODAY } from './import-world.ts';

let fresh: FreshDatabase;
let db: Db;
let item: string;
const files = salesFiles();

beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  item = await anItem(db);
});
afterEach(() => fresh.close());
afterAll(() => files.remove());

const load = (text: string | Buffer, name?: string) => importFile(db, files.write(text, name));
const row = (over?: { [column: string]: string }) => rowOf(item, over);
const ledger = () => ledgerOf(db);

describe('importing sales', () => {
  test('a sale enters with both clocks, its price in cents and its grade key', async () => {
    const { report } = await load(csv(row({ price: '1234.5', sold_at: '2026-05-01T23:30:00-05:00' })));
    expect(report).toMatchObject({ rows: 1, added: 1 });
    const [sale] = await db.query('select * from sales');
    expect(sale).toMatchObject({
      grade: '10 Gem Mint',
      grade_key: 'psa-10',
      price_usd_cents: 123450,
      sold_day: parseDay('2026-05-02'),
      known_day: parseDay('2026-05-02'),
      line: 2,
      rejection: null,
    });
  });

  test('importing a file twice changes nothing', async () => {
    const text = csv(
      row(),
      row({ sale_id: '2', price: '0.10' }),
      row({ sale_id: '' }),
      row({ price: 'x', sale_id: '9' }),
    );
    await load(text);
    const before = await ledger();
    const { report } = await load(text);
    expect(report).toMatchObject({ rows: 4, added: 0, repeated: 3, rejected: { bad_price: 1 } });
    expect(await ledger()).toEqual(before);
    expect(await db.query('select count(*) as n from rejected_rows')).toEqual([{ n: 1 }]);
  });

  test('rows of one file that say the same are one sale', async () => {
    const { report } = await load(csv(row(), row(), row({ sale_id: '' }), row({ sale_id: '' })));
    expect(report).toMatchObject({ rows: 4, added: 2, repeated: 2 });
  });

  test('a changed price is the next revision and a void of the one before, once', async () => {
    await load(csv(row()));
    const changed = csv(row({ price: '120' }));
    expect((await load(changed)).report).toMatchObject({ corrected: 1, added: 0 });
    expect((await load(changed)).report).toMatchObject({ corrected: 0, repeated: 1 });
    expect((await load(csv(row()))).report).toMatchObject({ repeated: 1 });
    expect(await ledger()).toMatchObject([
      { revision: 0, price_minor: 10000, void: 'corrected' },
      { revision: 1, price_minor: 12000, void: null },
    ]);
  });

  test('two prices of one sale in one file are a correction, and the file can be imported again', async () => {
    const text = csv(row(), row({ price: '120' }), row({ price: '130' }));
    expect((await load(text)).report).toMatchObject({ added: 1, corrected: 2 });
    const before = await ledger();
    expect((await load(text)).report).toMatchObject({ repeated: 3 });
    expect(await ledger()).toEqual(before);
    expect(before).toMatchObject([{ void: 'corrected' }, { void: 'corrected' }, { void: null, price_minor: 13000 }]);
  });

  test('an unpaid sale is voided, whether it was known before or not, and stays so', async () => {
    await load(csv(row()));
    const { report } = await load(csv(row({ status: 'unpaid' }), row({ sale_id: '2', status: 'relisted' })));
    expect(report).toMatchObject({ reversed: 1, rejected: { relisted: 1 } });
    const before = await ledger();
    expect(before).toMatchObject([
      { void: 'unpaid', rejection: null },
      { void: null, rejection: 'relisted' },
    ]);
    const again = await load(csv(row({ price: '130' }), row({ sale_id: '2' }), row({ status: 'unpaid' })));
    expect(again.report).toMatchObject({ repeated: 3 });
    expect(await ledger()).toEqual(before);
  });

  test('a raw card without a condition is read as near mint and says so', async () => {
    await load(csv(row({ company: 'RAW', grade: '' })));
    expect(await db.query('select grade_key, detail from sales')).toEqual([
      { grade_key: 'raw-A', detail: 'condition assumed' },
    ]);
  });

  test('cards are found by upstream id and by their address', async () => {
    const other = await anItem(db, { number: '7', name: 'Squirtle', upstreamItemId: 'inv-7' });
    const text = [
      'href,upstream_id,company,grade,price,currency,sold_at,source,sale_id',
      `/card/pokemon/base-base1/4-charizard-psa-10-${item.slice(0, 8)},,PSA,10,5,USD,2026-05-01,ebay,1`,
      ',inv-7,PSA,10,5,USD,2026-05-01,ebay,2',
      `/card/mtg/base-base1/4-charizard-${item.slice(0, 8)},,PSA,10,5,USD,2026-05-01,ebay,3`,
      '/card/pokemon/base-base1/4-charizard,,PSA,10,5,USD,2026-05-01,ebay,4',
    ].join('\n');
    expect((await load(text)).report).toMatchObject({ added: 2, waiting: { item_unknown: 2 } });
    expect(await db.query('select item_id from sales order by source_sale_id')).toEqual([
      { item_id: item },
      { item_id: other },
    ]);
  });

  test('after the first close a late sale is known on the day of its import, and too late after a year', async () => {
    await db.query('insert into market_days values ($1, $2, 0, 0)', ['pokemon', parseDay('2025-01-01')]);
    await load(
      csv(
        row({ sold_at: '2026-11-01' }),
        row({ sale_id: '2', sold_at: '2025-11-20' }),
        row({ sale_id: '3', sold_at: '2024-12-31' }),
      ),
    );
    expect(await ledger()).toMatchObject([
      { known_day: TODAY, rejection: null },
      { known_day: TODAY, rejection: 'too_late' },
      { known_day: parseDay('2024-12-31'), rejection: null },
    ]);
  });

  test('own NDJSON brings numbers as numbers', async () => {
    const line = {
      item_id: item,
      company: 'BGS',
      grade: 9.5,
      price: 1234.5,
      currency: 'USD',
      sold_at: '2026-05-01',
      source: 'ebay',
      sale_id: 5,
    };
    const { report } = await load(`${JSON.stringify(line)}\n{"price": 1}\nnot json\n`, 'sales.ndjson');
    expect(report).toMatchObject({ rows: 3, added: 1, rejected: { no_item: 1, bad_row: 1 } });
    expect(await db.query('select grade_key, price_minor from sales')).toEqual([
      { grade_key: 'bgs-9-5', price_minor: 123450 },
    ]);
  });
});

describe('an import killed and run again', () => {
  test('leaves the ledger of an undisturbed one, whatever the batch it was killed in', async () => {
    const rows = Array.from({ length: 25_000 }, (_, i) =>
      row({ sale_id: `${i % 24_000}`, price: String(1 + (i % 997)) }),
    );
    const path = files.write(csv(...rows));
    const options = { format: mintmarkSales, paths: [path], today: TODAY };
    const undisturbed = await importSales(db, options);
    expectSum(undisturbed);
    const expected = await ledger();

    await fresh.close();
    fresh = await freshDatabase();
    db = fresh.db;
    await anItem(db, { id: item });
    let batches = 0;
    const stop = () => {
      if (++batches === 2) throw new Error('killed');
    };
    await expect(importSales(db, { ...options, onProgress: stop })).rejects.toThrow('killed');
    await importSales(db, options);
    expect(await ledger()).toEqual(expected);
  });
});

describe('files that cannot be used', () => {
  test.each([
    ['empty', '', 'the file is empty'],
    ['binary', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff, 0xfe, 10, 0]), 'line 1'],
    ['in UTF-16', Buffer.from(`\ufeff${csv('x')}`, 'utf16le'), 'line 1'],
    ['one long line', 'x'.repeat(3 << 20), 'line 1: the line is longer'],
    ['of other columns', 'a,b,c\n1,2,3\n', 'line 1: the header lacks price'],
    ['with semicolons', 'price;source\n1;x\n', 'it has semicolons between its columns, not commas'],
    ['with tabs', 'price\tsource\n1\tx\n', 'it has tabs between its columns, not commas'],
    ['with other letters', 'Price,Sold At\n1,x\n', '; "Price" is to be price, "Sold At" is to be sold_at'],
    ['of another program', 'Price,Source\n1,x\n', '. "mintmark import sales csv" reads other delimiters, encodings'],
    ['with a column too many', `${HEADER},prize\n`, 'unknown column "prize"'],
    ['with a column twice', `${HEADER},price\n`, 'a column is there twice'],
  ])('a file that is %s imports nothing and says why', async (_, content, message) => {
    await expect(load(content)).rejects.toThrow(message);
    expect(await db.query('select * from sales union all select * from sales')).toEqual([]);
  });

  test('broken rows are rejected with their line and the others are imported', async () => {
    const text = Buffer.concat([
      Buffer.from(csv(row({ sale_id: '1' }), 'too,few', `"${row()}`)),
      Buffer.from(row({ sale_id: 'caf\u00e9' }), 'latin1'),
      Buffer.from(`\n${'x'.repeat(2 << 20)}\n${row({ sale_id: '2' })}\n${row({ sale_id: '3' }).slice(0, 60)}`),
    ]);
    const { report, problems } = await load(text);
    expect(report).toMatchObject({ rows: 7, added: 2, rejected: { bad_row: 5 } });
    expect(problems.map((problem) => problem.line)).toEqual([3, 4, 5, 6, 8]);
  });
});
