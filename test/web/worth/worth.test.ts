import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPORT_NAMES } from '../../../src/lists/list-exports.ts';
import { readPastedList } from '../../../src/lists/read-csv-list.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const charizard = await anItem(db, { number: '4', name: 'Charizard' });
  await manySales(db, { itemId: charizard, usdCents: 412_37 });
  await manySales(db, { itemId: charizard, gradeKey: 'raw-A', usdCents: 99_01 });
  const set = await aSet(db, { game: 'mtg', name: 'Dominaria Remastered', code: 'dmr' });
  const forest = await anItem(db, { set, number: '96', name: 'Rhystic Study' });
  await manySales(db, { itemId: forest, gradeKey: 'raw-A', usdCents: 31_05 });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://prices.example' };
const sendText = (list: string) => api.post('/worth', new URLSearchParams({ list }).toString(), { headers: FORM });
const sendFile = (content: string | Buffer) => {
  const head =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="list.csv"\r\ncontent-type: text/csv\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--x--\r\n')]);
  return api.post('/worth/file', body, {
    headers: { ...FORM, 'content-type': 'multipart/form-data; boundary=x' },
  });
};

describe('the page that values a list', () => {
  test('has a form for text and one for a file', async () => {
    const { status, text } = await api.get('/worth', { accept: 'text/html' });
    expect(status).toBe(200);
    expect(text).toContain('<textarea id="list"');
    expect(text).toContain('type="file"');
    expect(text).not.toContain('noindex');
  });

  test.each([
    ['many', 'Line 2: quantity must be a whole number'],
    ['-2', 'Line 2: quantity must be a whole number'],
    ['100001', 'Line 2: quantity must be a whole number'],
  ])('names the line with the quantity %j, and keeps the list', async (quantity, fault) => {
    const { status, text } = await sendText(`title,quantity\nBase Set Charizard 4/102 PSA 10,${quantity}`);
    expect([status, text.includes(fault)]).toEqual([200, true]);
    expect(text).toContain(`Base Set Charizard 4/102 PSA 10,${quantity}</textarea>`);
  });

  test('reads a table by its header in capitals, and names a column that lists do not have', () => {
    const lines = [{ title: 'Charizard 4/102', quantity: 2 }];
    expect(readPastedList('Quantity;TITLE\n2;Charizard 4/102')).toEqual(lines);
    expect(() => readPastedList('quantity,title,notes\n2,Charizard,mine')).toThrow('got "notes"');
    expect(readPastedList('Charizard, Base Set\nmew')).toEqual([{ title: 'Charizard, Base Set' }, { title: 'mew' }]);
  });

  test('leaves out the cards of an export of which there are none, and rejects other texts', () => {
    const moxfield = (count: string) =>
      `Count,Tradelist Count,Name,Edition,Collector Number,Foil\n2,0,Rhystic Study,dmr,96,\n${count},1,Island,dmr,97,`;
    const quantities = (count: string) => readPastedList(moxfield(count)).map(({ quantity }) => quantity);
    expect([quantities('0'), quantities('12345'), quantities('')]).toEqual([[2], [2, 12345], [2, undefined]]);
    expect(() => quantities('1.5')).toThrow('Line 3: quantity must be a whole number from 1 to 100000');
  });

  test('shows each line with its price or the reason, and the total with its range', async () => {
    const { status, text, headers } = await sendText(
      '2x Pokemon Base Set Charizard 4/102 PSA 10\nBase Set Charizard PSA 10\nlot of 20 cards',
    );
    expect(status).toBe(200);
    const { json } = await api.post('/v1/valuations', {
      lines: [{ title: 'Pokemon Base Set Charizard 4/102 PSA 10', quantity: 2 }],
    });
    const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
    for (const cents of [json.total.valueUsdCents, json.total.rangeUsdCents.low, json.total.rangeUsdCents.high])
      expect(text).toContain(dollars(cents));
    expect(text).toContain('1 of 3 lines is priced');
    expect(text).toContain('The title has no number that could be a card’s.');
    expect(text).toContain('May be');
    expect(text).toContain('The title is of several cards.');
    expect(text).toContain(json.lines[0].receiptUrl.replace('https://prices.example', ''));
    expect(text).toContain('noindex');
    expect(headers['cache-control']).toBe('no-store');
  });

  test('does not show a grade that is not priced as one that is', async () => {
    const { text } = await sendText('Pokemon Base Set Charizard 4/102 SGC 9');
    expect(text).toContain(
      'Your line: Pokemon Base Set Charizard 4/102 SGC 9. Grades of this company have no prices here.',
    );
    expect(text).not.toContain('PSA 10');
    const { json } = await api.post('/v1/valuations', { lines: [{ title: 'Pokemon Base Set Charizard 4/102 SGC 9' }] });
    expect([json.lines[0].reason, json.lines[0].card.gradeLabel]).toEqual(['company_unsupported', null]);
  });

  test('takes the same list as a file', async () => {
    const csv = 'title,company,grade,quantity\nBase Set Charizard 4/102,PSA,10,3\n';
    const { status, text } = await sendFile(csv);
    expect(status).toBe(200);
    expect(text).toContain('1 of 1 line is priced');
  });

  test.each([
    ['UTF-8', 'utf8'],
    ['UTF-16', 'utf16le'],
    ['Windows-1252', 'latin1'],
  ] as const)('reads a file in %s', async (_name, encoding) => {
    const mark = encoding === 'utf16le' ? '\ufeff' : '';
    const { text } = await sendFile(Buffer.from(`${mark}title,quantity\nPokémon unknown thing 999,1\n`, encoding));
    expect(text).toContain('Pokémon unknown thing 999');
  });

  test('says what is wrong with a list, and keeps what was typed', async () => {
    const { text } = await sendText('title,quantity\n"x');
    expect(text).toContain('The list is not CSV');
    expect(text).toContain('title,quantity');
    expect((await sendText(`${'x\n'.repeat(1001)}`)).text).toContain('at most 1000 lines');
  });

  test('is not opened by a form of another site', async () => {
    const headers = { ...FORM, origin: 'https://elsewhere.example' };
    expect((await api.post('/worth', 'list=x', { headers })).status).toBeGreaterThanOrEqual(400);
  });

  test('shows text of a list as text', async () => {
    const { text } = await sendText('<script>alert(1)</script> 4/102');
    expect(text).not.toContain('<script>alert');
  });
});

describe('exports', () => {
  const FILES: Record<string, string> = {
    ManaBox:
      'Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency\n' +
      'Rhystic Study,DMR,Dominaria Remastered,96,normal,rare,2,1,x,1.0,false,false,near_mint,en,USD',
    Moxfield:
      '"Count","Tradelist Count","Name","Edition","Condition","Language","Foil","Tags","Last Modified","Collector Number","Alter","Proxy","Purchase Price"\n' +
      '"2","0","Rhystic Study","dmr","Near Mint","English","","","2025-01-01","96","False","False",""',
    TCGplayer:
      'Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,Product ID,SKU\n' +
      '2,Rhystic Study,Rhystic Study,Dominaria Remastered,96,DMR,Normal,Near Mint,English,Rare,1,2',
    Collectr:
      'Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Average Cost Paid,Quantity,Market Price (As of 2026-06-01),Price Override,Watchlist,Date Added,Notes\n' +
      'Main,Pokemon,Base Set,Charizard,4/102,Rare,Normal,PSA 10.0,,0,2,1,0,false,2026-01-01,',
  };

  test('of each program that the page names have a sample here', () => {
    expect(Object.keys(FILES)).toEqual(EXPORT_NAMES);
  });

  test.each(Object.entries(FILES))('of %s are priced, with their quantity', async (_name, text) => {
    const { json } = await api.post('/v1/valuations', { lines: readPastedList(text) });
    expect(json.lines).toMatchObject([{ status: 'priced', quantity: 2 }]);
    const csv = await api.post('/v1/valuations', text, { headers: { 'content-type': 'text/csv' } });
    expect(csv.json).toEqual(json);
  });
});
