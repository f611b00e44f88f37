import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { formatDay } from '../../src/lib/day.ts';
import { dailyLine } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { closesOf } from '../../src/pricing/store/closes.ts';
import { holdSnapshots } from '../../src/pricing/store/snapshot-rows.ts';
import { aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';

const DAYS = 200;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const market = syntheticMarket({ seed: 4, days: DAYS, cards: 40, sales: 4000 });
const series = [...new Set(market.map(({ card, gradeKey }) => `${itemIdOf(card)} ${gradeKey}`))].map((name) => {
  const [itemId, gradeKey] = name.split(' ') as [string, string];
  return { itemId, gradeKey };
});

let fresh: FreshDatabase;
let db: Db;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  await catalogCards(db, market);
  await recordSales(db, market);
  await reprice(db, { through: LAST_DAY });
});
afterAll(() => fresh.close());

test('closes are what the daily lines publish, before they are rounded', async () => {
  const [from, to] = [FIRST_DAY + 20, LAST_DAY - 7];
  const closes = await closesOf(db, series, from, to);
  for (const [i, { itemId, gradeKey }] of series.entries()) {
    const line = await dailyLine(db, itemId, gradeKey, from, to);
    const cents = closes[i]!.map((close) => (close === null ? null : Math.floor(100 * close.priceUsd + 0.5)));
    expect(cents).toEqual(line.map(({ usdCents }) => usdCents));
  }
  expect(closes.flat().filter((close) => close !== null).length).toBeGreaterThan(1000);
});

test('held snapshots give the same as queried ones, for any days within', async () => {
  const items = [...new Set(series.map(({ itemId }) => `'${itemId}'::uuid`))].join(', ');
  const held = await db.session((session) =>
    holdSnapshots(session, `select unnest(array[${items}]) as item_id`, FIRST_DAY + 30, LAST_DAY),
  );
  for (const [from, to] of [
    [30, 30],
    [63, 64],
    [77, 140],
    [DAYS - 1, DAYS - 1],
  ] as const) {
    const days = [FIRST_DAY + from, FIRST_DAY + to] as const;
    expect(await closesOf(db, series, ...days, held)).toEqual(await closesOf(db, series, ...days));
  }
});

test('a grade whose sales are all voided has no price from that close on, and keeps what was published before', async () => {
  const { itemId, gradeKey } = series[0]!;
  const before = await closesOf(db, [series[0]!], LAST_DAY - 20, LAST_DAY);
  const sales = await db.query<{ id: number }>('select id from sales where item_id = $1 and grade_key = $2', [
    itemId,
    gradeKey,
  ]);
  for (const { id } of sales) await aVoid(db, id, 'voided', formatDay(LAST_DAY + 1));
  await reprice(db, { through: LAST_DAY + 2 });
  const [after] = await closesOf(db, [series[0]!], LAST_DAY - 20, LAST_DAY + 2);
  expect(after!.slice(0, -2)).toEqual(before[0]);
  expect(after!.slice(-2)).toEqual([null, null]);
});
