import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spreadsheetSales } from '../../../src/sales/formats/spreadsheet/spreadsheet.ts';
import { openCsvWorld } from './csv-world.ts';

let world: Awaited<ReturnType<typeof openCsvWorld>>;
let item: string;
beforeAll(async () => {
  world = await openCsvWorld();
  item = world.item;
});
afterAll(() => world.close());
const file = (content: string | Buffer) => world.file(content);

type Stored = { price_minor: number; currency: string; day: string; source: string; company: string; grade: string };
const stored = async (id: string) =>
  (
    await world.db.query<Stored>(
      `select price_minor, currency, to_char(sold_at at time zone 'utc', 'YYYY-MM-DD') as day, source, company, grade
       from sales where source_sale_id = $1`,
      [id],
    )
  )[0];

describe('a CSV file as people have it', () => {
  test('semicolons, decimal commas, dotted days, umlauts of Windows-1252, other names, extra columns', async () => {
    await world.db
      .query(`insert into fx_rates (day, currency, usd_per_unit) values (date '2026-11-01', 'EUR', 1.1)`)
      .catch(() => {});
    const text = [
      'Item Id;Grader;Grade;Sold for;Currency;Date;Käufer;Marketplace;Order number',
      `${item};PSA;10;2.450,00;USD;02.11.2026;Jürgen;My Shop;w1`,
      `${item};PSA;10;90;USD;03.11.2026;Ä;My Shop;w2`,
    ].join('\r\n');
    const { code, errors, printed } = await world.importCsv(file(Buffer.from(text, 'latin1')));
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
    const { code, errors } = await world.importCsv(file(utf16), '--set', 'currency=USD', 'source=shop');
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

  test('days with dots are day first next to days with slashes that are month first, and the line says so', async () => {
    const row = (day: string, id: string) => `${item},PSA,10,5.00,USD,${day},shop,${id}`;
    const text = [
      'item_id,company,grade,price,currency,sold_at,source,sale_id',
      row('13.11.2026', 'dot'),
      row('11/14/2026', 'slash'),
    ];
    const { code, errors } = await world.importCsv(file(text.join('\n')));
    expect(code).toBe(0);
    expect(errors).toContain('month before day (with dots: day before month)');
    expect(await stored('dot')).toMatchObject({ day: '2026-11-13' });
    expect(await stored('slash')).toMatchObject({ day: '2026-11-14' });
  });

  test('a line break inside quotes is part of its field', async () => {
    const text = `item_id,company,grade,price,currency,sold_at,source,sale_id,detail\n${item},PSA,10,5.00,USD,2026-05-01,shop,q1,"two\nlines"\n${item},PSA,10,6.00,USD,2026-05-01,shop,q2,\n`;
    expect((await world.importCsv(file(text))).code).toBe(0);
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
    ['no price', 'item_id,sold_at,source\nI,2026-05-01,shop', /no column for price: name it with --map price="…"; the/],
    [
      'no day and no source',
      'item_id,price\nI,5 €',
      /no column for sold_at, source: name it with --map sold_at="…", or state source for every row with --set source=…;/,
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

  test('a day that does not exist is said to be one', async () => {
    const rows = file('title,price,currency,source,Date\nCharizard,5.00,USD,shop,31.11.2026\n');
    for await (const { sale, ...entry } of spreadsheetSales().read(rows))
      expect({ sale, ...entry }).toMatchObject({
        ...{ sale: null, unreadable: { message: 'sold_at "31.11.2026" names a day that does not exist' } },
      });
  });

  test('a mapped column that is not there: the columns are those of the file’s own delimiter', async () => {
    const path = file('Artikel;Preis;Notiz\nA;2.450,00 €;b\n');
    const { code, errors } = await world.importCsv(path, '--map', 'title=Karte', '--dry-run');
    expect(code).toBe(3);
    expect(errors).toMatch(/line 1: there is no column "Karte" for title; the columns are "Artikel", "Preis", "Notiz"/);
  });

  test('a header and rows that end in different ways are rows of their own', async () => {
    const head = 'item_id;grade;price;date;sale_id';
    const row = (grade: string, id: string) => `${item};${grade};5,00;02.11.2026;${id}`;
    const path = file(`Sales\r\n${head}\n${row('BGS 9,5', 'mixed-1')}\r\n${row('PSA 9', 'mixed-2')}\n`);
    const { code, output } = await world.importCsv(path, '--set', 'source=shop', 'currency=USD');
    expect(code).toBe(0);
    expect(output).toMatch(/rows 2 = added 2/);
    expect(await stored('mixed-1')).toMatchObject({ company: 'BGS', grade: '9.5 Gem Mint' });
    const other = file(`${head}\r\n${row('PSA 9', 'mixed-3')}\n${row('PSA 9', 'mixed-4')}\r\n`);
    expect((await world.importCsv(other, '--set', 'source=shop', 'currency=USD')).code).toBe(0);
    expect(await stored('mixed-4')).toMatchObject({ price_minor: 500 });
  });

  test.each([
    ['an unknown field', ['--map', 'cost=Price'], /--map takes field=…/],
    ['an unknown layout', ['--layout', 'none'], /there is no layout "none"/],
  ])('%s is wrong usage', async (_, options, message) => {
    const { code, errors } = await world.importCsv(file(HEAD), ...options);
    expect(code).toBe(2);
    expect(errors).toMatch(message);
  });

  test('what is open is stated, saved under a name and used again', async () => {
    const content = (id: string) => `${HEAD}\n${item},PSA,10,"1,234",,02/11/2026,shop,${id}\n`.replace('price', 'Paid');
    const options = ['--map', 'price=Paid', '--set', 'currency=USD', '--decimal', 'comma', '--days', 'mdy'];
    expect((await world.importCsv(file(content('s1')), ...options, '--save-as', 'my-shop')).code).toBe(3);
    // 1,234 with a decimal comma has more digits than dollars have.
    expect(
      (await world.importCsv(file(content('s2')), ...options, '--decimal', 'point', '--save-as', 'my-shop')).code,
    ).toBe(0);
    expect((await world.importCsv(file(content('s3')), '--layout', 'my-shop')).code).toBe(0);
    expect(await stored('s3')).toMatchObject({ price_minor: 1234_00, currency: 'USD', day: '2026-02-11' });
  });

  test('currencies that contradict each other, and none at all, reject the row with its line', async () => {
    const rows = [
      `${item},PSA,10,€5,USD,2026-05-01,shop,c1`,
      `${item},PSA,10,5,,2026-05-01,shop,c2`,
      `${item},PSA,10,5,USD,2026-05-01,shop,c3`,
    ];
    const { code, errors } = await world.importCsv(file(`${HEAD}\n${rows.join('\n')}\n`));
    expect(code).toBe(5);
    expect(errors).toMatch(/:2: the price is in EUR, the currency is USD/);
    expect(errors).toMatch(/:3: no currency: state it for every row with --set currency=USD/);
    expect(await stored('c3')).toMatchObject({ price_minor: 500 });
  });

  test('options of csv are rejected for other formats', async () => {
    const { code, errors } = await world.importSales('mintmark', file(HEAD), '--days', 'dmy');
    expect({ code, errors }).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--days is for the format csv'),
    });
  });
});
