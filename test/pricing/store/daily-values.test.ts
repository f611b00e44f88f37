import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { daysFrom, formatDay } from '../../../src/lib/day.ts';
import { dailyLine } from '../../../src/pricing/read/item-prices.ts';
import type { PricedSql } from '../../../src/pricing/read/published.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { dailyValuesOf } from '../../../src/pricing/store/daily-values.ts';
import { aSale, aVoid } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert } from '../../support/servers/certs.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../ledger.ts';
import { syntheticMarket } from '../model/synthetic-market.ts';

const DAYS = 200;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const market = syntheticMarket({ seed: 4, days: DAYS, cards: 40, sales: 4000 });
const series = [...new Set(market.map(({ card, gradeKey }) => `${itemIdOf(card)} ${gradeKey}`))].map((name) => {
  const [itemId, gradeKey] = name.split(' ') as [string, string];
  return { itemId, gradeKey };
});

let fresh: FreshDatabase;
let db: Db & PricedSql;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = { ...fresh.db, prices: {} };
  await catalogCards(db, market);
  await recordSales(db, market);
  await reprice(db, { through: LAST_DAY });
});
afterAll(() => fresh.close());

test('daily values are the points of the daily lines before rounding', async () => {
  const [from, to] = [FIRST_DAY + 20, LAST_DAY - 7];
  const values = await dailyValuesOf(db, series, daysFrom(from, to));
  for (const [i, { itemId, gradeKey }] of series.entries()) {
    const line = await dailyLine(db, itemId, gradeKey, from, to);
    const cents = values[i]!.map((value) => (value === null ? null : Math.floor(100 * value.priceUsd + 0.5)));
    expect(cents).toEqual(line.map(({ usdCents }) => usdCents));
  }
  expect(values.flat().filter((value) => value !== null).length).toBeGreaterThan(1000);
});

test('a grade that has not sold has a line on the curve of its card where it is registered, not while its first sales wait', async () => {
  const { itemId } = series[0]!;
  const sold = new Set(series.filter((one) => one.itemId === itemId).map(({ gradeKey }) => gradeKey));
  const [registered, waiting] = ['psa-8', 'psa-7', 'psa-6', 'bgs-9', 'cgc-9'].filter((gradeKey) => !sold.has(gradeKey));
  await aCert(db, { certNumber: '77000001', itemId, gradeKey: registered! });
  await aSale(db, { itemId, gradeKey: waiting!, sold: formatDay(LAST_DAY - 30), usdCents: 20_00, known: '2027-01-01' });
  const pricedDays = async (gradeKey: string) =>
    (await dailyLine(db, itemId, gradeKey, LAST_DAY - 60, LAST_DAY)).filter(({ usdCents }) => usdCents !== null).length;
  expect(await pricedDays(registered!)).toBe(61);
  expect(await pricedDays(waiting!)).toBe(0);
});

test('a grade whose sales are all voided has no price from that close on, and keeps what was published before', async () => {
  const { itemId, gradeKey } = series[0]!;
  const before = await dailyValuesOf(db, [series[0]!], daysFrom(LAST_DAY - 20, LAST_DAY));
  const sales = await db.query<{ id: number }>('select id from sales where item_id = $1 and grade_key = $2', [
    itemId,
    gradeKey,
  ]);
  for (const { id } of sales) await aVoid(db, id, 'voided', formatDay(LAST_DAY + 1));
  await reprice(db, { through: LAST_DAY + 2 });
  const [after] = await dailyValuesOf(db, [series[0]!], daysFrom(LAST_DAY - 20, LAST_DAY + 2));
  expect(after!.slice(0, -2)).toEqual(before[0]);
  expect(after!.slice(-2)).toEqual([null, null]);
});
