import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { formatDay } from '../../src/lib/day.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { seriesOfItems } from '../../src/pricing/read/price-series.ts';
import { quotesOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { anImport, anItem, aSale } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from './ledger.ts';
import { syntheticMarket } from './model/synthetic-market.ts';

const market = syntheticMarket({ seed: 4, days: 60, cards: 40, sales: 2500 });
const date = (day: number) => formatDay(FIRST_DAY + day);

async function voidSale(db: Db, saleId: number, day: number): Promise<void> {
  await db.query(
    `insert into sale_voids (sale_id, reason, known_at, known_day, import_id) values ($1, 'unpaid', $2, $3, $4)`,
    [saleId, `${date(day)}T00:00:00Z`, FIRST_DAY + day, await anImport(db)],
  );
}

describe('voids and late news', () => {
  let fresh: FreshDatabase;
  let db: Db;
  let card: string;
  let once: string;
  let wrong: number;

  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    await catalogCards(db, market);
    await recordSales(db, market);
    card = await anItem(db, { number: '1', name: 'Voided' });
    once = await anItem(db, { number: '2', name: 'Sold once' });
    for (const [day, usdCents] of [
      [5, 100_00],
      [15, 104_00],
      [25, 98_00],
    ] as const) {
      await aSale(db, { itemId: card, sold: date(day), usdCents });
    }
    wrong = await aSale(db, { itemId: card, sold: date(30), usdCents: 130_00 });
    await aSale(db, { itemId: card, sold: date(31), usdCents: 125_00, gradeKey: 'psa-9' });
    await aSale(db, { itemId: once, sold: date(20), usdCents: 70_00 });
    await reprice(db, { through: FIRST_DAY + 40 });
  });
  afterAll(() => fresh.close());

  const priceOf = async (itemId: string, gradeKey = 'psa-10') =>
    (await quotesOf(db, [itemId])).get(itemId)?.find((quote) => quote.gradeKey === gradeKey);

  test('a voided sale leaves its card from the next close on; published days stay', async () => {
    const before = await dailyLine(db, card, 'psa-10', FIRST_DAY + 5, FIRST_DAY + 40);
    const withSale = (await priceOf(card))!;
    await voidSale(db, wrong, 41);
    await reprice(db, { through: FIRST_DAY + 41 });
    const after = (await priceOf(card))!;
    expect(withSale.priceUsdCents!).toBeGreaterThan(106_00);
    expect(after.priceUsdCents!).toBeLessThan(withSale.priceUsdCents!);
    expect(after.totalObservationCount).toBe(3);
    expect(after.lastSaleAtMs).toBe(Date.parse(`${date(25)}T00:00:00Z`));
    expect(await dailyLine(db, card, 'psa-10', FIRST_DAY + 5, FIRST_DAY + 40)).toEqual(before);
    expect((await dailyLine(db, card, 'psa-10', FIRST_DAY + 41, FIRST_DAY + 41))[0]!.usdCents).toBe(
      after.priceUsdCents,
    );
  });

  test('a void is acted on once', async () => {
    const before = await priceOf(card);
    await reprice(db, { through: FIRST_DAY + 42 });
    await reprice(db, { through: FIRST_DAY + 43 });
    expect((await priceOf(card))!.totalObservationCount).toBe(before!.totalObservationCount);
    const uses = await db.query('select voided_day from sale_uses where sale_id = $1', [wrong]);
    expect(uses).toEqual([{ voided_day: FIRST_DAY + 41 }]);
  });

  test('a card whose only sale was voided has no price and no series any more, and its past line stays', async () => {
    const [sale] = await db.query<{ id: number }>('select id from sales where item_id = $1', [once]);
    expect((await priceOf(once))!.priceUsdCents).not.toBeNull();
    await voidSale(db, sale!.id, 44);
    await reprice(db, { through: FIRST_DAY + 44 });
    expect(await priceOf(once)).toBeUndefined();
    await aSale(db, { itemId: once, sold: date(45), usdCents: 90_00 });
    await reprice(db, { through: FIRST_DAY + 45 });
    const again = (await priceOf(once))!;
    expect(again.totalObservationCount).toBe(1);
    const line = await dailyLine(db, once, 'psa-10', FIRST_DAY + 43, FIRST_DAY + 45);
    expect(line.map(({ usdCents }) => usdCents === null)).toEqual([false, true, false]);
  });

  test('a sale reported after the close of its day comes in at the next close, once', async () => {
    const before = (await priceOf(card))!;
    await aSale(db, { itemId: card, sold: date(40), known: date(40), usdCents: 103_00 });
    await reprice(db, { through: FIRST_DAY + 46 });
    await reprice(db, { through: FIRST_DAY + 47 });
    expect((await priceOf(card))!.totalObservationCount).toBe(before.totalObservationCount + 1);
  });

  test('a sale of tomorrow waits for its day', async () => {
    const taken = async () =>
      (await seriesOfItems(db, [card])).find(({ gradeKey }) => gradeKey === 'psa-10')!.own!.sales;
    const before = await taken();
    await aSale(db, { itemId: card, sold: date(49), known: date(48), usdCents: 101_00 });
    await reprice(db, { through: FIRST_DAY + 48 });
    expect(await taken()).toBe(before);
    expect((await priceOf(card))!.totalObservationCount).toBe(before + 1);
    await reprice(db, { through: FIRST_DAY + 49 });
    expect(await taken()).toBe(before + 1);
  });

  test('a sale that was voided before its close never comes in', async () => {
    const before = (await priceOf(card))!;
    const sale = await aSale(db, { itemId: card, sold: date(50), usdCents: 500_00 });
    await voidSale(db, sale, 50);
    await reprice(db, { through: FIRST_DAY + 51 });
    expect((await priceOf(card))!.totalObservationCount).toBe(before.totalObservationCount);
  });

  test('voids that are known with their sales leave the others of the card as if they had never been reported', async () => {
    const state = () => db.query("select encode(state, 'hex') as bytes from card_states where item_id = $1", [card]);
    const before = await state();
    const doubled = await aSale(db, { itemId: card, sold: date(20), known: date(52), usdCents: 101_00 });
    await voidSale(db, doubled, 52);
    await reprice(db, { through: FIRST_DAY + 52 });
    expect(await state()).toEqual(before);
  });

  test('rejected sales and sales outside the scale change nothing', async () => {
    const before = await priceOf(itemIdOf(market[0]!.card));
    await aSale(db, { itemId: card, sold: date(53), usdCents: 900_00, rejection: 'lot' });
    const report = await reprice(db, { through: FIRST_DAY + 53 });
    expect(report.sales).toBe(market.filter((sale) => sale.day === 53).length);
    expect(before).toBeDefined();
  });
});

test('a card whose sales are all voided on the day of a refit is not in its curves, in one run and in two', async () => {
  const monthEnd = 30;
  const curvesAfter = async (runs: readonly number[]) => {
    const fresh = await freshDatabase();
    await catalogCards(fresh.db, market);
    await recordSales(
      fresh.db,
      market.filter(({ day }) => day <= monthEnd),
    );
    const itemId = await anItem(fresh.db, { id: '00000000-0000-4000-9000-000000000001', name: 'Voided' });
    for (const [gradeKey, usdCents] of [
      ['psa-10', 900_00],
      ['psa-9', 20_00],
    ] as const) {
      const id = await aSale(fresh.db, { itemId, gradeKey, usdCents, sold: date(10) });
      await voidSale(fresh.db, id, monthEnd);
    }
    for (const through of runs) await reprice(fresh.db, { through: FIRST_DAY + through });
    const curves = await fresh.db.query('select * from curves order by game, set_id, day');
    await fresh.close();
    return curves;
  };
  const atOnce = await curvesAfter([monthEnd]);
  expect(atOnce.length).toBeGreaterThan(10);
  expect(await curvesAfter([monthEnd - 1, monthEnd])).toEqual(atOnce);
});
