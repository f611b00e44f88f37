import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

type Range = { low: number; high: number } | null;
type Ranged = {
  href: string;
  gradeLabel: string;
  priceUsdCents: number | null;
  priceRangeUsdCents: Range;
  nextSaleRangeUsdCents: Range;
  unconfirmedMove: boolean;
};
type Point = { usdCents: number | null; lowUsdCents: number; highUsdCents: number; nextSaleRangeUsdCents: Range };

let database: FreshDatabase;
let api: TestApp;
let steady: string;
let thin: string;
let scattered: string;

/** A card with one PSA 10 sale of $430 and one PSA 9 sale of $200 in January, and a PSA 10 sale of $1,435 on 20 June. */
async function aThinCard(db: Db, name: string): Promise<string> {
  const itemId = await anItem(db, { set: await aSet(db), name });
  await aSale(db, { itemId, sold: '2026-01-10', usdCents: 430_00 });
  await aSale(db, { itemId, gradeKey: 'psa-9', sold: '2026-01-10', usdCents: 200_00 });
  await aSale(db, { itemId, sold: '2026-06-20', usdCents: 1_435_00 });
  return itemId;
}

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  for (let n = 1; n <= 20; n++) {
    const itemId = await anItem(db, { set: await aSet(db), name: `Market ${n}`, number: String(100 + n) });
    scattered = itemId;
    // Sales scatter around the price, so that the next one is less certain than the value.
    for (const [gradeKey, usdCents] of [['psa-10', 90_00 + n * 500] as const, ['psa-9', 40_00 + n * 200] as const])
      for (const [from, share] of [['2026-01-01', 0.87] as const, ['2026-01-04', 1.15] as const])
        await manySales(db, { itemId, gradeKey, usdCents: Math.round(usdCents * share), from, everyDays: 6 });
  }
  steady = await anItem(db, { name: 'Steady' });
  await manySales(db, { itemId: steady, from: '2026-01-01', everyDays: 9 });
  await aSale(db, { itemId: steady, gradeKey: 'psa-3', rejection: 'lot' });
  await aSale(db, { itemId: steady, gradeKey: 'psa-2', sold: '2021-01-01', usdCents: 3_00 });
  thin = await aThinCard(db, 'Thin');
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const detailOf = async (itemId: string): Promise<Ranged> => (await api.get(`/v1/items/by-id/${itemId}`)).json;
const gradesOf = async (itemId: string): Promise<Ranged[]> =>
  (await api.get(`/v1/items/by-id/${itemId}/overview`)).json.grades;
const pick = ({ priceUsdCents, priceRangeUsdCents, nextSaleRangeUsdCents, unconfirmedMove }: Ranged) => ({
  priceUsdCents,
  priceRangeUsdCents,
  nextSaleRangeUsdCents,
  unconfirmedMove,
});

describe('the range of the next sale', () => {
  test('contains that of the value, in every body with a price and at the end of its line', async () => {
    for (const itemId of [steady, thin]) {
      const card = pick(await detailOf(itemId));
      const [value, next] = [card.priceRangeUsdCents!, card.nextSaleRangeUsdCents!];
      expect(next.low).toBeLessThanOrEqual(value.low);
      expect(next.high).toBeGreaterThanOrEqual(value.high);
      expect(pick((await gradesOf(itemId)).find(({ gradeLabel }) => gradeLabel === 'PSA 10')!)).toEqual(card);
      expect(pick((await api.get(`/v1/items/summaries?ids=${itemId}`)).json[0])).toEqual(card);
      const points: Point[] = (await api.get(`/v1/items/by-id/${itemId}/fmv-series?window=30`)).json.points;
      expect(points.at(-1)).toMatchObject({ usdCents: card.priceUsdCents, nextSaleRangeUsdCents: next });
      for (const { usdCents, lowUsdCents, highUsdCents, nextSaleRangeUsdCents } of points) {
        // The old sale of the thin card is near the limit of what is published.
        expect(nextSaleRangeUsdCents === null).toBe(usdCents === null);
        if (usdCents === null) continue;
        expect(nextSaleRangeUsdCents!.low).toBeLessThanOrEqual(lowUsdCents);
        expect(nextSaleRangeUsdCents!.high).toBeGreaterThanOrEqual(highUsdCents);
      }
    }
    const { results } = (await api.get('/v1/search?q=steady')).json;
    expect(pick(results[0])).toEqual(pick(await detailOf(steady)));
  });

  test('is wider than that of the value where sales scatter', async () => {
    const { priceRangeUsdCents: value, nextSaleRangeUsdCents: next } = await detailOf(scattered);
    expect(next!.low).toBeLessThan(0.98 * value!.low);
    expect(next!.high).toBeGreaterThan(1.02 * value!.high);
  });

  test('is null where there is no price: at a grade, in its row, on a day before its first sale', async () => {
    const rejected = (await api.get(`/v1/items/pokemon/base-base1/4-steady-psa-3-${steady.slice(0, 8)}`)).json;
    const tooOld = (await gradesOf(steady)).find(({ gradeLabel }) => gradeLabel === 'PSA 2')!;
    for (const one of [rejected, tooOld])
      expect(pick(one)).toEqual({
        priceUsdCents: null,
        priceRangeUsdCents: null,
        nextSaleRangeUsdCents: null,
        unconfirmedMove: false,
      });
    const line: Point[] = (
      await api.get(`/v1/items/pokemon/base-base1/4-steady-psa-2-${steady.slice(0, 8)}/fmv-series?window=all`)
    ).json.points;
    for (const { usdCents, nextSaleRangeUsdCents } of line)
      expect(nextSaleRangeUsdCents === null).toBe(usdCents === null);
    expect(new Set(line.map(({ usdCents }) => usdCents === null)).size).toBe(2);
  });
});

describe('an unconfirmed move', () => {
  test('is that of the series alone, whose ranges cover the price before it', async () => {
    const [ten, nine] = await gradesOf(thin);
    expect([ten!.unconfirmedMove, nine!.unconfirmedMove]).toEqual([true, false]);
    const points: Point[] = (await api.get(`/v1/items/by-id/${thin}/fmv-series?window=30`)).json.points;
    const before = points[5]!.usdCents!;
    expect(before).toBeLessThan(500_00);
    expect(ten!.priceUsdCents).toBeGreaterThan(1.1 * before);
    expect(ten!.priceRangeUsdCents!.low).toBeLessThan(before);
    expect(ten!.nextSaleRangeUsdCents!.low).toBeLessThan(before);
    expect(await detailOf(steady)).toMatchObject({ unconfirmedMove: false });
  });

  test.each([
    ['near it, on another day', { usdCents: 1_390_00, source: 'ebay' }],
    ['near the price before, which ends it', { usdCents: 440_00, source: 'ebay' }],
  ])('is over with the next sale %s, before its day closes', async (_, next) => {
    const { db } = database;
    const itemId = await aThinCard(db, 'Resolved');
    await aSale(db, { itemId, sold: '2026-06-30', ...next });
    expect(await detailOf(itemId)).toMatchObject({ unconfirmedMove: false });
  });

  test('begins with a sale that no close has taken in yet', async () => {
    const { db } = database;
    expect(await detailOf(steady)).toMatchObject({ unconfirmedMove: false });
    const id = await aSale(db, { itemId: steady, sold: '2026-06-30', usdCents: 900_00 });
    expect(await detailOf(steady)).toMatchObject({ unconfirmedMove: true });
    await db.query('delete from sales where id = $1', [id]);
  });
});
