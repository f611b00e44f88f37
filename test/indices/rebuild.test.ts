import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { rebuildIndex } from '../../src/indices/close/rebuild.ts';
import { basketAfter } from '../../src/indices/close/store.ts';
import { GAME_INDICES } from '../../src/indices/definitions.ts';
import { formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../src/pricing/store/from-ledger.ts';
import { FIRST_DAY, recordSales } from '../pricing/ledger.ts';
import { everythingStored } from '../pricing/stored.ts';
import { aSale, aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { closeThrough, everythingPublished, LAST_DAY, market, recordMarket } from './method/market.ts';

const pokemon = GAME_INDICES[0]!;

/** Changes what is published although the database prevents it, as a fault of the disk would. */
async function damage(db: Db, table: string, change: string): Promise<void> {
  await db.query(`alter table ${table} disable trigger user`);
  await db.query(change);
  await db.query(`alter table ${table} enable trigger user`);
}

describe('an index that was closed live, with late sales, voids and days of its own', () => {
  let fresh: FreshDatabase;
  let db: Db;
  const split = 130;
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.db;
    await recordMarket(db, split);
    await closeThrough(db, FIRST_DAY + split - 1);
    // Sales of the next days arrive day by day, some only after their day has closed; two are taken back.
    for (let day = split; day < split + 40; day += 5) {
      const recent = market.filter((sale) => sale.day >= day - 5 && sale.day < day && sale.day >= split);
      await recordSales(db, recent);
      const { members } = (await basketAfter(db, 'pokemon', FIRST_DAY + day - 1))!;
      const late = await aSale(db, {
        itemId: members[day % members.length]!.itemId,
        gradeKey: members[day % members.length]!.gradeKey,
        sold: formatDay(FIRST_DAY + day - 4),
        usdCents: 30_00,
        source: 'test',
        saleId: `late ${day}`,
      });
      await closeThrough(db, FIRST_DAY + day);
      if (day % 2 === 0) await aVoid(db, late, 'unpaid', formatDay(FIRST_DAY + day - 2));
    }
    const member = (await basketAfter(db, 'pokemon', FIRST_DAY + split + 39))!.members[2]!;
    const sales = await db.query<{ id: number }>('select id from sales where item_id = $1 and grade_key = $2', [
      member.itemId,
      member.gradeKey,
    ]);
    for (const { id } of sales) {
      await db.query(
        `insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
         select $1, 'voided', now(), $2, min(id) from imports on conflict do nothing`,
        [id, FIRST_DAY + split + 41],
      );
    }
    await closeThrough(db, FIRST_DAY + split + 45);
  });
  afterAll(() => fresh.close());

  test('is bit-equal when recomputed from the stored price states', async () => {
    const before = await everythingPublished(db);
    const [removals] = await db.query<{ n: number }>('select count(*)::int as n from index_removals');
    expect(removals!.n).toBe(1);
    const report = await rebuildIndex(db, pokemon, {});
    expect(report.differences).toEqual([]);
    expect(report.levels).toBeGreaterThan(80);
    expect(report.firstPublished).toBe(false);
    expect(await everythingPublished(db)).toEqual(before);
  });

  test('is bit-equal from any day on', async () => {
    for (const fromDay of [0, FIRST_DAY + 100, FIRST_DAY + split + 30, FIRST_DAY + split + 45]) {
      expect((await rebuildIndex(db, pokemon, { fromDay })).differences).toEqual([]);
    }
  });

  test('is bit-equal when the prices are recomputed from the sales, and the published tables stay as they are', async () => {
    const prices = await everythingStored(db);
    const before = await everythingPublished(db);
    const report = await withPricesFromLedger(db, fresh.connection, undefined, (source) =>
      rebuildIndex(db, pokemon, { source }),
    );
    expect(report.differences).toEqual([]);
    expect(report.levels).toBeGreaterThan(80);
    expect(await everythingStored(db)).toEqual(prices);
    expect(await everythingPublished(db)).toEqual(before);
    const left = await db.query(`select from information_schema.schemata where schema_name = 'index_scratch'`);
    expect(left).toEqual([]);
  });

  test('a price state that was changed shows in the recomputed levels', async () => {
    const day = FIRST_DAY + 120;
    const change = (by: number) =>
      db.query('update market_days set level = level + $1 where game = $2 and day = $3', [by, 'pokemon', day]);
    const [was] = await db.query<{ level: number }>('select level from market_days where game = $1 and day = $2', [
      'pokemon',
      day,
    ]);
    await change(0.01);
    const before = await everythingPublished(db);
    const { differences } = await rebuildIndex(db, pokemon, {});
    expect(differences.map((one) => [one.day, one.what])).toContainEqual([day, 'level']);
    expect(await everythingPublished(db)).toEqual(before);
    await db.query('update market_days set level = $1 where game = $2 and day = $3', [was!.level, 'pokemon', day]);
  });

  test('a changed, a missing and an added row are reported with the published and the recomputed value', async () => {
    const other = await freshDatabase();
    await recordMarket(other.db);
    await closeThrough(other.db, LAST_DAY);
    const day = LAST_DAY - 5;
    await damage(other.db, 'index_levels', `update index_levels set level = level * 1.001 where day = ${day}`);
    await damage(other.db, 'index_levels', `delete from index_levels where day = ${day + 1}`);
    await damage(other.db, 'index_members', `update index_members set weight = 0.5 where rank = 1`);
    const before = await everythingPublished(other.db);
    const { differences } = await rebuildIndex(other.db, pokemon, {});
    const reported = differences.map((one) => `${one.day} ${one.what}`);
    expect(reported).toContain(`${day} level`);
    expect(reported).toContain(`${day + 1} level`);
    expect(reported).toContain(`${day + 1} divisor`);
    expect(differences.find((one) => one.day === day + 1)!.published).toBeNull();
    expect(differences.filter(({ what }) => what === 'member').length).toBeGreaterThan(2);
    expect(await everythingPublished(other.db)).toEqual(before);
    await other.close();
  });
});

test('where nothing is published yet, a rebuild publishes the history that the daily close would have', async () => {
  const [one, other] = [await freshDatabase(), await freshDatabase()];
  for (const { db } of [one, other]) await recordMarket(db);
  await closeThrough(one.db, LAST_DAY);
  await reprice(other.db, { through: LAST_DAY });
  for (const index of GAME_INDICES) {
    const report = await rebuildIndex(other.db, index, {});
    expect(report).toMatchObject({ differences: [], firstPublished: true });
  }
  expect(await everythingPublished(other.db)).toEqual(await everythingPublished(one.db));
  await Promise.all([one.close(), other.close()]);
});
