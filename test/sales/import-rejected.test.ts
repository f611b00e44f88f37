import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';
import { admitRated } from '../../src/sales/import/admit-rated.ts';
import { listUnmatched, rematch } from '../../src/sales/import/waiting.ts';
import { listRejected } from '../../src/sales/rejected.ts';
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

const load = (text: string | Buffer, today = TODAY) => importFile(db, files.write(text), today);
const row = (over?: { [column: string]: string }) => rowOf(item, over);
const ledger = () => ledgerOf(db);

describe('importing sales', () => {
  test('every rejected sale stays with its reason and line', async () => {
    const { report } = await load(
      csv(
        row({ sale_id: 'a', company: 'SGC' }),
        row({ sale_id: 'b', grade: 'Authentic' }),
        row({ sale_id: 'c', price: '0' }),
        row({ sale_id: 'd', price: '0.49' }),
        row({ sale_id: 'e', price: '50000000.01' }),
        row({ sale_id: 'f', sold_at: '2026-12-24' }),
        row({ sale_id: 'g', currency: 'JPY', price: '16500' }),
      ),
    );
    expect(report.rejected).toEqual({
      company_unsupported: 1,
      grade_unsupported: 1,
      absurd_price: 3,
      future: 1,
      fx_missing: 1,
    });
    expectSum(report);
    expect(
      await db.query('select source_sale_id, line, company, grade, rejection from sales order by 1 limit 2'),
    ).toEqual([
      { source_sale_id: 'a', line: 2, company: 'SGC', grade: '10', rejection: 'company_unsupported' },
      { source_sale_id: 'b', line: 3, company: 'PSA', grade: 'Authentic', rejection: 'grade_unsupported' },
    ]);
  });

  test('the struck-through price of a best offer is an ask that has ended, and no price', async () => {
    const text = [`${HEADER},price_hidden`, `${row({ sale_type: 'offer' })},true`].join('\n');
    expect((await load(text)).report).toMatchObject({ added: 0, rejected: { hidden_price: 1 } });
    await load(text);
    expect(await db.query('select price_usd_cents, ended_at from listings')).toEqual([
      { price_usd_cents: 10000, ended_at: new Date('2026-05-01T00:00:00Z') },
    ]);
  });

  test('a hidden price becomes a sale when the accepted amount is reported, even the same, and old files change nothing', async () => {
    const hidden = [`${HEADER},price_hidden`, `${row({ sale_type: 'offer' })},true`].join('\n');
    await load(hidden);
    expect((await load(csv(row({ sale_type: 'offer' })))).report).toMatchObject({ corrected: 1 });
    const before = await ledger();
    await load(hidden);
    await load(csv(row({ sale_type: 'offer' })));
    expect(await ledger()).toEqual(before);
    expect(before).toMatchObject([
      { rejection: 'hidden_price', void: 'corrected' },
      { rejection: null, void: null },
    ]);
  });

  test.each([
    ['lot', { quantity: '2' }, { quantity: '1' }],
    ['not_card', { title: 'Charizard proxy' }, { title: 'Charizard' }],
    ['hidden_price', { price_hidden: 'true' }, { price_hidden: '' }],
    ['future', { known_at: '2026-11-25' }, { known_at: '2026-11-20' }],
  ])('a sale rejected as %s is accepted once a file describes it so that it passes', async (reason, before, after) => {
    const columns = ['quantity', 'title', 'price_hidden', 'known_at'] as const;
    const text = (over: { [column: string]: string }) =>
      [
        `${HEADER},${columns}`,
        [row({ sale_type: 'offer' }), ...columns.map((name) => over[name] ?? '')].join(','),
      ].join('\n');
    expect((await load(text(before))).report).toMatchObject({ added: 0, rejected: { [reason]: 1 } });
    expect((await load(text(after))).report).toMatchObject({ corrected: 1 });
    expect(await db.query('select rejection from sales order by revision')).toEqual([
      { rejection: reason },
      { rejection: null },
    ]);
    expect((await load(text(before))).report).toMatchObject({ repeated: 1, corrected: 0 });
  });

  test('a sale rejected for want of a rate is accepted once the rate of its day is known', async () => {
    const text = csv(row({ currency: 'JPY', price: '16500' }));
    expect((await load(text)).report).toMatchObject({ added: 0, rejected: { fx_missing: 1 } });
    await db.query(`insert into fx_rates (currency, day, usd_per_unit) values ('JPY', $1, 0.0064)`, [
      parseDay('2026-05-01'),
    ]);
    expect((await load(text)).report).toMatchObject({ corrected: 1 });
    expect(await db.query('select rejection, price_usd_cents from sales order by revision')).toEqual([
      { rejection: 'fx_missing', price_usd_cents: null },
      { rejection: null, price_usd_cents: 10560 },
    ]);
  });

  test('sales rejected for want of a rate alone enter with it, once', async () => {
    const { report } = await load(
      csv(
        row({ sale_id: 'yen', currency: 'JPY', price: '16500' }),
        row({ sale_id: 'tiny', currency: 'JPY', price: '10' }),
        row({ sale_id: 'nothing', currency: 'JPY', price: '0' }),
        row({ sale_id: 'euro', currency: 'EUR' }),
      ),
    );
    expect(report.rejected).toEqual({ fx_missing: 3, absurd_price: 1 });
    expect(await admitRated(db, { today: TODAY + 1 })).toBeNull();
    await db.query(`insert into fx_rates (currency, day, usd_per_unit) values ('JPY', $1, 0.0064)`, [
      parseDay('2026-04-28'),
    ]);
    expect(await admitRated(db, { today: TODAY + 1 })).toMatchObject({ rows: 2, corrected: 2, added: 0, rejected: {} });
    expect(await admitRated(db, { today: TODAY + 1 })).toBeNull();
    expect(await ledger()).toMatchObject([
      { source_sale_id: 'euro', rejection: 'fx_missing', void: null },
      { source_sale_id: 'nothing', rejection: 'absurd_price', void: null },
      { source_sale_id: 'tiny', rejection: 'fx_missing', void: 'corrected' },
      { source_sale_id: 'tiny', rejection: 'absurd_price', price_usd_cents: 6, void: null },
      { source_sale_id: 'yen', rejection: 'fx_missing', void: 'corrected' },
      { source_sale_id: 'yen', rejection: null, price_usd_cents: 10560, known_day: parseDay('2026-05-01'), void: null },
    ]);
    expect(await db.query('select distinct origin_import_id from sales where revision = 1')).toEqual([
      { origin_import_id: report.importId },
    ]);
  });

  test('a sale whose day was closed before its rate came counts from the day of the rate on', async () => {
    await load(csv(row({ currency: 'JPY', price: '16500' })));
    await db.query(`insert into fx_rates (currency, day, usd_per_unit) values ('JPY', $1, 0.0064)`, [
      parseDay('2026-05-01'),
    ]);
    await db.query(`insert into market_days (game, day, level, variance) values ('pokemon', $1, 0, 1)`, [
      parseDay('2026-05-03'),
    ]);
    await admitRated(db, { today: TODAY });
    expect(await ledger()).toMatchObject([{ rejection: 'fx_missing' }, { rejection: null, known_day: TODAY }]);
  });

  test.each(['company_unsupported', 'grade_unsupported'])(
    'a sale rejected as %s is accepted once its grade is priced',
    async (reason) => {
      await load(csv(row()));
      // As a version that did not price this grade stored it.
      await db.query('update sales set rejection = $1', [reason]);
      expect((await load(csv(row()))).report).toMatchObject({ corrected: 1 });
      expect(await db.query('select rejection from sales order by revision')).toEqual([
        { rejection: reason },
        { rejection: null },
      ]);
    },
  );

  test('a sale dated one day ahead waits and enters when its day has come', async () => {
    const { report } = await load(csv(row({ sold_at: '2026-11-22' })));
    expect(report.waiting).toEqual({ future: 1 });
    expect(await rematch(db, { today: TODAY })).toMatchObject({ rows: 0 });
    expect(await rematch(db, { today: TODAY + 1 })).toMatchObject({ rows: 1, added: 1 });
    expect(await db.query('select * from waiting_sales')).toEqual([]);
  });

  test('a sale dated far ahead is rejected, and accepted when it is reported again after that day', async () => {
    const text = csv(row({ sold_at: '2026-12-24' }));
    await load(text);
    expect((await load(text, TODAY + 60)).report).toMatchObject({ corrected: 1 });
    expect(await ledger()).toMatchObject([
      { rejection: 'future', void: 'corrected' },
      { rejection: null, void: null },
    ]);
  });

  test('a sale of an unknown card waits in the queue and enters once the catalog has it', async () => {
    const later = '11111111-1111-4111-8111-111111111111';
    const { report } = await load(
      csv(row({ item_id: later }), row({ item_id: later, sale_id: '2', status: 'unpaid' })),
    );
    expect(report).toMatchObject({ waiting: { item_unknown: 1 }, rejected: { unpaid: 1 } });
    expect(await listUnmatched(db, 10)).toMatchObject({ total: 1, byReason: { item_unknown: 1 } });
    await anItem(db, { id: later, number: '5' });
    expect(await rematch(db, { today: TODAY })).toMatchObject({ rows: 2, added: 1, rejected: { unpaid: 1 } });
    expect(await listUnmatched(db, 10)).toMatchObject({ total: 0, sales: [] });
  });

  test.each(['together', 'apart'])(
    'a waiting sale is taken back by a voided row that comes %s, for good',
    async (how) => {
      const later = '11111111-1111-4111-8111-111111111111';
      const sold = row({ item_id: later });
      const voided = row({ item_id: later, status: 'voided' });
      const sum = { added: 0, repeated: 0, corrected: 0, reversed: 0, rejected: {}, waiting: {} };
      if (how === 'apart') {
        expect((await load(csv(sold))).report).toMatchObject({ ...sum, waiting: { item_unknown: 1 } });
        expect((await load(csv(voided))).report).toMatchObject({ ...sum, reversed: 1 });
      } else
        expect((await load(csv(sold, voided))).report).toMatchObject({
          ...sum,
          reversed: 1,
          waiting: { item_unknown: 1 },
        });
      expect(await listUnmatched(db, 10)).toMatchObject({ total: 0, sales: [], byReason: {} });
      expect((await load(csv(sold))).report).toMatchObject({ ...sum, repeated: 1 });
      expect((await load(csv(voided))).report).toMatchObject({ ...sum, repeated: 1 });
      expect(await listUnmatched(db, 10)).toMatchObject({ total: 0 });
      await anItem(db, { id: later, number: '5' });
      expect(await rematch(db, { today: TODAY })).toMatchObject({ ...sum, rejected: { voided: 1 } });
      expect(await ledger()).toMatchObject([{ rejection: 'voided' }]);
      expect((await load(csv(sold))).report).toMatchObject({ ...sum, repeated: 1 });
    },
  );
});

test('rejected rows are listed with import, line and reason: unreadable ones, and sales that a rule keeps out', async () => {
  const { report: old } = await load(csv(row({ sale_id: 'old', price: 'cheap' })));
  const { report } = await load(
    csv(
      row({ sale_id: 'good' }),
      row({ sale_id: 'other', company: 'SGC' }),
      row({ sale_id: 'odd', sold_at: 'yesterday' }),
    ),
  );
  const rows = await listRejected(db, 10);
  expect(rows.map(({ importId, line, reason }) => [importId, line, reason])).toEqual([
    [report.importId, 3, 'company_unsupported'],
    [report.importId, 4, 'bad_date'],
    [old.importId, 2, 'bad_price'],
  ]);
  expect(rows[0]!.row).toBe('ebay other SGC 10');
  expect(rows[1]!.row).toContain('yesterday');
  expect(await listRejected(db, 1)).toEqual(rows.slice(0, 1));
});

test('a day that does not exist is said to be one', async () => {
  const { problems } = await load(csv(row({ sold_at: '2026-11-31' }), row({ sold_at: '31.11.2026' })));
  expect(problems.map(({ message }) => message)).toEqual([
    'sold_at "2026-11-31" names a day that does not exist',
    expect.stringContaining('"31.11.2026" is not a date (2026-11-21)'),
  ]);
});

test('a rejected sale is listed with the fact that caused it', async () => {
  const columns = `${HEADER},quantity,known_at`;
  await load(
    [
      columns,
      `${row({ sale_id: 'a' })},2,`,
      `${row({ sale_id: 'b', price: '0.49' })},,`,
      `${row({ sale_id: 'c', currency: 'JPY', price: '0' })},,`,
      `${row({ sale_id: 'd', currency: 'JPY', price: '16500' })},,`,
      `${row({ sale_id: 'e', sold_at: '2026-12-24' })},,`,
      `${row({ sale_id: 'f' })},,2026-11-25`,
    ].join('\n'),
  );
  expect((await listRejected(db, 10)).map(({ reason, row: listed }) => `${reason}: ${listed}`)).toEqual([
    'lot: quantity 2: ebay a PSA 10 Gem Mint',
    'absurd_price: price $0.49: ebay b PSA 10 Gem Mint',
    'absurd_price: price 0 JPY: ebay c PSA 10 Gem Mint',
    'fx_missing: no rate of JPY for 2026-05-01: ebay d PSA 10 Gem Mint',
    'future: sold on 2026-12-24: ebay e PSA 10 Gem Mint',
    'future: known on 2026-11-25: ebay f PSA 10 Gem Mint',
  ]);
});

test('a row that is not a sale of one card is listed by its title', async () => {
  await load('title,price,currency,sold_at,source\nLot of 20 holo cards,80,USD,2026-05-01,shop\n');
  const [listed] = await listRejected(db, 10);
  expect(listed).toMatchObject({
    reason: 'lot',
    row: 'the title is of several cards: Lot of 20 holo cards',
  });
});
