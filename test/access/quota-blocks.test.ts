import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropOldBlocks, KEPT_DAYS, returnUnits, takeBlock } from '../../src/access/quota-blocks.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

test.each([
  { limit: 0, blocks: [0, 0] },
  { limit: 2, blocks: [1, 1, 0] },
  { limit: 199, blocks: [1, 1] },
  { limit: 400, blocks: [2, 2] },
  { limit: 10_000, blocks: [50, 50] },
])('of a budget of $limit, blocks of $blocks are taken', async ({ limit, blocks }) => {
  const budget = { policy: 'daily', subject: `key:${limit}`, limit };
  const taken = [];
  for (const _ of blocks) taken.push(await takeBlock(database.db, budget));
  expect(taken.map(({ granted }) => granted)).toEqual(blocks);
  expect(taken.at(-1)!.left).toBe(limit - blocks.reduce((sum, one) => sum + one, 0));
});

test('the last block is what is left', async () => {
  const budget = { policy: 'daily', subject: 'key:last', limit: 401 };
  await database.db.query(
    `insert into quota_budgets (policy, subject, window_day, taken, granted)
     values ('daily', 'key:last', floor(extract(epoch from clock_timestamp()) / 86400), 400, 2)`,
  );
  expect(await takeBlock(database.db, budget)).toMatchObject({ granted: 1, left: 0 });
});

test('of a budget that its operator has lowered below what is taken, nothing is granted, and nothing is returned', async () => {
  const budget = { policy: 'daily', subject: 'key:lowered', limit: 400 };
  for (let n = 0; n < 3; n++) await takeBlock(database.db, budget);
  expect(await takeBlock(database.db, { ...budget, limit: 4 })).toMatchObject({ granted: 0, left: 0 });
  expect(await takeBlock(database.db, budget)).toMatchObject({ granted: 2, left: 392 });
});

test('what is returned is free on the day it was taken from, and on no other', async () => {
  const { db } = database;
  const [yesterday, today] = [20_000, 20_001];
  for (const day of [yesterday, today])
    await db.query(
      `insert into quota_budgets (policy, subject, window_day, taken, granted)
       values ('daily', 'key:returned', $1, 10, 10)`,
      [day],
    );
  await returnUnits(db, [{ policy: 'daily', subject: 'key:returned', day: yesterday, count: 3 }]);
  const rows = await db.query<{ taken: number }>(
    `select taken from quota_budgets where subject = 'key:returned' order by window_day`,
  );
  expect(rows.map(({ taken }) => taken)).toEqual([7, 10]);
});

test('counts of addresses are deleted on the third day after theirs, as /about says', async () => {
  const { db } = database;
  await db.query('delete from quota_budgets');
  const today = `floor(extract(epoch from clock_timestamp()) / 86400)::int`;
  for (const days of [0, KEPT_DAYS, KEPT_DAYS + 1])
    await db.query(
      `insert into quota_budgets (policy, subject, window_day, taken, granted)
       values ('daily', 'address:' || $1::int, ${today} - $1::int, 1, 1)`,
      [days],
    );
  expect(await dropOldBlocks(db)).toBe(1);
  const left = await db.query<{ subject: string }>('select subject from quota_budgets order by subject');
  expect(left.map(({ subject }) => subject)).toEqual(['address:0', `address:${KEPT_DAYS}`]);
});
