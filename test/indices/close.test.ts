import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { basketAfter, publishedLevels, publishedRotations } from '../../src/indices/close/store.ts';
import { isRotationDay } from '../../src/indices/method/basket.ts';
import { daysFrom, formatDay, parseDay } from '../../src/lib/day.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { dailyValuesOf } from '../../src/pricing/store/daily-values.ts';
import { FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { anItem, aSale, aVoid, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { closeThrough, everythingPublished, LAST_DAY, market, recordMarket } from './method/market.ts';

const levels = (db: Db, fromDay = 0, toDay = LAST_DAY) => publishedLevels(db, 'pokemon', fromDay, toDay);

describe('a market of eight months', () => {
  let fresh: FreshDatabase;
  let db: Db;
  let baseDay: number;
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    await recordMarket(db);
    await closeThrough(db, LAST_DAY);
    baseDay = (await levels(db))[0]!.day;
  });
  afterAll(() => fresh.close());

  test('the base is exactly 10000 on the first rotation with enough series; from there on every day has a level', async () => {
    const all = await levels(db);
    expect(isRotationDay(baseDay)).toBe(true);
    expect(all[0]!.level).toBe(10_000);
    expect(all.map(({ day }) => day)).toEqual(Array.from({ length: LAST_DAY - baseDay + 1 }, (_, i) => baseDay + i));
    const [index] = await db.query<{ base_day: number }>(`select base_day from indices where slug = 'pokemon'`);
    expect(index!.base_day).toBe(baseDay);
  });

  test('rotations before that are kept as skipped, without a level: the index was computing', async () => {
    const [first] = await publishedRotations(db, 'pokemon', 0, baseDay - 1);
    expect(first).toMatchObject({ basket: null, level: null, divisorBefore: null, divisorAfter: null });
    expect((await levels(db, 0, baseDay - 1)).length).toBe(0);
  });

  test('a game without sales has an index that computes', async () => {
    const [row] = await db.query<{ base_day: null }>(`select base_day from indices where slug = 'riftbound'`);
    expect(row!.base_day).toBeNull();
    expect(await publishedLevels(db, 'riftbound', 0, LAST_DAY)).toEqual([]);
  });

  test('a level is the weighted geometric mean of the prices that the daily lines publish, over the divisor', async () => {
    const basket = (await basketAfter(db, 'pokemon', baseDay))!;
    const values = await dailyValuesOf(db, basket.members, daysFrom(baseDay, baseDay + 20));
    const [rotation] = await publishedRotations(db, 'pokemon', baseDay, baseDay);
    expect(rotation!.basket).toEqual(basket);
    for (const { day, level, divisor } of await levels(db, baseDay, baseDay + 20)) {
      let sum = 0;
      for (const [i, { weight }] of basket.members.entries()) {
        sum += weight * Math.log(values[i]![day - baseDay]!.priceUsd);
      }
      expect(Math.abs(level / (Math.exp(sum) / divisor) - 1)).toBeLessThan(1e-12);
    }
    for (const [i, { itemId, gradeKey }] of basket.members.slice(0, 5).entries()) {
      const line = await dailyLine(db, itemId, gradeKey, baseDay, baseDay + 20);
      expect(line.map(({ usdCents }) => usdCents)).toEqual(
        values[i]!.map((value) => Math.floor(100 * value!.priceUsd + 0.5)),
      );
    }
  });

  test('every rotation leaves the level where it was, and its basket is one series a card of equal weights', async () => {
    const rotations = await publishedRotations(db, 'pokemon', baseDay, LAST_DAY);
    expect(rotations.length).toBeGreaterThan(3);
    const byDay = new Map((await levels(db)).map((one) => [one.day, one]));
    for (const { day, level, divisorBefore, divisorAfter, basket, eligible } of rotations) {
      const { members } = basket!;
      expect(level).toBe(byDay.get(day)!.level);
      if (day > baseDay) expect(divisorBefore).toBe(byDay.get(day)!.divisor);
      const value = Math.exp(members.reduce((sum, { weight, priceUsd }) => sum + weight * Math.log(priceUsd), 0));
      expect(Math.abs(value / divisorAfter! / level! - 1)).toBeLessThan(1e-12);
      expect(members.length).toBe(Math.min(100, Math.max(20, Math.floor(0.8 * eligible))));
      expect(new Set(members.map(({ itemId }) => itemId)).size).toBe(members.length);
      expect(members.every(({ weight }) => weight === 1 / members.length)).toBe(true);
    }
  });

  test('turnover and count are what the basket in force sold for on that day', async () => {
    const day = baseDay + 40;
    const { members } = (await basketAfter(db, 'pokemon', day - 1))!;
    const names = new Set(members.map(({ itemId, gradeKey }) => `${itemId} ${gradeKey}`));
    const outliers = await db.query<{ n: number }>(
      `select (source_sale_id::int - 1) as n from sales s join sale_uses u on u.sale_id = s.id where u.weight < 0.25`,
    );
    const outlier = new Set(outliers.map(({ n }) => n));
    const sold = market.filter(
      (sale, n) =>
        FIRST_DAY + sale.day === day && names.has(`${itemIdOf(sale.card)} ${sale.gradeKey}`) && !outlier.has(n),
    );
    const [row] = await db.query('select turnover_usd_cents, sale_count from index_days where slug = $1 and day = $2', [
      'pokemon',
      day,
    ]);
    expect(sold.length).toBeGreaterThan(0);
    expect(row).toEqual({
      turnover_usd_cents: sold.reduce((sum, { priceUsdCents }) => sum + priceUsdCents, 0),
      sale_count: sold.length,
    });
  });

  test('closing again publishes nothing', async () => {
    const before = await everythingPublished(db);
    expect(await closeIndices(db, { through: LAST_DAY })).toEqual({ levels: 0 });
    expect(await everythingPublished(db)).toEqual(before);
  });

  test('a day whose prices are not closed waits', async () => {
    expect(await closeIndices(db, { through: LAST_DAY + 10 })).toEqual({ levels: 0 });
  });

  test('day by day gives the same bits as all at once', async () => {
    const other = await freshDatabase();
    await recordMarket(other.db);
    await closeThrough(other.db, baseDay - 3);
    for (let day = baseDay - 2; day < baseDay + 40; day++) await closeThrough(other.db, day);
    await closeThrough(other.db, LAST_DAY);
    expect(await everythingPublished(other.db)).toEqual(await everythingPublished(db));
    await other.close();
  });

  test('published rows can neither be changed nor deleted, but for a level whose correction is logged', async () => {
    const appendOnly = /append-only/;
    for (const table of ['index_levels', 'index_rotations', 'index_members', 'index_removals', 'index_corrections']) {
      await expect(db.query(`delete from ${table}`)).rejects.toThrow(appendOnly);
      await expect(db.query(`truncate ${table} cascade`)).rejects.toThrow(appendOnly);
    }
    await expect(db.query('update index_members set weight = 1')).rejects.toThrow(appendOnly);
    await expect(db.query('update index_rotations set divisor_after = 1')).rejects.toThrow(appendOnly);
    const change = 'update index_levels set level = level + 1 where slug = $1 and day = $2';
    await expect(db.query(change, ['pokemon', baseDay + 1])).rejects.toThrow(appendOnly);
    const rollback = new Error('undo');
    const corrected = db.transaction(async (session) => {
      await session.query(
        `insert into index_corrections (slug, day, old_level, new_level, reason)
         select slug, day, level, level + 1, 'test' from index_levels where slug = $1 and day = $2`,
        ['pokemon', baseDay + 1],
      );
      await session.query(change, ['pokemon', baseDay + 1]);
      throw rollback;
    });
    await expect(corrected).rejects.toBe(rollback);
  });
});

describe('what becomes known later', () => {
  let fresh: FreshDatabase;
  let db: Db;
  let day: number;
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    await recordMarket(db, 140);
    day = FIRST_DAY + 139;
    await closeThrough(db, day);
  });
  afterAll(() => fresh.close());

  test('a late sale changes turnover and count of its day for seven days, and no published level', async () => {
    const [member] = (await basketAfter(db, 'pokemon', day))!.members;
    const turnover = async (on: number) =>
      (
        await db.query<{ n: number }>('select sale_count as n from index_days where slug = $1 and day = $2', [
          'pokemon',
          on,
        ])
      )[0]!.n;
    const before = await levels(db);
    const was = [await turnover(day - 6), await turnover(day - 7)];
    for (const soldDay of [day - 6, day - 7]) {
      await aSale(db, {
        itemId: member!.itemId,
        gradeKey: member!.gradeKey,
        sold: formatDay(soldDay),
        known: formatDay(day + 1),
        usdCents: Math.round(100 * member!.priceUsd),
        source: 'test',
      });
    }
    await closeThrough(db, day + 1);
    expect([await turnover(day - 6), await turnover(day - 7)]).toEqual([was[0]! + 1, was[1]]);
    expect(await levels(db, 0, day)).toEqual(before);
  });

  test('a member that loses its last sale leaves at its last value; the level goes on from where it was', async () => {
    const last = day + 1;
    const basket = (await basketAfter(db, 'pokemon', last))!;
    const member = basket.members[3]!;
    const sales = await db.query<{ id: number }>('select id from sales where item_id = $1 and grade_key = $2', [
      member.itemId,
      member.gradeKey,
    ]);
    for (const { id } of sales) await aVoid(db, id, 'voided', formatDay(last + 1));
    await closeThrough(db, last + 3);
    const [removal] = await db.query<{ day: number; divisor_before: number; divisor_after: number; price_usd: number }>(
      'select day, divisor_before, divisor_after, price_usd from index_removals where item_id = $1',
      [member.itemId],
    );
    const [before, after] = await levels(db, last, last + 1);
    expect(removal).toMatchObject({ day: last + 1, divisor_before: before!.divisor, divisor_after: after!.divisor });
    const [values] = await dailyValuesOf(db, [member], daysFrom(last, last));
    const { priceUsd } = values![0]!;
    expect(removal!.price_usd).toBe(priceUsd);
    // The members' log prices, some of them held, as the level has them: what is left of them without the one that leaves.
    const count = basket.members.length;
    const logs = count * Math.log(before!.level * removal!.divisor_before) - Math.log(priceUsd);
    const left = Math.exp(logs / (count - 1)) / removal!.divisor_after;
    expect(Math.abs(left / before!.level - 1)).toBeLessThan(1e-12);
    expect(Math.abs(after!.level / before!.level - 1)).toBeLessThan(0.02);
    const { members } = (await basketAfter(db, 'pokemon', last + 1))!;
    expect(members).toHaveLength(basket.members.length);
  });

  test('a rotation with too few eligible series is skipped: the basket, its divisor and its day stay', async () => {
    const quiet = parseDay('2024-10-01')!;
    const before = (await basketAfter(db, 'pokemon', quiet - 1))!;
    await closeThrough(db, quiet + 5);
    const rotations = await publishedRotations(db, 'pokemon', day, quiet);
    const skipped = rotations.filter(({ basket }) => basket === null);
    expect(skipped.length).toBeGreaterThan(0);
    for (const { day: on, eligible, level, divisorBefore, divisorAfter } of skipped) {
      expect(eligible).toBeLessThan(20);
      expect(divisorAfter).toBe(divisorBefore);
      const [ofDay] = await levels(db, on, on);
      expect(ofDay).toMatchObject({ level, divisor: divisorAfter });
    }
    expect((await levels(db, 0, quiet + 5)).at(-1)!.day).toBe(quiet + 5);
    expect(before.rotationDay).toBeLessThan(skipped[0]!.day);
  });

  test('once sales are back, the next rotation chooses again', async () => {
    const back = parseDay('2024-10-07')! - FIRST_DAY;
    await recordSales(
      db,
      market.filter((sale) => sale.day < 100).map((sale) => ({ ...sale, day: sale.day + back })),
    );
    await closeThrough(db, parseDay('2025-01-02')!);
    const [rotation] = await publishedRotations(db, 'pokemon', parseDay('2025-01-01')!, parseDay('2025-01-01')!);
    expect(rotation!.basket).not.toBeNull();
    expect(rotation!.level).not.toBeNull();
  });
});

test.each([
  [19, [0, 0, 19], null],
  [20, [0, 0, 20], 20],
])('of %i cards that qualify since April', async (cards, eligible, members) => {
  const { db, close } = await freshDatabase();
  for (let n = 0; n < cards; n++) {
    const itemId = await anItem(db, { number: String(n), name: `Card ${n}` });
    await manySales(db, { itemId, from: '2026-01-02', to: '2026-06-28', everyDays: 5, usdCents: 2000 + 100 * n });
  }
  await closeThrough(db, parseDay('2026-04-15')!);
  const rotations = await publishedRotations(db, 'pokemon', 0, LAST_DAY + 1000);
  expect(rotations.map((one) => one.eligible)).toEqual(eligible);
  expect(rotations.at(-1)!.basket?.members.length ?? null).toBe(members);
  await close();
});
