import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';
import { mintmarkSales } from '../../src/sales/formats/mintmark.ts';
import type { SalesProblem } from '../../src/sales/import/import-files.ts';
import { importSales, type SalesReport } from '../../src/sales/import/import-sales.ts';
import { listUnmatched, rematch } from '../../src/sales/import/waiting.ts';
import { listRejected } from '../../src/sales/rejected.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const TODAY = parseDay('2026-11-21')!;
const HEADER = 'item_id,company,grade,price,currency,sold_at,source,sale_id,sale_type,status,cert';
const folder = mkdtempSync(join(tmpdir(), 'mintmark-sales-'));

let fresh: FreshDatabase;
let db: Db;
let item: string;
let fileCount = 0;

beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  item = await anItem(db);
});
afterEach(() => fresh.close());
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string | Buffer, name = 'sales.csv'): string {
  const path = join(folder, `${fileCount++}-${name}`);
  writeFileSync(path, text);
  return path;
}

async function load(text: string | Buffer, { today = TODAY, name = 'sales.csv' } = {}) {
  const problems: SalesProblem[] = [];
  const onProblem = (problem: SalesProblem) => problems.push(problem);
  const report = await importSales(db, { format: mintmarkSales, paths: [file(text, name)], today, onProblem });
  return { report, problems };
}

/** A row of the own CSV; PSA 10 at $100 on eBay by default. */
function row(over: { [column: string]: string } = {}): string {
  const values: { [column: string]: string } = {
    item_id: item,
    company: 'PSA',
    grade: '10',
    price: '100',
    currency: 'USD',
    sold_at: '2026-05-01',
    source: 'ebay',
    sale_id: '1',
    sale_type: 'auction',
    status: '',
    cert: '',
    ...over,
  };
  return HEADER.split(',')
    .map((column) => values[column])
    .join(',');
}

const csv = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;

/** The ledger without what names this import. */
async function ledger() {
  return await db.query(
    `select s.source, s.source_sale_id, s.revision, s.price_minor, s.price_usd_cents, s.refusal, s.sold_day, s.known_day,
       d.source_sale_id as duplicate_of, v.reason as void
     from sales s left join sale_voids v on v.sale_id = s.id left join sales d on d.id = s.duplicate_of
     order by s.source, s.source_sale_id, s.revision`,
  );
}

function expectSum(report: SalesReport) {
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
  const { added, repeated, corrected, reversed, refused, waiting } = report;
  expect(added + repeated + corrected + reversed + sum(refused) + sum(waiting)).toBe(report.rows);
}

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
      refusal: null,
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
    expect(report).toMatchObject({ rows: 4, added: 0, repeated: 3, refused: { bad_price: 1 } });
    expect(await ledger()).toEqual(before);
    expect(await db.query('select count(*) as n from refused_rows')).toEqual([{ n: 1 }]);
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
    expect(report).toMatchObject({ reversed: 1, refused: { relisted: 1 } });
    const before = await ledger();
    expect(before).toMatchObject([
      { void: 'unpaid', refusal: null },
      { void: null, refusal: 'relisted' },
    ]);
    const again = await load(csv(row({ price: '130' }), row({ sale_id: '2' }), row({ status: 'unpaid' })));
    expect(again.report).toMatchObject({ repeated: 3 });
    expect(await ledger()).toEqual(before);
  });

  test('every refused sale stays with its reason and line', async () => {
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
    expect(report.refused).toEqual({
      company_unsupported: 1,
      grade_unsupported: 1,
      absurd_price: 3,
      future: 1,
      fx_missing: 1,
    });
    expectSum(report);
    expect(
      await db.query('select source_sale_id, line, company, grade, refusal from sales order by 1 limit 2'),
    ).toEqual([
      { source_sale_id: 'a', line: 2, company: 'SGC', grade: '10', refusal: 'company_unsupported' },
      { source_sale_id: 'b', line: 3, company: 'PSA', grade: 'Authentic', refusal: 'grade_unsupported' },
    ]);
  });

  test('the struck-through price of a best offer is an ask that has ended, and no price', async () => {
    const text = [`${HEADER},price_hidden`, `${row({ sale_type: 'offer' })},true`].join('\n');
    expect((await load(text)).report).toMatchObject({ added: 0, refused: { hidden_price: 1 } });
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
      { refusal: 'hidden_price', void: 'corrected' },
      { refusal: null, void: null },
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
    expect((await load(text(before))).report).toMatchObject({ added: 0, refused: { [reason]: 1 } });
    expect((await load(text(after))).report).toMatchObject({ corrected: 1 });
    expect(await db.query('select refusal from sales order by revision')).toEqual([
      { refusal: reason },
      { refusal: null },
    ]);
    expect((await load(text(before))).report).toMatchObject({ repeated: 1, corrected: 0 });
  });

  test('a sale rejected for want of a rate is accepted once the rate of its day is known', async () => {
    const text = csv(row({ currency: 'JPY', price: '16500' }));
    expect((await load(text)).report).toMatchObject({ added: 0, refused: { fx_missing: 1 } });
    await db.query(`insert into fx_rates (currency, day, usd_per_unit) values ('JPY', $1, 0.0064)`, [
      parseDay('2026-05-01'),
    ]);
    expect((await load(text)).report).toMatchObject({ corrected: 1 });
    expect(await db.query('select refusal, price_usd_cents from sales order by revision')).toEqual([
      { refusal: 'fx_missing', price_usd_cents: null },
      { refusal: null, price_usd_cents: 10560 },
    ]);
  });

  test.each(['company_unsupported', 'grade_unsupported'])(
    'a sale rejected as %s is accepted once its grade is priced',
    async (reason) => {
      await load(csv(row()));
      // As a version that did not price this grade stored it.
      await db.query('update sales set refusal = $1', [reason]);
      expect((await load(csv(row()))).report).toMatchObject({ corrected: 1 });
      expect(await db.query('select refusal from sales order by revision')).toEqual([
        { refusal: reason },
        { refusal: null },
      ]);
    },
  );

  test('a raw card without a condition is read as near mint and says so', async () => {
    await load(csv(row({ company: 'RAW', grade: '' })));
    expect(await db.query('select grade_key, detail from sales')).toEqual([
      { grade_key: 'raw-A', detail: 'condition assumed' },
    ]);
  });

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
    expect((await load(text, { today: TODAY + 60 })).report).toMatchObject({ corrected: 1 });
    expect(await ledger()).toMatchObject([
      { refusal: 'future', void: 'corrected' },
      { refusal: null, void: null },
    ]);
  });

  test('a sale of an unknown card waits in the queue and enters once the catalog has it', async () => {
    const later = '11111111-1111-4111-8111-111111111111';
    const { report } = await load(
      csv(row({ item_id: later }), row({ item_id: later, sale_id: '2', status: 'unpaid' })),
    );
    expect(report).toMatchObject({ waiting: { item_unknown: 1 }, refused: { unpaid: 1 } });
    expect(await listUnmatched(db, { limit: 10 })).toMatchObject({ total: 1, byReason: { item_unknown: 1 } });
    await anItem(db, { id: later, number: '5' });
    expect(await rematch(db, { today: TODAY })).toMatchObject({ rows: 2, added: 1, refused: { unpaid: 1 } });
    expect(await listUnmatched(db, { limit: 10 })).toMatchObject({ total: 0, sales: [] });
  });

  test.each(['together', 'apart'])(
    'a waiting sale is taken back by a voided row that comes %s, for good',
    async (how) => {
      const later = '11111111-1111-4111-8111-111111111111';
      const sold = row({ item_id: later });
      const voided = row({ item_id: later, status: 'voided' });
      const sum = { added: 0, repeated: 0, corrected: 0, reversed: 0, refused: {}, waiting: {} };
      if (how === 'apart') {
        expect((await load(csv(sold))).report).toMatchObject({ ...sum, waiting: { item_unknown: 1 } });
        expect((await load(csv(voided))).report).toMatchObject({ ...sum, reversed: 1 });
      } else
        expect((await load(csv(sold, voided))).report).toMatchObject({
          ...sum,
          reversed: 1,
          waiting: { item_unknown: 1 },
        });
      expect(await listUnmatched(db, { limit: 10 })).toMatchObject({ total: 0, sales: [], byReason: {} });
      expect((await load(csv(sold))).report).toMatchObject({ ...sum, repeated: 1 });
      expect((await load(csv(voided))).report).toMatchObject({ ...sum, repeated: 1 });
      expect(await listUnmatched(db, { limit: 10 })).toMatchObject({ total: 0 });
      await anItem(db, { id: later, number: '5' });
      expect(await rematch(db, { today: TODAY })).toMatchObject({ ...sum, refused: { voided: 1 } });
      expect(await ledger()).toMatchObject([{ refusal: 'voided' }]);
      expect((await load(csv(sold))).report).toMatchObject({ ...sum, repeated: 1 });
    },
  );

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
      { known_day: TODAY, refusal: null },
      { known_day: TODAY, refusal: 'too_late' },
      { known_day: parseDay('2024-12-31'), refusal: null },
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
    const { report } = await load(`${JSON.stringify(line)}\n{"price": 1}\nnot json\n`, { name: 'sales.ndjson' });
    expect(report).toMatchObject({ rows: 3, added: 1, refused: { no_item: 1, bad_row: 1 } });
    expect(await db.query('select grade_key, price_minor from sales')).toEqual([
      { grade_key: 'bgs-9-5', price_minor: 123450 },
    ]);
  });
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
  expect(rows[0]!.row).toBe('ebay other');
  expect(rows[1]!.row).toContain('yesterday');
  expect(await listRejected(db, 1)).toEqual(rows.slice(0, 1));
});

describe('an import killed and run again', () => {
  test('leaves the ledger of an undisturbed one, whatever the batch it was killed in', async () => {
    const rows = Array.from({ length: 25_000 }, (_, i) =>
      row({ sale_id: `${i % 24_000}`, price: String(1 + (i % 997)) }),
    );
    const path = file(csv(...rows));
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
    ['with a column too many', `${HEADER},prize\n`, 'unknown column "prize"'],
    ['with a column twice', `${HEADER},price\n`, 'a column stands twice'],
  ])('a file that is %s imports nothing and says why', async (_, content, message) => {
    await expect(load(content)).rejects.toThrow(message);
    expect(await db.query('select * from sales union all select * from sales')).toEqual([]);
  });

  test('broken rows are refused with their line and the others are imported', async () => {
    const text = Buffer.concat([
      Buffer.from(csv(row({ sale_id: '1' }), 'too,few', `"${row()}`)),
      Buffer.from(row({ sale_id: 'caf\u00e9' }), 'latin1'),
      Buffer.from(`\n${'x'.repeat(2 << 20)}\n${row({ sale_id: '2' })}\n${row({ sale_id: '3' }).slice(0, 60)}`),
    ]);
    const { report, problems } = await load(text);
    expect(report).toMatchObject({ rows: 7, added: 2, refused: { bad_row: 5 } });
    expect(problems.map((problem) => problem.line)).toEqual([3, 4, 5, 6, 8]);
  });
});
