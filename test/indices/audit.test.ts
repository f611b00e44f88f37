import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AuditReport, auditIndex } from '../../src/indices/close/audit.ts';
import { INDEX_RULES } from '../../src/indices/method/rules.ts';
import { parseDay } from '../../src/lib/day.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { closeThrough, LAST_DAY, recordMarket } from './method/market.ts';

let fresh: FreshDatabase;
let baseDay: number;
beforeAll(async () => {
  fresh = await freshDatabase();
  await recordMarket(fresh.db);
  await closeThrough(fresh.db, LAST_DAY);
});
beforeEach(async () => {
  baseDay = (await audit()).baseDay!;
});
afterAll(() => fresh.close());

function audit(slug = 'pokemon'): Promise<AuditReport> {
  return fresh.db.session((session) => auditIndex(session, slug));
}

/** What the audit finds after changes that the database would refuse; they are undone. */
async function mistakesAfter(...changes: string[]): Promise<string[]> {
  return await fresh.db.session(async (session) => {
    await session.query('begin');
    for (const table of ['index_levels', 'index_rotations', 'index_members'])
      await session.query(`alter table ${table} disable trigger all`);
    for (const change of changes) await session.query(change);
    const { mistakes } = await auditIndex(session, 'pokemon');
    await session.query('rollback');
    return mistakes.map(({ day, what }) => `${day} ${what}`);
  });
}

test('what the daily close published has no mistake', async () => {
  const report = await audit();
  expect(report.mistakes).toEqual([]);
  expect(report).toMatchObject({ lastDay: LAST_DAY, levels: LAST_DAY - baseDay + 1 });
  expect(report.rotations).toBeGreaterThan(5);
});

test('an index that computes has nothing to check and no mistake', async () => {
  expect(await audit('riftbound')).toMatchObject({ baseDay: null, levels: 0, mistakes: [] });
});

test('a level that is not G / D', async () => {
  const day = baseDay + 12;
  const found = await mistakesAfter(`update index_levels set level = level * 1.0000001 where day = ${day}`);
  expect(found).toEqual([expect.stringContaining(`${day} the level is`)]);
});

test('a divisor that is not the chain’s', async () => {
  const day = baseDay + 12;
  const found = await mistakesAfter(
    `update index_levels set divisor = divisor * 2, level = level / 2 where day = ${day}`,
  );
  expect(found).toContainEqual(expect.stringContaining(`${day} the divisor is`));
});

test('a rotation that moves the level', async () => {
  const day = parseDay('2024-07-01')!;
  const found = await mistakesAfter(
    `update index_rotations set divisor_after = divisor_after * 1.001 where day = ${day}`,
  );
  expect(found).toContainEqual(expect.stringContaining(`${day} the level jumps at the rotation`));
});

test('a base that is not exactly 10000', async () => {
  const found = await mistakesAfter(`update index_levels set level = 10000.000000001 where day = ${baseDay}`);
  expect(found).toContain(`${baseDay} the base is not exactly ${INDEX_RULES.base}`);
});

test('weights that do not add up, or are not equal', async () => {
  const found = await mistakesAfter(
    `update index_members m set weight = weight * 1.5 where rank = (select min(rank) from index_members
       where rotation_day = m.rotation_day) and rotation_day = ${baseDay}`,
  );
  expect(found).toContainEqual(expect.stringContaining(`${baseDay} the weights add up to`));
  expect(found).toContain(`${baseDay} the weights are not equal`);
});

test('a missing day, and a missing rotation', async () => {
  const day = baseDay + 40;
  expect(await mistakesAfter(`delete from index_levels where day = ${day}`)).toContain(`${day} the level is missing`);
  const rotation = parseDay('2024-07-01')!;
  const found = await mistakesAfter(
    `delete from index_members where rotation_day = ${rotation}`,
    `delete from index_rotations where day = ${rotation}`,
  );
  expect(found).toContain(`${rotation} the rotation is missing`);
});

test('a methodology that changes between rotations', async () => {
  const day = baseDay + 5;
  const found = await mistakesAfter(`update index_levels set methodology_version = '2' where day = ${day}`);
  expect(found).toEqual([`${day} another methodology than its basket’s`]);
});
