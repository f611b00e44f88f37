import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fingerprintWith } from '../../src/access/pepper.ts';
import { withLock } from '../../src/db/locks.ts';
import { parseDay } from '../../src/lib/day.ts';
import { mintmarkSales } from '../../src/sales/formats/mintmark.ts';
import { importSales } from '../../src/sales/import/import-sales.ts';
import { tradesOf } from '../../src/sales/ledger.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'mintmark-duplicates-'));
let fresh: FreshDatabase;
let item: string;

beforeEach(async () => {
  fresh = await freshDatabase();
  item = await anItem(fresh.db);
});
afterEach(() => fresh.close());
afterAll(() => rmSync(folder, { recursive: true }));

type Row = {
  source: string;
  id: string;
  price?: string;
  sold?: string;
  cert?: string;
  grade?: string;
  status?: string;
};

/** Imports each group as a file of its own and says for each sale what became of it. */
async function outcome(...files: Row[][]): Promise<Record<string, string>> {
  for (const [n, rows] of files.entries()) {
    const path = join(folder, `${n}.csv`);
    const lines = rows.map(({ source, id, price = '100', sold = '2026-05-10', cert = '', grade = '10', status = '' }) =>
      [item, 'PSA', grade, price, 'USD', sold, source, id, cert, status].join(','),
    );
    writeFileSync(
      path,
      ['item_id,company,grade,price,currency,sold_at,source,sale_id,cert,status', ...lines].join('\n'),
    );
    await importSales(fresh.db, { format: mintmarkSales, paths: [path], today: parseDay('2026-11-21')! });
  }
  const rows = await fresh.db.query<{ id: string; state: string; of: string | null }>(
    `select s.source || ' ' || s.source_sale_id as id, coalesce(s.rejection, v.reason, 'accepted') as state,
       (select d.source || ' ' || d.source_sale_id from sales d where d.id = coalesce(s.duplicate_of, v.superseded_by)) as of
     from sales s left join sale_voids v on v.sale_id = s.id`,
  );
  return Object.fromEntries(rows.map(({ id, state, of }) => [id, of === null ? state : `${state} of ${of}`]));
}

const PRIMARY = { source: 'ebay', id: '1' };
const REPEAT = { source: 'alt-sold', id: 'a', sold: '2026-05-12' };
const KEPT = { 'ebay 1': 'accepted', 'alt-sold a': 'duplicate of ebay 1' };

describe('one sale reported by two sources', () => {
  test.each([
    ['the primary first', [[PRIMARY], [REPEAT]]],
    ['the aggregator first', [[REPEAT], [PRIMARY]]],
    ['both in one file', [[REPEAT, PRIMARY]]],
  ])('is kept once, as the primary reported it: %s', async (_, files) => expect(await outcome(...files)).toEqual(KEPT));

  test('importing again changes nothing', async () => {
    expect(await outcome([REPEAT], [PRIMARY], [REPEAT], [PRIMARY])).toEqual(KEPT);
  });

  test.each<[string, Row]>([
    ['a cent more', { ...REPEAT, price: '100.01' }],
    ['three days later', { ...REPEAT, sold: '2026-05-13' }],
    ['another grade', { ...REPEAT, grade: '9' }],
    ['an independent source', { ...REPEAT, source: 'myslabs' }],
  ])('%s is another sale', async (_, other) => {
    expect(Object.values(await outcome([PRIMARY, other]))).toEqual(['accepted', 'accepted']);
  });

  test('the same cert within three days and one percent is one sale, of any two sources', async () => {
    const mine = { source: 'goldin', id: '1', cert: '12345678' };
    const theirs = { source: 'pristine', id: '2', cert: '12345678', price: '101', sold: '2026-05-13' };
    expect(await outcome([theirs], [mine])).toEqual({ 'goldin 1': 'accepted', 'pristine 2': 'duplicate of goldin 1' });
  });

  test.each([
    ['101.01', 'duplicate of goldin 1'],
    ['101.02', 'accepted'],
  ])('one percent is of the higher price: $100 and $%s', async (price, state) => {
    const mine = { source: 'goldin', id: '1', cert: '12345678' };
    const theirs = { source: 'pristine', id: '2', cert: '12345678', price };
    expect(await outcome([mine, theirs])).toEqual({ 'goldin 1': 'accepted', 'pristine 2': state });
  });

  test('a cert that one source sold twice within three days was sold twice', async () => {
    const first = { source: 'goldin', id: '1', cert: '12345678' };
    const resold = { source: 'goldin', id: '2', cert: '12345678', sold: '2026-05-12' };
    expect(await outcome([first, resold])).toEqual({ 'goldin 1': 'accepted', 'goldin 2': 'accepted' });
  });

  // Each repeats the one before it; the third is too far from the first to repeat it.
  const [ALT, FANATICS, GOLDIN] = ['alt', 'fanatics', 'goldin'].map((source, n) => {
    return { source, id: 'x', cert: '12345678', sold: `2026-05-${10 + 3 * n}` };
  }) as [Row, Row, Row];
  test.each([
    ['in order', [ALT, FANATICS, GOLDIN]],
    ['backwards', [GOLDIN, FANATICS, ALT]],
    ['the middle first', [FANATICS, ALT, GOLDIN]],
    ['the middle last', [GOLDIN, ALT, FANATICS]],
  ])('of a chain of three the first is kept, whatever the order of arrival: %s', async (_, rows) => {
    const kept = await outcome(...rows.map((row) => [row]));
    expect(kept).toEqual({
      'alt x': 'accepted',
      'fanatics x': expect.stringMatching(/^duplicate/),
      'goldin x': expect.stringMatching(/^duplicate/),
    });
  });

  test.each(
    [
      ['alt-sold', 'comc', 'ebay'],
      ['comc', 'ebay', 'alt-sold'],
      ['ebay', 'comc', 'alt-sold'],
      ['ebay', 'alt-sold', 'comc'],
    ].map((sources) => [sources.join(', '), sources]),
  )(
    'an aggregator comes after all that repeat nothing, also where it does not name one of them: %s',
    async (_, sources) => {
      const kept = await outcome(...sources.map((source) => [{ source, id: '1', cert: '12345678' }]));
      expect(Object.keys(kept).filter((id) => kept[id] === 'accepted')).toEqual(['comc 1']);
    },
  );

  const UNPAID = { ...PRIMARY, status: 'unpaid' };
  test.each([
    ['after it was counted', [[PRIMARY], [UNPAID], [REPEAT]]],
    ['before it was counted', [[UNPAID], [REPEAT]]],
    ['after its repetition', [[REPEAT], [UNPAID]]],
    ['in one file with its repetition', [[REPEAT, UNPAID]]],
  ])('a sale that its source cancelled %s does not count as an aggregator repeats it', async (_, files) => {
    expect(await outcome(...files)).toEqual({ 'ebay 1': 'unpaid', 'alt-sold a': 'duplicate of ebay 1' });
  });

  test('a cancelled sale does not cancel that of another market, nor is it cancelled as a duplicate', async () => {
    const unpaid = { source: 'goldin', id: '1', cert: '12345678', status: 'unpaid' };
    const sold = { source: 'pristine', id: '2', cert: '12345678' };
    const first = { source: 'ebay', id: '3', cert: '12345678' };
    expect(await outcome([unpaid], [sold], [first])).toEqual({
      'goldin 1': 'unpaid',
      'pristine 2': 'duplicate of ebay 3',
      'ebay 3': 'accepted',
    });
    expect(await outcome([{ ...first, status: 'unpaid' }], [{ ...sold, id: '4' }])).toMatchObject({
      'pristine 4': 'accepted',
    });
  });

  test.each<[string, Partial<Row>]>([
    ['four days later', { sold: '2026-05-14' }],
    ['more than one percent away', { price: '102' }],
    ['of another cert', { cert: '87654321' }],
  ])('a cert sold %s is another sale', async (_, over) => {
    const one = { source: 'goldin', id: '1', cert: '12345678' };
    const other = { source: 'pristine', id: '2', cert: '12345678', ...over };
    expect(Object.values(await outcome([one, other]))).toEqual(['accepted', 'accepted']);
  });

  test('what is kept of several tellings does not depend on their order', async () => {
    const rows = [
      PRIMARY,
      REPEAT,
      { source: 'alt', id: 'x', cert: '555555' },
      { source: 'fanatics', id: 'y', cert: '555555' },
    ];
    const forward = await outcome(rows.slice(0, 2), rows.slice(2));
    await fresh.close();
    fresh = await freshDatabase();
    item = await anItem(fresh.db);
    const backward = await outcome(rows.slice(2).reverse(), rows.slice(0, 2).reverse());
    const states = (outcomes: Record<string, string>) =>
      Object.fromEntries(Object.entries(outcomes).map(([id, state]) => [id, state.split(' ')[0]]));
    expect(states(backward)).toEqual(states(forward));
    expect(states(forward)).toEqual({
      'ebay 1': 'accepted',
      'alt-sold a': 'duplicate',
      'alt x': 'accepted',
      'fanatics y': 'duplicate',
    });
  });

  test.each([
    ['no close', null, false, '2026-05-12'],
    ['a close of its day that has not taken it in', 0, false, '2026-05-12'],
    ['a close that has, whose next one takes the primary in', 1, false, '2026-05-13'],
    ['a close that runs and may take it in', 0, true, '2026-11-21'],
  ])('a void counts from the sale itself, or from an open day, after %s', async (_, seen, isClosing, day) => {
    const { db } = fresh;
    await db.query('truncate sales, sale_voids, market_days, model_state cascade');
    await outcome([REPEAT]);
    if (seen !== null) {
      await db.query(`insert into market_days values ('pokemon', $1, 0, 0)`, [parseDay('2026-05-12')]);
      await db.query(
        `insert into model_state (version, closed_day, seen_sale_id, state)
         select '3', $1, case when $2 = 1 then max(id) else min(id) - 1 end, '{}' from sales`,
        [parseDay('2026-05-12'), seen],
      );
    }
    const close = () => outcome([PRIMARY]);
    await (isClosing ? db.session((session) => withLock(session, 'reprice', close)) : close());
    expect(await db.query('select known_day from sale_voids')).toEqual([{ known_day: parseDay(day) }]);
  });

  test('a repeated sale is shown rejected with its reason', async () => {
    await outcome([REPEAT], [PRIMARY]);
    const { trades, total, sourceCounts } = await tradesOf(
      fresh.db,
      { itemId: item, gradeKey: 'psa-10', sourceId: null, fromDay: null, afterSaleId: null, limit: 50 },
      fingerprintWith(Buffer.alloc(32, 7)),
    );
    expect(total).toBe(2);
    expect(sourceCounts).toEqual({ 'alt-sold': 1, ebay: 1 });
    expect(trades.map((trade) => [trade.source, trade.disposition, trade.dispositionReason])).toEqual([
      ['alt-sold', 'refused', 'duplicate'],
      ['ebay', 'used', null],
    ]);
  });
});
