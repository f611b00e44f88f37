import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spreadsheetSales } from '../../../src/sales/formats/spreadsheet/spreadsheet.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { folderOfRun } from '../../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../../support/program.ts';

const folder = folderOfRun();
let fresh: FreshDatabase;
let item: string;
let files = 0;
beforeAll(async () => {
  fresh = await freshDatabase();
  item = await anItem(fresh.db, {});
});
afterAll(() => fresh.close());

const file = (content: string | Buffer) => {
  const path = join(folder, `people-${files++}.csv`);
  writeFileSync(path, content);
  return path;
};

async function importCsv(path: string, ...options: string[]) {
  const settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: join(folder, 'data') };
  return await runProgram(['import', 'sales', 'csv', path, ...options], settings);
}

type Stored = { price_minor: number; currency: string; day: string; source: string; company: string; grade: string };
const stored = async (id: string) =>
  (
    await fresh.db.query<Stored>(
      `select price_minor, currency, to_char(sold_at at time zone 'utc', 'YYYY-MM-DD') as day, source, company, grade
       from sales where source_sale_id = $1`,
      [id],
    )
  )[0];

describe('a CSV file as people have it', () => {
  test('semicolons, decimal commas, dotted days, umlauts of Windows-1252, other names, extra columns', async () => {
    await fresh.db
      .query(`insert into fx_rates (day, currency, usd_per_unit) values (date '2026-11-01', 'EUR', 1.1)`)
      .catch(() => {});
    const text = [
      'Item Id;Grader;Grade;Sold for;Currency;Date;Käufer;Marketplace;Order number',
      `${item};PSA;10;2.450,00;USD;02.11.2026;Jürgen;My Shop;w1`,
      `${item};PSA;10;90;USD;03.11.2026;Ä;My Shop;w2`,
    ].join('\r\n');
    const { code, errors, printed } = await importCsv(file(Buffer.from(text, 'latin1')));
    expect({ code, printed }).toMatchObject({ code: 0 });
    expect(errors).toContain('Windows-1252, semicolons, decimal comma');
    expect(errors).toContain('price ← "Sold for"');
    expect(errors).toContain('ignored: "Käufer"');
    expect(errors).not.toContain('no column contains sale ids');
    expect(await stored('w1')).toEqual({
      price_minor: 2450_00,
      currency: 'USD',
      day: '2026-11-02',
      source: 'my-shop',
      company: 'PSA',
      grade: '10 Gem Mint',
    });
    expect(await stored('w2')).toMatchObject({ price_minor: 90_00 });
  });

  test('UTF-16 with tabs, dollars, month first; the currency and source are stated', async () => {
    const text = [
      'item_id\tGrade\tPrice\tSold on\tSale id',
      `${item}\tPSA 9\t$24,500\t11/02/2026\tu1`,
      `${item}\tPSA 9\t$1,234.50\t11/18/2026\tu2`,
    ].join('\n');
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const { code, errors } = await importCsv(file(utf16), '--set', 'currency=USD', 'source=shop');
    expect(code).toBe(0);
    expect(errors).toContain('UTF-16LE, tabs, decimal point; month before day');
    expect(await stored('u1')).toMatchObject({
      price_minor: 24500_00,
      day: '2026-11-02',
      company: 'PSA',
      grade: '9 Mint',
    });
    expect(await stored('u2')).toMatchObject({ price_minor: 1234_50, day: '2026-11-18', source: 'shop' });
  });

  test('a line break inside quotes is part of its field', async () => {
    const text = `item_id,company,grade,price,currency,sold_at,source,sale_id,detail\n${item},PSA,10,5.00,USD,2026-05-01,shop,q1,"two\nlines"\n${item},PSA,10,6.00,USD,2026-05-01,shop,q2,\n`;
    expect((await importCsv(file(text))).code).toBe(0);
    expect(await stored('q1')).toMatchObject({ price_minor: 500 });
    expect(await stored('q2')).toMatchObject({ price_minor: 600 });
  });

  const HEAD = 'item_id,company,grade,price,currency,sold_at,source,sale_id';
  test.each([
    [
      'a price that can be read in two ways',
      `${HEAD}\nI,PSA,10,"1,234",EUR,2026-05-01,shop,x`,
      /line 2: the price "1,234" can be read in two ways.*--decimal/,
    ],
    [
      'a day that can be read in two ways',
      `${HEAD}\nI,PSA,10,5,USD,02/11/2026,shop,x`,
      /line 2: the day "02\/11\/2026" can be read in two ways.*--days/,
    ],
    [
      'prices written in two ways',
      `${HEAD}\nI,PSA,10,"1,5",USD,2026-05-01,shop,x\nI,PSA,10,1.5,USD,2026-05-01,shop,y`,
      /"1\.5" of line 3 and "1,5" of line 2 are written differently/,
    ],
    [
      'days written in two ways',
      `${HEAD}\nI,PSA,10,5,USD,13/01/2026,shop,x\nI,PSA,10,5,USD,01/13/2026,shop,y`,
      /line 3 and .* of line 2 are written differently/,
    ],
    ['no source', 'item_id,price,currency,sold_at\nI,5,,2026-05-01', /no column for source: .*--set source=…;/],
    [
      'no source and no currency, which no price names',
      'item_id,price,sold_at\nI,$5,2026-05-01\nI,6.50,2026-05-01',
      /no column for source, currency: .*--set source=… currency=…;/,
    ],
    [
      'no source where a price names its currency',
      'item_id,price,sold_at\nI,5,2026-05-01\nI,6 €,2026-05-01',
      /no column for source: .*--set source=…;/,
    ],
    ['no source in a file without prices', 'item_id,price,sold_at\n', /no column for source: /],
    [
      'no source, no currency, and a price and days that can be read in two ways',
      'item_id,price,sold_at\nI,"1,234",02/11/2026',
      /no column for source, currency: .*Also line 2: the price .*--decimal\. Also line 2: the day .*--days$/,
    ],
    ['no header', '1,2\n3,4\n', /no header/],
    [
      'names of columns in another language',
      'Artikel;Preis;Notiz\nA;2.450,00 €;"a; b"\n',
      /no header.*line 1 has "Artikel", "Preis", "Notiz"\. Name them, as in --map/,
    ],
    ['an open quote', `${HEAD}\nI,PSA,10,"5,USD,2026-05-01,shop,x\n`, /a quote is in the wrong place, or not closed/],
    ['an empty file', '', /the file is empty/],
    ['a binary file', Buffer.from([1, 2, 0, 3, 4, 5, 6, 7, 8]), /not text/],
  ] as [string, string | Buffer, RegExp][])(
    '%s: the file cannot be read, and the message says what to state',
    async (_, content, message) => {
      const read = async () => {
        for await (const _entry of spreadsheetSales().read(file(content))) throw new Error('a row was read');
      };
      await expect(read()).rejects.toThrow(message);
    },
  );

  test('a mapped column that is not there: the columns are those of the file’s own delimiter', async () => {
    const path = file('Artikel;Preis;Notiz\nA;2.450,00 €;b\n');
    const { code, errors } = await importCsv(path, '--map', 'title=Karte', '--dry-run');
    expect(code).toBe(3);
    expect(errors).toMatch(/line 1: there is no column "Karte" for title; the columns are "Artikel", "Preis", "Notiz"/);
  });

  test('a header and rows that end in different ways are rows of their own', async () => {
    const head = 'item_id;grade;price;date;sale_id';
    const row = (grade: string, id: string) => `${item};${grade};5,00;02.11.2026;${id}`;
    const path = file(`Sales\r\n${head}\n${row('BGS 9,5', 'mixed-1')}\r\n${row('PSA 9', 'mixed-2')}\n`);
    const { code, output } = await importCsv(path, '--set', 'source=shop', 'currency=USD');
    expect(code).toBe(0);
    expect(output).toMatch(/rows 2 = added 2/);
    expect(await stored('mixed-1')).toMatchObject({ company: 'BGS', grade: '9.5 Gem Mint' });
    const other = file(`${head}\r\n${row('PSA 9', 'mixed-3')}\n${row('PSA 9', 'mixed-4')}\r\n`);
    expect((await importCsv(other, '--set', 'source=shop', 'currency=USD')).code).toBe(0);
    expect(await stored('mixed-4')).toMatchObject({ price_minor: 500 });
  });

  test.each([
    ['an unknown field', ['--map', 'cost=Price'], /--map takes field=…/],
    ['an unknown layout', ['--layout', 'none'], /there is no layout "none"/],
  ])('%s is wrong usage', async (_, options, message) => {
    const { code, errors } = await importCsv(file(HEAD), ...options);
    expect(code).toBe(2);
    expect(errors).toMatch(message);
  });

  test('what is open is stated, saved under a name and used again', async () => {
    const content = (id: string) => `${HEAD}\n${item},PSA,10,"1,234",,02/11/2026,shop,${id}\n`.replace('price', 'Paid');
    const options = ['--map', 'price=Paid', '--set', 'currency=USD', '--decimal', 'comma', '--days', 'mdy'];
    expect((await importCsv(file(content('s1')), ...options, '--save-as', 'my-shop')).code).toBe(3);
    // 1,234 with a decimal comma has more digits than dollars have.
    expect((await importCsv(file(content('s2')), ...options, '--decimal', 'point', '--save-as', 'my-shop')).code).toBe(
      0,
    );
    expect((await importCsv(file(content('s3')), '--layout', 'my-shop')).code).toBe(0);
    expect(await stored('s3')).toMatchObject({ price_minor: 1234_00, currency: 'USD', day: '2026-02-11' });
  });

  test('currencies that contradict each other, and none at all, reject the row with its line', async () => {
    const rows = [
      `${item},PSA,10,€5,USD,2026-05-01,shop,c1`,
      `${item},PSA,10,5,,2026-05-01,shop,c2`,
      `${item},PSA,10,5,USD,2026-05-01,shop,c3`,
    ];
    const { code, errors } = await importCsv(file(`${HEAD}\n${rows.join('\n')}\n`));
    expect(code).toBe(5);
    expect(errors).toMatch(/:2: the price is in EUR, the currency is USD/);
    expect(errors).toMatch(/:3: no currency: state it for every row with --set currency=USD/);
    expect(await stored('c3')).toMatchObject({ price_minor: 500 });
  });

  test('options of csv are rejected for other formats', async () => {
    const settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: join(folder, 'data') };
    const { code, errors } = await runProgram(['import', 'sales', 'mintmark', file(HEAD), '--days', 'dmy'], settings);
    expect({ code, errors }).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--days is for the format csv'),
    });
  });
});

test('a dry run keeps nothing and shows the first rows of each outcome', async () => {
  const HEAD = 'item_id,title,company,grade,price,currency,sold_at,source,sale_id';
  const path = file(
    [
      HEAD,
      `${item},,PSA,10,77.00,USD,2026-05-01,shop,d1`,
      `${item},,PSA,10,0.10,USD,2026-05-01,shop,d2`,
      `,Some card nobody knows #999,PSA,10,5.00,USD,2026-05-01,shop,d3`,
      `${item},,PSA,10,nothing,USD,2026-05-01,shop,d4`,
      `${item},,PSA,8.25,5.00,USD,2026-05-01,shop,d5`,
    ].join('\n'),
  );
  const tables = () =>
    fresh.db.query(
      `select (select count(*) from sales) as s, (select count(*) from waiting_sales) as w,
         (select count(*) from rejected_rows) as r, (select count(*) from imports) as i`,
    );
  const before = await tables();
  const { code, printed } = await importCsv(path, '--dry-run');
  expect(code).toBe(5);
  expect(printed).toMatch(/^added, line 2: \$77\.00 on 2026-05-01 → Charizard #4 PSA 10 Gem Mint$/m);
  expect(printed).toMatch(/^rejected, line 3: absurd_price: PSA 10 Gem Mint: d2$/m);
  expect(printed).toMatch(/^rejected, line 6: grade_unsupported: PSA 8\.25: d5$/m);
  expect(printed).toMatch(
    /^rejected, line 5: bad_price: price "nothing" is not a price such as 2,450\.00 or \$24: .*,PSA,10,nothing,USD/m,
  );
  expect(printed).toMatch(/^waiting, line 4: .*Some card nobody knows/m);
  expect(printed).toContain('Dry run: nothing of this was kept.');
  expect(printed).toContain('rows 5 = added 1');
  expect(await tables()).toEqual(before);
  // The same file is then imported as announced.
  expect((await importCsv(path)).printed).toContain('rows 5 = added 1');
  expect((await importCsv(path, '--dry-run')).printed).toContain('repeated 3');
});

test('an order of several cards and copies is as many sales, again nothing new; a line of one of them corrects it', async () => {
  const umbreon = await anItem(fresh.db, {
    set: await aSet(fresh.db, { name: 'Orders' }),
    number: '95',
    name: 'Umbreon',
  });
  const report = (last: string) =>
    file(
      [
        'item_id,Grader,Grade,Sold for,Date,Order number',
        `${item},PSA,9,400,2026-04-01,O-1`,
        `${umbreon},PSA,9,250,2026-04-01,O-1`,
        `${item},PSA,10,900,2026-04-01,O-1`,
        `${item},CGC,9,300,2026-04-01,O-1`,
        `${item},PSA,9,400,2026-04-01,O-1`,
        `${item},PSA,9,410,2026-04-01,O-1`,
        last,
      ].join('\n'),
    );
  const set = ['--set', 'source=order-shop', 'currency=USD'];
  const one = await importCsv(report(`${umbreon},PSA,8,95,2026-04-02,O-2`), ...set);
  expect(one.printed).toContain('rows 7 = added 6 + repeated 1 + corrected 0');
  const again = await importCsv(report(`${umbreon},PSA,8,99,2026-04-02,O-2`), '--dry-run', ...set);
  expect(again.printed).toContain('rows 7 = added 0 + repeated 6 + corrected 1');
  expect(again.printed).toMatch(/^corrected, line 8: \$99\.00 on 2026-04-02 → Umbreon #95 PSA 8 NM-MT$/m);
  const ids = await fresh.db.query<{ id: string }>(
    `select source_sale_id as id from sales where source = 'order-shop' order by id`,
  );
  expect(ids.map(({ id }) => id).sort()).toEqual(['O-1', 'O-1 #2', 'O-1 #3', 'O-1 #4', 'O-1 #5', 'O-2']);

  // A column of the name is of sales: the later row corrects the earlier one. A transaction is one sale, an order need not be.
  const named = (header: string, ...rows: string[]) =>
    importCsv(file([`item_id,Grader,Grade,Sold for,Date,${header}`, ...rows].join('\n')), ...set);
  const [first, other] = [`${item},PSA,9,400,2026-04-01`, `${umbreon},PSA,9,250,2026-04-01`];
  expect((await named('sale_id', `${first},n-1`, `${other},n-1`)).printed).toContain(
    'rows 2 = added 1 + repeated 0 + corrected 1',
  );
  const unmapped = await named('Invoice', `${first},I-1`);
  expect(unmapped.errors).toContain(
    'ignored: "Invoice"; no column contains sale ids; if one of these does, use --map sale_id="…" now and for later files',
  );
  const both = await named('Order number,Transaction ID', `${first},O-9,t-1`, `${other},O-9,t-2`);
  expect(both.errors).toContain('sale_id ← "Transaction ID"; ignored: "Order number"');
});

test('a dry run names what would be cancelled, and says that the others would be imported', async () => {
  const HEAD = 'item_id,company,grade,price,currency,sold_at,source,sale_id,status';
  const row = (rest: string) => `${item},PSA,10,88.00,USD,2026-05-02,shop,${rest}`;
  await importCsv(file(`${HEAD}\n${row('r1,')}\n`));
  const { printed, errors, code } = await importCsv(
    file(`${HEAD}\n${row('r1,voided')}\n${item},PSA,10,,USD,2026-05-02,shop,r2,\n`),
    '--dry-run',
  );
  expect(code).toBe(5);
  expect(printed).toMatch(/^reversed: \$88\.00 on 2026-05-02 → Charizard #4 PSA 10 Gem Mint$/m);
  expect(errors).toMatch(/:3: the price is empty \(bad_price\)/);
  expect(errors).toContain('1 of 2 rows could not be used; the others would be imported');
});

test('the orders report of an eBay seller', async () => {
  const report = [
    '',
    'Sales Record Number,Order Number,Buyer Name,Item Number,Item Title,Custom Label,Quantity,Sold For,Sale Date,Transaction ID',
    '901,11-1,Somebody,1234,"Charizard #4 Base PSA 10",A1,1,"$1,250.00",Nov-18-26,777',
    '',
    '1,record(s) downloaded',
  ].join('\n');
  const settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: join(folder, 'data') };
  const { printed, errors } = await runProgram(['import', 'sales', 'ebay-orders', file(report), '--dry-run'], settings);
  expect(errors).toContain('sold_at ← "Sale Date"');
  expect(printed).toMatch(/^added, line 3: \$1,250\.00 on 2026-11-18 → Charizard #4 PSA 10 Gem Mint$/m);
  expect(printed).toMatch(/^rows 1 = added 1 /m);
});

test('the orders of a TCGplayer seller: one sale a row at the price of a copy, again nothing new', async () => {
  const set = await aSet(fresh.db, { name: 'Evolving Skies', code: 'swsh7' });
  const umbreon = await anItem(fresh.db, { set, number: '215', name: 'Umbreon VMAX' });
  const report = [
    'Order Number,Product Name,Set Name,Quantity,Price,Condition,Order Date,SKU,Language,Printing,Rarity,Card Number',
    'AB-1,Charizard,Base,1,$250.00,Near Mint,11/02/2026,501,English,Normal,Rare,4',
    'AB-1,Umbreon VMAX,Evolving Skies,3,900.50,Lightly Played,11/02/2026,777,English,Normal,Secret Rare,215/203',
    'AB-1,Charizard,Base,1,$251.00,Near Mint,11/02/2026,501,English,Normal,Rare,4',
    'AB-2,Charizard,Base,1,$90.00,Damaged,11/03/2026,502,English,Normal,Rare,4',
    ',Charizard,Base,1,$91.00,Near Mint,11/03/2026,501,English,Normal,Rare,4',
    'AB-3,,Base,1,$92.00,Near Mint,11/03/2026,503,English,Normal,Rare,4',
  ].join('\n');
  const settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: join(folder, 'data') };
  const path = file(report);
  const run = () => runProgram(['import', 'sales', 'tcgplayer-orders', path], settings);
  const { errors, printed } = await run();
  expect(errors).toContain(
    'title ← "Product Name" + "Card Number" + "Set Name" + "Printing" + "Language" + "Condition"',
  );
  expect(errors).toContain('ignored: "Quantity", "Rarity"');
  expect(printed).toMatch(/^rows 6 = added 4 .* rejected 2 \+ waiting 0$/m);
  const sales = await fresh.db.query(
    `select source_sale_id as id, item_id as item, company, grade_key as key, price_usd_cents as cents, sale_type as type,
       to_char(sold_at at time zone 'utc', 'MM-DD') as day, quantity, rejection
     from sales where source = 'tcgplayer' and source_sale_id like 'AB-%' order by line`,
  );
  const common = { company: 'RAW', type: 'fixed', quantity: 1, rejection: null };
  expect(sales).toEqual([
    { ...common, id: 'AB-1 501', item, key: 'raw-A', cents: 250_00, day: '11-02' },
    { ...common, id: 'AB-1 777', item: umbreon, key: 'raw-B', cents: 900_50, day: '11-02' },
    { ...common, id: 'AB-1 501 #2', item, key: 'raw-A', cents: 251_00, day: '11-02' },
    { ...common, id: 'AB-2 502', item, key: null, cents: 90_00, day: '11-03', rejection: 'grade_unsupported' },
  ]);
  expect((await run()).printed).toMatch(/^rows 6 = added 0 \+ repeated 5 /m);
});
