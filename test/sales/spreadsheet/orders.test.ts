import { afterAll, beforeAll, expect, test } from 'vitest';
import { anItem, aSet } from '../../support/builders.ts';
import { openCsvWorld } from './csv-world.ts';

let world: Awaited<ReturnType<typeof openCsvWorld>>;
let item: string;
beforeAll(async () => {
  world = await openCsvWorld();
  item = world.item;
});
afterAll(() => world.close());
const file = (content: string | Buffer) => world.file(content);

test('an order of several cards and copies is as many sales, again nothing new; a line of one of them corrects it', async () => {
  const umbreon = await anItem(world.db, {
    set: await aSet(world.db, { name: 'Orders' }),
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
  const one = await world.importCsv(report(`${umbreon},PSA,8,95,2026-04-02,O-2`), ...set);
  expect(one.printed).toContain('rows 7 = added 6 + repeated 1 + corrected 0');
  expect(one.printed).toMatch(/^Counted once: .*\n {2}\S+:6 is the sale of line 2\n/m);
  expect(one.printed).toMatch(/^Import (\d+): mintmark imports undo \1 takes it back\.$/m);
  const again = await world.importCsv(report(`${umbreon},PSA,8,99,2026-04-02,O-2`), '--dry-run', ...set);
  expect(again.printed).toContain('rows 7 = added 0 + repeated 6 + corrected 1');
  expect(again.printed).toMatch(/^corrected, line 8: \$99\.00 on 2026-04-02 → Umbreon #95 PSA 8 NM-MT$/m);
  expect(again.printed).not.toContain('takes it back');
  const ids = await world.db.query<{ id: string }>(
    `select source_sale_id as id from sales where source = 'order-shop' order by id`,
  );
  expect(ids.map(({ id }) => id).sort()).toEqual(['O-1', 'O-1 #2', 'O-1 #3', 'O-1 #4', 'O-1 #5', 'O-2']);

  // A column of the name is of sales: the later row corrects the earlier one. A transaction is one sale, an order need not be.
  const named = (header: string, ...rows: string[]) =>
    world.importCsv(file([`item_id,Grader,Grade,Sold for,Date,${header}`, ...rows].join('\n')), ...set);
  const [first, other] = [`${item},PSA,9,400,2026-04-01`, `${umbreon},PSA,9,250,2026-04-01`];
  expect((await named('sale_id', `${first},n-1`, `${other},n-1`)).printed).toContain(
    'rows 2 = added 1 + repeated 0 + corrected 1',
  );
  const equal = await world.importCsv(
    file(['item_id,Grader,Grade,Sold for,Date', first, other, first].join('\n')),
    ...set,
    '--json',
  );
  expect(JSON.parse(equal.printed)).toMatchObject({
    ...{ added: 2, repeated: 1 },
    sameSales: [{ path: expect.any(String), line: 4, sameAsLine: 2 }],
  });
  const unmapped = await named('Invoice', `${first},I-1`);
  expect(unmapped.errors).toContain(
    'ignored: "Invoice"; no column contains sale ids; if one of these does, use --map sale_id="…" now and for later files',
  );
  const both = await named('Order number,Transaction ID', `${first},O-9,t-1`, `${other},O-9,t-2`);
  expect(both.errors).toContain('sale_id ← "Transaction ID"; ignored: "Order number"');
});

test('the orders report of an eBay seller', async () => {
  const report = [
    '',
    'Sales Record Number,Order Number,Buyer Name,Item Number,Item Title,Custom Label,Quantity,Sold For,Sale Date,Transaction ID',
    '901,11-1,Somebody,1234,"Charizard #4 Base PSA 10",A1,1,"$1,250.00",Nov-18-26,777',
    '902,11-2,Other,,,,2,,Nov-19-26,',
    '902,11-2,Other,1235,"Charizard #4 Base PSA 9",A2,1,$300.00,Nov-19-26,778',
    '902,11-2,Other,1236,,A3,1,$310.00,Nov-19-26,779',
    '903,11-3,Other,,,,2,$90.00,Nov-19-26,',
    '',
    '1,record(s) downloaded',
  ].join('\n');
  const { printed, errors } = await world.importSales('ebay-orders', file(report), '--dry-run');
  expect(errors).toContain('sold_at ← "Sale Date"');
  expect(printed).toMatch(/^added, line 3: \$1,250\.00 on 2026-11-18 → Charizard #4 PSA 10 Gem Mint$/m);
  expect(printed).toMatch(/^rows 3 = added 2 .* rejected 1 /m);
  expect(printed).toMatch(/^rejected, line 6: no_item: /m);
  expect(printed).toContain('Left out: 2 rows of whole orders;');
});

test('the orders of a TCGplayer seller: one sale a row at the price of a copy, again nothing new', async () => {
  const set = await aSet(world.db, { name: 'Evolving Skies', code: 'swsh7' });
  const umbreon = await anItem(world.db, { set, number: '215', name: 'Umbreon VMAX' });
  const report = [
    'Order Number,Product Name,Set Name,Quantity,Price,Condition,Order Date,SKU,Language,Printing,Rarity,Card Number',
    'AB-1,Charizard,Base,1,$250.00,Near Mint,11/02/2026,501,English,Normal,Rare,4',
    'AB-1,Umbreon VMAX,Evolving Skies,3,900.50,Lightly Played,11/02/2026,777,English,Normal,Secret Rare,215/203',
    'AB-1,Charizard,Base,1,$251.00,Near Mint,11/02/2026,501,English,Normal,Rare,4',
    'AB-2,Charizard,Base,1,$90.00,Damaged,11/03/2026,502,English,Normal,Rare,4',
    ',Charizard,Base,1,$91.00,Near Mint,11/03/2026,501,English,Normal,Rare,4',
    'AB-3,,Base,1,$92.00,Near Mint,11/03/2026,503,English,Normal,Rare,4',
  ].join('\n');
  const path = file(report);
  const run = () => world.importSales('tcgplayer-orders', path);
  const { errors, printed } = await run();
  expect(errors).toContain(
    'title ← "Product Name" + "Card Number" + "Set Name" + "Printing" + "Language" + "Condition"',
  );
  expect(errors).toContain('ignored: "Quantity", "Rarity"');
  expect(printed).toMatch(/^rows 6 = added 4 .* rejected 2 \+ waiting 0$/m);
  const sales = await world.db.query(
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
