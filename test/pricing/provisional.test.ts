import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDay } from '../../src/lib/day.ts';
import { dailyLine, quotesOf } from '../../src/pricing/read.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { anItem, aSale, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { everythingStored } from './stored.ts';

const CLOSED = '2026-05-31';
const TODAY = '2026-06-01';

let database: FreshDatabase;
let sold: string;
let unsold: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  const others = await Promise.all([1, 2, 3, 4].map((n) => anItem(db, { set, number: String(n) })));
  [sold, unsold] = [others[0]!, await anItem(db, { set, number: '9' })];
  for (let day = 1; day <= 30; day++) {
    for (const itemId of others) {
      await aSale(db, { itemId, sold: `2026-05-${String(day).padStart(2, '0')}`, usdCents: 100_00 + 10 * day });
    }
  }
  await reprice(db, { through: parseDay(CLOSED)! });
});
afterAll(() => database.close());

const quoteOf = async (itemId: string) => (await quotesOf(database.db, [itemId])).get(itemId)?.[0];

describe('sales that wait for their close', () => {
  test('move the quote at once, write nothing, and leave published days as they are', async () => {
    const { db } = database;
    const before = (await quoteOf(sold))!;
    const stored = await everythingStored(db);
    const line = await dailyLine(db, sold, 'psa-10', parseDay('2026-05-01')!, parseDay(TODAY)!);
    await aSale(db, { itemId: sold, sold: TODAY, usdCents: 130_00 });
    const after = (await quoteOf(sold))!;
    expect(after.priceUsdCents).toBeGreaterThan(before.priceUsdCents!);
    expect(after.totalObservationCount).toBe(before.totalObservationCount + 1);
    expect(after.updatedAtMs).toBe(Date.parse(TODAY));
    expect(await everythingStored(db)).toEqual(stored);
    expect(await dailyLine(db, sold, 'psa-10', parseDay('2026-05-01')!, parseDay(TODAY)!)).toEqual(line);
  });

  test('price a card that never sold', async () => {
    expect(await quoteOf(unsold)).toBeUndefined();
    await aSale(database.db, { itemId: unsold, sold: TODAY, usdCents: 100_00 });
    const quote = (await quoteOf(unsold))!;
    expect(quote.totalObservationCount).toBe(1);
    expect(quote.priceUsdCents).not.toBeNull();
  });

  test('that were voided do not count', async () => {
    const { db } = database;
    const before = (await quoteOf(sold))!;
    const sale = await aSale(db, { itemId: sold, sold: TODAY, usdCents: 500_00 });
    await db.query(
      `insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
       select id, 'voided', known_at, known_day, import_id from sales where id = $1`,
      [sale],
    );
    expect(await quoteOf(sold)).toEqual(before);
  });

  test('give nearly the price that the close then gives: only the market is a day older', async () => {
    const waiting = [(await quoteOf(sold))!, (await quoteOf(unsold))!];
    await reprice(database.db, { through: parseDay(TODAY)! });
    const closed = [(await quoteOf(sold))!, (await quoteOf(unsold))!];
    for (const [i, quote] of closed.entries()) {
      expect(Math.abs(quote.priceUsdCents! / waiting[i]!.priceUsdCents! - 1)).toBeLessThan(0.05);
      expect(quote.totalObservationCount).toBe(waiting[i]!.totalObservationCount);
    }
  });
});
