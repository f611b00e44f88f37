import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { dayIso, dayStartMs, formatDay, parseDay } from '../../../src/lib/day.ts';
import { readItemPrices } from '../../../src/pricing/read/item-prices.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { restartPrices } from '../../../src/pricing/restart.ts';
import type { TradeRow } from '../../../src/sales/ledger.ts';
import { historyOf, soldIn30DaysOf } from '../../../src/web/card/history/card-history.ts';
import { gradeLines } from '../../../src/web/card/history/grades-chart.tsx';
import type { ChartWindow } from '../../../src/web/chart/chart-window.ts';
import type { WebContext } from '../../../src/web/context.ts';
import { aListing, anItem, aSale, aSet, aVoid } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

const CLOSED = 20_000;

/** Newest first. */
const trades = (...sold: [day: number, disposition?: TradeRow['disposition']][]) =>
  sold.map(([day, disposition = 'used']) => ({ observedAt: dayIso(day), disposition }) as TradeRow);

test.each([
  ['none', [], 0, 0],
  ['the first and the last of the 30 days', trades([CLOSED], [CLOSED - 29]), 2, 2],
  ['a day before, and after the last close', trades([CLOSED + 1], [CLOSED - 30]), 2, 0],
  ['rejected ones, and one that counts for less', trades([CLOSED, 'refused'], [CLOSED, 'downweighted']), 2, 1],
  ['more than were read, back to before', trades([CLOSED], [CLOSED - 30]), 5, 1],
  ['more than were read, all of these days', trades([CLOSED], [CLOSED - 29]), 5, null],
])('accepted sales of the last 30 closed days: %s', (_, read, total, expected) => {
  expect(soldIn30DaysOf({ trades: read, total }, CLOSED)).toBe(expected);
});

describe('the chart of a card', () => {
  const FIRST = parseDay('2024-01-01')!;
  const LAST = FIRST + 999;
  let database: FreshDatabase;
  let [steady, voided] = ['', ''];
  const contextOf = (db: Db) =>
    ({ db, clock: () => dayStartMs(LAST + 1), fingerprint: () => Buffer.alloc(32) }) as unknown as WebContext;

  beforeAll(async () => {
    database = await freshDatabase();
    const { db } = database;
    const set = await aSet(db);
    steady = await anItem(db, { set, number: '1' });
    voided = await anItem(db, { set, number: '2' });
    for (let day = 0; day < 990; day += 30)
      await aSale(db, { itemId: steady, sold: formatDay(FIRST + day), usdCents: 100_00 });
    // The price moves by this sale alone.
    await aSale(db, { itemId: steady, sold: formatDay(FIRST + 995), usdCents: 190_00 });
    await aSale(db, { itemId: voided, sold: formatDay(FIRST + 900), usdCents: 50_00 });
    await aSale(db, { itemId: voided, sold: formatDay(FIRST + 960), usdCents: 52_00 });
    await reprice(db, { through: LAST });
  });
  afterAll(() => database.close());

  async function chartOf(itemId: string, window: ChartWindow) {
    const { db } = database;
    const prices = await readItemPrices(db, itemId);
    return (await historyOf(contextOf(db), { itemId, gradeKey: 'psa-10' }, window, prices)).chart;
  }

  test.each([
    ['30', 1, 29],
    ['365', 2, 182],
    ['all', 5, 200],
  ] as const)('of %s days has a point every %i days, back from the last close', async (window, step, points) => {
    const { line, stepDays } = await chartOf(steady, window);
    expect([stepDays, line.length]).toEqual([step, points]);
    expect(line.at(-1)!.day).toBe(LAST);
    for (const [at, { day }] of line.entries()) expect(day).toBe(LAST - (points - 1 - at) * step);
  });

  test('says which sale moved the price', async () => {
    const { events } = await chartOf(steady, '30');
    expect(events).toEqual([
      { day: FIRST + 995, words: expect.stringMatching(/^One sale on \d+ \w+ 2026 moved the price from \$1/) },
    ]);
  });

  test('of all grades has a point a week, back from the last close', async () => {
    const { db } = database;
    const [{ points }] = (await gradeLines(contextOf(db), await readItemPrices(db, steady))) as [
      Awaited<ReturnType<typeof gradeLines>>[number],
    ];
    expect(points.at(-1)!.day).toBe(LAST);
    expect(points.at(-2)!.day).toBe(LAST - 7);
    expect(points).toHaveLength(52);
  });

  test('has the asks that were seen in the last 30 days, not older ones', async () => {
    const { db } = database;
    await aListing(db, {
      itemId: steady,
      firstSeen: formatDay(LAST - 60),
      lastSeen: formatDay(LAST - 40),
      usdCents: 500_00,
    });
    const { live } = await historyOf(
      contextOf(db),
      { itemId: steady, gradeKey: 'psa-10' },
      '90',
      readItemPrices(db, steady),
    );
    expect(live).toBeNull();
  });

  test('goes back to what an earlier version published before the first sale that counts now', async () => {
    const { db } = database;
    const [sale] = await db.query<{ id: number }>('select min(id) as id from sales where item_id = $1', [voided]);
    // Reported after the close, of the day of the sale: begun anew, prices never take it in.
    await aVoid(db, sale!.id, 'unpaid', formatDay(FIRST + 900));
    await restartPrices(db);
    const { line } = await chartOf(voided, '365');
    expect(line[0]!.day).toBeLessThan(FIRST + 903);
  });
});
