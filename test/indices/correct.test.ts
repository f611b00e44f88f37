import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { auditIndex } from '../../src/indices/close/audit.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { correctIndex } from '../../src/indices/close/correct.ts';
import { rebuildIndex } from '../../src/indices/close/rebuild.ts';
import { basketAfter, publishedLevels, publishedRemovals } from '../../src/indices/close/store.ts';
import { GAME_INDICES } from '../../src/indices/definitions.ts';
import { levels as levelsTable } from '../../src/indices/open-data.ts';
import { indexBySlug } from '../../src/indices/rows.ts';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { closeThrough, everythingPublished, recordMarket } from './method/market.ts';

const pokemon = GAME_INDICES[0]!;
const REASON = 'prices of a broken feed';

let fresh: FreshDatabase;
let db: Db;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  await recordMarket(db);
});
afterAll(() => fresh.close());

const mistakes = () => db.session(async (session) => (await auditIndex(session, 'pokemon')).mistakes);
const differences = async () => (await rebuildIndex(db, pokemon, {})).differences;
const logged = () =>
  db.query(
    `select day, old_level as "oldLevel", new_level as "newLevel", reason from index_corrections
     order by corrected_at, day`,
  );
const levelOn = async (day: number) => (await publishedLevels(db, 'pokemon', day, day))[0]!.level;

/** Closes one day while every price is 1% too high, an error of ours that is corrected after the close. */
async function closeWithError(day: number): Promise<void> {
  await reprice(db, { through: day });
  const shift = (by: number) =>
    db.query('update market_days set level = level + $1 where game = $2 and day = $3', [by, 'pokemon', day]);
  const [was] = await db.query<{ level: number }>('select level from market_days where game = $1 and day = $2', [
    'pokemon',
    day,
  ]);
  await shift(0.01);
  await closeIndices(db, { through: day });
  await db.query('update market_days set level = $1 where game = $2 and day = $3', [was!.level, 'pokemon', day]);
}

/** Changes a level, in the one way the database allows. */
async function tamper(day: number, factor: number): Promise<void> {
  await db.transaction(async (session) => {
    await session.query(
      `insert into index_corrections (slug, day, old_level, new_level, reason)
       select slug, day, level, level * $2, 'tampered' from index_levels where slug = 'pokemon' and day = $1`,
      [day, factor],
    );
    await session.query(`update index_levels set level = level * $2 where slug = 'pokemon' and day = $1`, [
      day,
      factor,
    ]);
  });
}

test('an index that computes has nothing to recompute', async () => {
  expect(await correctIndex(db, 'riftbound', REASON)).toEqual({ levels: 0, corrected: [], left: [] });
});

describe('an error of our own in the prices of a day', () => {
  const day = parseDay('2024-07-18')!;
  let published: number;
  beforeAll(async () => {
    await closeThrough(db, day - 1);
    await closeWithError(day);
    published = await levelOn(day);
    await closeThrough(db, day + 4);
  });

  test('is corrected on the fifth day, logged with old, new and reason, and nothing else changes', async () => {
    const before = await everythingPublished(db);
    const { levels, corrected, left } = await correctIndex(db, 'pokemon', REASON);
    expect(levels).toBeGreaterThan(80);
    const newLevel = await levelOn(day);
    expect(published / newLevel).toBeCloseTo(Math.exp(0.01), 9);
    expect(corrected).toEqual([{ day, oldLevel: published, newLevel }]);
    expect(left).toEqual([]);
    expect(await logged()).toEqual([{ day, oldLevel: published, newLevel, reason: REASON }]);
    const after = await everythingPublished(db);
    const { index_levels: rows, ...others } = after;
    const { index_levels: rowsBefore, ...othersBefore } = before;
    expect(others).toEqual(othersBefore);
    expect(rows!.filter((row, i) => JSON.stringify(row) !== JSON.stringify(rowsBefore![i]))).toHaveLength(1);
  });

  test('shows in the download of levels with the level first published and the reason', async () => {
    const rows = await levelsTable.rows(db, await indexBySlug(db, 'pokemon'), {});
    expect(rows.filter(({ correction }) => correction !== null)).toEqual([
      expect.objectContaining({
        day: formatDay(day),
        level: await levelOn(day),
        firstLevel: published,
        correction: REASON,
      }),
    ]);
  });

  test('leaves a chain that the audit and a rebuild find right, also after more days and a rotation', async () => {
    expect([await mistakes(), await differences()]).toEqual([[], []]);
    await closeThrough(db, parseDay('2024-08-03')!);
    expect([await mistakes(), await differences()]).toEqual([[], []]);
  });

  test('is corrected once', async () => {
    const before = await everythingPublished(db);
    expect(await correctIndex(db, 'pokemon', REASON)).toMatchObject({ corrected: [], left: [] });
    expect(await everythingPublished(db)).toEqual(before);
    expect(await logged()).toHaveLength(1);
  });
});

describe('levels that were changed', () => {
  // The third of the five days is a rotation's.
  const last = parseDay('2024-08-03')!;

  test('are set right within five days and above 0.5%; older and smaller ones are left alone', async () => {
    await closeThrough(db, last);
    const right = await publishedLevels(db, 'pokemon', last - 5, last);
    const [older, fifth, rotation, smaller] = [last - 5, last - 4, last - 2, last];
    await tamper(older, 1.2);
    await tamper(fifth, 0.99);
    await tamper(rotation, 3);
    await tamper(smaller, 1.0049);
    const { corrected, left } = await correctIndex(db, 'pokemon', REASON);
    expect(corrected).toEqual([
      { day: fifth, oldLevel: right[1]!.level * 0.99, newLevel: right[1]!.level },
      { day: rotation, oldLevel: right[3]!.level * 3, newLevel: right[3]!.level },
    ]);
    expect(left.map(({ day: on, because }) => [on, because])).toEqual([
      [older, 'older'],
      [smaller, 'smaller'],
    ]);
    expect(await levelOn(fifth)).toBe(right[1]!.level);
    expect(await levelOn(older)).toBe(right[0]!.level * 1.2);
    expect((await mistakes()).map(({ day: on }) => on)).toEqual([older, smaller]);
    const rows = await levelsTable.rows(db, await indexBySlug(db, 'pokemon'), {});
    expect(rows.find((row) => row.day === formatDay(fifth))).toMatchObject({
      firstLevel: right[1]!.level,
      correction: `tampered; ${REASON}`,
    });
  });
});

describe('a level that the chain went on from', () => {
  let other: FreshDatabase;
  beforeAll(async () => {
    other = await freshDatabase();
    db = other.db;
    await recordMarket(db);
  });
  afterAll(async () => {
    db = fresh.db;
    await other.close();
  });

  test('at a rotation stays as published; the days around it are corrected', async () => {
    const rotationDay = parseDay('2024-06-01')!;
    await closeThrough(db, rotationDay - 2);
    await closeWithError(rotationDay - 1);
    await closeWithError(rotationDay);
    await closeThrough(db, rotationDay + 2);
    const published = await levelOn(rotationDay);
    await tamper(rotationDay + 1, 1.02);
    const { corrected, left } = await correctIndex(db, 'pokemon', REASON);
    expect(corrected.map(({ day }) => day)).toEqual([rotationDay - 1, rotationDay + 1]);
    expect(left).toEqual([expect.objectContaining({ day: rotationDay, because: 'chained' })]);
    expect(await levelOn(rotationDay)).toBe(published);
    // The prices no longer give the published level of that day, which the audit keeps reporting; it is the only day.
    expect((await mistakes()).map(({ day }) => day)).toEqual([rotationDay]);
  });

  test('at a removal stays too, and so do the days after it', async () => {
    const day = parseDay('2024-06-11')!;
    await closeThrough(db, day - 2);
    const { itemId, gradeKey } = (await basketAfter(db, 'pokemon', day))!.members[1]!;
    await db.query(
      `insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
       select s.id, 'voided', now(), $3, (select min(id) from imports) from sales s
       where s.item_id = $1 and s.grade_key = $2 on conflict do nothing`,
      [itemId, gradeKey, day],
    );
    await closeThrough(db, day + 2);
    expect(await publishedRemovals(db, 'pokemon', day, day)).toHaveLength(1);
    // As published by a close that took wrong prices on the day before the removal.
    await db.query('alter table index_levels disable trigger user; alter table index_removals disable trigger user');
    await db.query(`update index_levels set level = level / 1.02 where slug = 'pokemon' and day >= ${day - 1}`);
    await db.query(`update index_levels set divisor = divisor * 1.02 where slug = 'pokemon' and day >= ${day}`);
    await db.query('update index_removals set divisor_after = divisor_after * 1.02');
    await db.query('alter table index_levels enable trigger user; alter table index_removals enable trigger user');
    await tamper(day - 2, 1.02);
    const before = (await publishedLevels(db, 'pokemon', day - 1, day + 2)).map(({ level }) => level);
    const { corrected, left } = await correctIndex(db, 'pokemon', REASON);
    expect(corrected.map(({ day: on }) => on)).toEqual([day - 2]);
    expect(left.filter(({ because }) => because === 'chained').map(({ day: on }) => on)).toEqual([
      day - 1,
      day,
      day + 1,
      day + 2,
    ]);
    expect((await publishedLevels(db, 'pokemon', day - 1, day + 2)).map(({ level }) => level)).toEqual(before);
  });
});
