import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Game } from '../../../src/catalog/games.ts';
import type { Db } from '../../../src/db/client.ts';
import { parseDay } from '../../../src/lib/day.ts';
import { dailyLine } from '../../../src/pricing/read/item-prices.ts';
import { quotesOf } from '../../../src/pricing/read/quotes.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { anItem, aSale, aSet, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { everythingStored } from '../stored.ts';

const CLOSED = '2026-05-31';
const TODAY = '2026-06-01';
/** Ten past midnight, as the nightly close. */
const CLOSED_AT = Date.parse('2026-06-01T00:10:00Z');

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
  await reprice(db, { through: parseDay(CLOSED)!, clock: () => CLOSED_AT });
});
afterAll(() => database.close());

const quoteOf = async (itemId: string) => (await quotesOf(database.db, [itemId])).get(itemId)?.[0];

describe('sales that wait for their close', () => {
  test('move the quote at once, write nothing, and leave published days as they are', async () => {
    const { db } = database;
    const before = (await quoteOf(sold))!;
    expect(before.updatedAtMs).toBe(CLOSED_AT);
    const stored = await everythingStored(db);
    const line = await dailyLine(db, sold, 'psa-10', parseDay('2026-05-01')!, parseDay(TODAY)!);
    await aSale(db, { itemId: sold, sold: TODAY, usdCents: 130_00 });
    const after = (await quoteOf(sold))!;
    expect(after.priceUsdCents).toBeGreaterThan(before.priceUsdCents!);
    expect(after.totalObservationCount).toBe(before.totalObservationCount + 1);
    const [newest] = await db.query<{ finished_at: Date }>('select finished_at from imports order by id desc limit 1');
    expect(after.updatedAtMs).toBe(newest!.finished_at.getTime());
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

describe('a correction', () => {
  test.each([
    ['of a closed sale waits for its close: the sale is not counted twice', '2026-05-30', TODAY, 0],
    ['of a sale that waits counts in its place', TODAY, TODAY, 1],
    ['that came a day after a sale that waits counts in its place', TODAY, '2026-06-02', 1],
  ])('%s', async (_what, soldOn, knownOn, counted) => {
    const { db, close } = await freshDatabase();
    const itemId = await anItem(db);
    await manySales(db, { itemId, from: '2026-05-01', to: '2026-05-29', everyDays: 2 });
    const closedSale = await aSale(db, { itemId, sold: '2026-05-30', usdCents: 100_00 });
    await reprice(db, { through: parseDay(CLOSED)! });
    const own = async () => (await quotesOf(db, [itemId])).get(itemId)![0]!;
    const before = await own();
    const wrong = counted === 0 ? closedSale : await aSale(db, { itemId, sold: soldOn, usdCents: 900_00 });
    await correct(db, wrong, { usdCents: 104_00, knownOn });
    const after = await own();
    if (counted === 0) expect(after).toEqual(before);
    expect(after.totalObservationCount).toBe(before.totalObservationCount + counted);
    await reprice(db, { through: parseDay(knownOn)! });
    const closed = await own();
    expect(closed.totalObservationCount).toBe(after.totalObservationCount);
    expect(Math.abs(closed.priceUsdCents! / after.priceUsdCents! - 1)).toBeLessThan(0.02);
    await close();
  });
});

/** Records another price of a sale, as an import does: the next revision, and a void of the one before. */
async function correct(
  db: Db,
  saleId: number,
  { usdCents, knownOn }: { usdCents: number; knownOn: string },
): Promise<void> {
  await db.query(
    `with corrected as (
       insert into sales (source, source_sale_id, revision, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
         known_day, price_usd_cents, price_minor, currency, sale_type, import_id, line)
       select source, source_sale_id, 1, item_id, company, grade, grade_key, sold_at, sold_day, $2::timestamptz, $3, $4, $4,
         currency, sale_type, import_id, line from sales where id = $1 returning known_at, known_day, import_id)
     insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
     select $1, 'corrected', known_at, known_day, import_id from corrected`,
    [saleId, `${knownOn}T08:00:00Z`, parseDay(knownOn), usdCents],
  );
}

describe('a sale of what no close has met', () => {
  type Case = {
    name: string;
    game?: Game;
    gradeKey?: string;
    sold?: string;
    soldBefore?: boolean;
    usdCents?: number;
    firstEver?: true;
  };
  const cases: Case[] = [
    // Near what its others say: one far from it has no price until a second sale.
    { name: 'a grade, of a card that sold in others', gradeKey: 'cgc-10-gem-mint', soldBefore: true, usdCents: 60_00 },
    { name: 'a grade, of a card that never sold', gradeKey: 'bgs-10-5' },
    { name: 'a game, sold today', game: 'lorcana' },
    { name: 'a game, sold on a day that is closed', game: 'lorcana', sold: '2026-05-20' },
    { name: 'a game and a grade', game: 'gundam', gradeKey: 'raw-B' },
    { name: 'anything: there is no close yet', firstEver: true },
    { name: 'anything, sold long ago', firstEver: true, sold: '2024-01-10' },
  ];

  test.each(cases)('is priced at once, nearly as its close then prices it: $name', async (given) => {
    const { game = 'pokemon', gradeKey = 'psa-10', sold: soldOn = TODAY, usdCents = 240_00 } = given;
    const { db, close } = await freshDatabase();
    if (given.firstEver !== true) {
      await manySales(db, { itemId: await anItem(db), from: '2026-05-01', to: '2026-05-30', everyDays: 3 });
    }
    const itemId = await anItem(db, { set: await aSet(db, { game }), number: '9', name: 'New' });
    if (given.soldBefore) await manySales(db, { itemId, from: '2026-05-02', to: '2026-05-30', everyDays: 4 });
    if (given.firstEver !== true) await reprice(db, { through: parseDay(CLOSED)! });
    const own = async () => (await quotesOf(db, [itemId])).get(itemId)!.find((one) => one.gradeKey === gradeKey)!;

    await aSale(db, { itemId, gradeKey, sold: soldOn, usdCents });
    const waiting = await own();
    expect(waiting).toMatchObject({ totalObservationCount: 1, sourceCount: 1, estimated: false });
    expect(waiting.lowUsdCents).toBeLessThan(waiting.priceUsdCents!);
    expect(waiting.highUsdCents).toBeGreaterThan(waiting.priceUsdCents!);
    expect(waiting).toMatchObject({ lastSaleAtMs: Date.parse(soldOn), updatedAtMs: expect.any(Number) });
    expect(waiting).toMatchObject({ confidence: expect.any(String), delta7Pct: null, spark: [waiting.priceUsdCents] });

    await reprice(db, { through: parseDay(given.firstEver ? soldOn : TODAY)! });
    const closed = await own();
    expect(closed.totalObservationCount).toBe(1);
    expect(Math.abs(closed.priceUsdCents! / waiting.priceUsdCents! - 1)).toBeLessThan(0.02);
    await close();
  });

  test('before the first close, each of many sales counts on its own day, as its close will count it', async () => {
    const { db, close } = await freshDatabase();
    const itemId = await anItem(db);
    await manySales(db, { itemId, from: '2025-01-01', to: '2025-12-31', usdCents: 50_00 });
    await manySales(db, { itemId, from: '2026-01-05', to: '2026-05-25', usdCents: 90_00 });
    const own = async () => (await quotesOf(db, [itemId])).get(itemId)![0]!;
    const waiting = await own();
    await reprice(db, { through: parseDay('2026-05-25')! });
    const closed = await own();
    expect(waiting).toMatchObject({
      observationCount: closed.observationCount,
      totalObservationCount: closed.totalObservationCount,
      confidence: closed.confidence,
    });
    expect(Math.abs(closed.priceUsdCents! / waiting.priceUsdCents! - 1)).toBeLessThan(0.03);
    await close();
  });

  test('a series that has no price has no moment at which one was computed', async () => {
    const { db, close } = await freshDatabase();
    const itemId = await anItem(db);
    await aSale(db, { itemId, sold: '2016-01-01' });
    await reprice(db, { through: parseDay(CLOSED)! });
    const [quote] = (await quotesOf(db, [itemId])).get(itemId)!;
    expect(quote).toMatchObject({ priceUsdCents: null, updatedAtMs: null, totalObservationCount: 1 });
    await close();
  });
});
