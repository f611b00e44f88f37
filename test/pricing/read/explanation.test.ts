import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDay } from '../../../src/lib/day.ts';
import { explanationOf } from '../../../src/pricing/read/explanation.ts';
import { dailyLine, readItemPrices } from '../../../src/pricing/read/item-prices.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { anItem, aSale, aSet, aVoid } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert } from '../../support/servers/certs.ts';

let database: FreshDatabase;
/** Sold in two grades; sold once; sold in PSA 9 alone, a PSA 10 is registered. */
let card: string;
let once: string;
let other: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  card = await anItem(db, { set, number: '1' });
  once = await anItem(db, { set, number: '2' });
  other = await anItem(db, { set, number: '3' });
  for (let day = 1; day <= 20; day += 4)
    await aSale(db, { itemId: card, sold: `2026-05-${String(day).padStart(2, '0')}`, usdCents: 100_00 + day });
  for (const usdCents of [101_00, 99_00]) await aSale(db, { itemId: card, sold: '2026-05-25', usdCents });
  await aSale(db, { itemId: card, gradeKey: 'psa-9', sold: '2026-05-10', usdCents: 40_00 });
  await aSale(db, { itemId: once, sold: '2026-05-03', usdCents: 55_00 });
  for (const sold of ['2026-05-03', '2026-05-12', '2026-05-20'])
    await aSale(db, { itemId: other, gradeKey: 'psa-9', sold, usdCents: 70_00 });
  await reprice(db, { through: parseDay('2026-05-31')! });
});
afterAll(() => database.close());

const explanation = async (itemId: string, gradeKey: string, asOf: number | null = null) =>
  explanationOf(database.db, await readItemPrices(database.db, itemId, { asOf }), gradeKey);
const explained = async (itemId: string, gradeKey = 'psa-10') => (await explanation(itemId, gradeKey))!;

describe('a price is explained', () => {
  test('by shares of its own sales, those of other grades, and set and game, which add up to one', async () => {
    const { basis, shares } = await explained(card);
    expect(basis).toBe('own_sales');
    expect(shares.ownSales).toBeGreaterThan(0.8);
    expect(shares.otherGrades).toBeGreaterThan(0);
    expect(shares.ownSales + shares.otherGrades + shares.setAndGame).toBeCloseTo(1, 10);
  });

  test('by the five sales with the largest influence, each with the price before its day', async () => {
    const { sales, shares } = await explained(card);
    expect(sales).toHaveLength(5);
    const influences = sales.map(({ influence }) => influence);
    expect(influences).toEqual(influences.toSorted((a, b) => b - a));
    expect(influences.reduce((sum, one) => sum + one, 0)).toBeLessThan(shares.ownSales + shares.otherGrades + 1e-3);
    // The two of the last day are one observation; the cheaper is no less a part of it.
    const last = sales.filter(({ soldAtMs }) => soldAtMs >= Date.parse('2026-05-25'));
    expect(last.map(({ priceUsdCents }) => priceUsdCents).sort()).toEqual([101_00, 99_00].sort());
    expect(last[0]!.influence).toBeCloseTo(last[1]!.influence, 2);
    const day = parseDay('2026-05-24')!;
    const [before] = await dailyLine(database.db, card, 'psa-10', day, day);
    for (const sale of last) {
      expect(sale).toMatchObject({ gradeKey: 'psa-10', weight: 1, priceBeforeUsdCents: before!.usdCents });
    }
  });

  test('as of a day with the newest sale that a close had taken in by then', async () => {
    const { lastOwnSale } = (await explanation(card, 'psa-10', parseDay('2026-05-20')))!;
    expect(lastOwnSale).toEqual({ soldAtMs: Date.parse('2026-05-17'), priceUsdCents: 100_17 });
  });

  test('by its only sale, which no price stood before', async () => {
    const { sales, shares, marketSinceLastSalePct, lastOwnSale } = await explained(once);
    expect(lastOwnSale).toEqual({ soldAtMs: sales[0]!.soldAtMs, priceUsdCents: 55_00 });
    expect(shares.ownSales).toBeGreaterThan(0.95);
    expect(sales).toEqual([expect.objectContaining({ priceUsdCents: 55_00, priceBeforeUsdCents: null })]);
    expect(Math.abs(marketSinceLastSalePct!)).toBeLessThan(10);
  });

  test('by the sales of other grades where it has none of its own', async () => {
    await aCert(database.db, { certNumber: '1', itemId: other, gradeKey: 'psa-8', gradeLabel: 'NM-MT 8' });
    const found = await explanation(other, 'psa-8');
    if (found === null) throw new Error('PSA 8 has no price');
    expect(found).toMatchObject({ basis: 'other_grades', lastOwnSale: null, marketSinceLastSalePct: null });
    expect(found.shares.ownSales).toBe(0);
    expect(found.sales.map(({ gradeKey }) => gradeKey)).toEqual(['psa-9', 'psa-9', 'psa-9']);
  });

  test('by a sale that waits for its close as well', async () => {
    const { db } = database;
    await aSale(db, { itemId: once, sold: '2026-06-01', usdCents: 60_00 });
    await aSale(db, { itemId: once, gradeKey: 'psa-9', sold: '2026-06-02', usdCents: 30_00 });
    // It waits too, and was recorded last, but is the oldest.
    await aSale(db, { itemId: once, sold: '2026-05-01', known: '2026-06-02', usdCents: 50_00 });
    const { sales, lastOwnSale } = await explained(once);
    expect(lastOwnSale).toEqual({ soldAtMs: Date.parse('2026-06-01'), priceUsdCents: 60_00 });
    expect(sales.map(({ priceUsdCents }) => priceUsdCents).sort()).toEqual([30_00, 50_00, 55_00, 60_00]);
    expect(sales.find(({ priceUsdCents }) => priceUsdCents === 60_00)!.priceBeforeUsdCents).toBeGreaterThan(50_00);
  });

  test('after a void by the sales that are left', async () => {
    const { db } = database;
    const [sale] = await db.query<{ id: number }>(
      'select id from sales where item_id = $1 and price_usd_cents = 9900 and sold_day = $2',
      [card, parseDay('2026-05-25')],
    );
    const before = await explanation(card, 'psa-10', parseDay('2026-05-31'));
    await aVoid(db, sale!.id, 'unpaid', '2026-06-01');
    const voided = (await explained(card)).sales.filter((one) => one.voided);
    expect(voided.map(({ priceUsdCents }) => priceUsdCents)).toEqual([99_00]);
    await reprice(db, { through: parseDay('2026-06-02')! });
    const { sales, shares } = await explained(card);
    const [left, ...more] = sales.filter(({ soldAtMs }) => soldAtMs === Date.parse('2026-05-25'));
    expect(more).toEqual([]);
    expect(left).toMatchObject({ priceUsdCents: 101_00, voided: false });
    expect(left!.influence).toBeGreaterThan(0.1);
    // As of a day before the void, it is what it was.
    expect(await explanation(card, 'psa-10', parseDay('2026-05-31'))).toEqual(before);
    expect(before!.sales.map(({ priceUsdCents }) => priceUsdCents)).toContain(99_00);
    expect(shares.ownSales + shares.otherGrades + shares.setAndGame).toBeCloseTo(1, 10);
    expect(shares.ownSales).toBeGreaterThan(0.8);
  });
});

describe('a price is explained next to a grade', () => {
  test('whose price is withheld, of which its sales say what they were but not at what price', async () => {
    const before = await explained(card);
    const { db } = database;
    const [suspect] = await db.query<{ id: number }>(
      `insert into identity_suspects (game, kind, score, evidence, subject) values ('pokemon', 'off_curve', 1, '{}', 'test')
       returning id`,
    );
    await db.query(
      `insert into identity_suspect_series (suspect_id, place, item_id, grade_key, withheld) values ($1, 0, $2, 'psa-9', true)`,
      [suspect!.id, card],
    );
    expect((await explained(card)).shares).toEqual(before.shares);
    expect(await explanation(card, 'psa-9')).toBeNull();
    await db.query('delete from identity_suspect_series');
  });

  test('all sales of which were voided', async () => {
    const { db } = database;
    const itemId = await anItem(db, { set: await aSet(db, { name: 'Voids', code: 'voids1' }), number: '1' });
    const ids: number[] = [];
    for (const day of ['02', '05', '09', '12']) {
      ids.push(await aSale(db, { itemId, gradeKey: 'psa-8', sold: `2026-05-${day}`, usdCents: 30_00 }));
      await aSale(db, { itemId, sold: `2026-05-${day}`, usdCents: 90_00 });
    }
    await reprice(db, { through: parseDay('2026-07-01')! });
    for (const id of ids) await aVoid(db, id, 'voided', '2026-07-02');
    await reprice(db, { through: parseDay('2026-07-02')! });
    const { sales, shares } = await explained(itemId);
    expect(sales.every(({ gradeKey }) => gradeKey === 'psa-10')).toBe(true);
    expect(shares.ownSales).toBeGreaterThan(0.5);
  });
});

test('a series without a price has no explanation', async () => {
  expect(await explanation(once, 'bgs-9')).toBeNull();
});
