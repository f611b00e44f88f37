import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuota, type Quota } from '../../src/access/quota.ts';
import { type Db, openDb } from '../../src/db/client.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
const opened: { quota: Quota; db: Db }[] = [];
let subjects = 0;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  for (const { quota, db } of opened) {
    await quota.close();
    await db.close();
  }
  await database.close();
});

/** What one process has: a pool and a quota of its own. */
function aProcess(monotonicMs?: () => number): Quota {
  const db = openDb({ connection: database.connection, poolSize: 3 });
  const quota = openQuota(db, monotonicMs);
  opened.push({ quota, db });
  return quota;
}

const aBudget = (limit: number) => ({ policy: 'daily', subject: `key:${++subjects}`, limit });

async function takenOf(subject: string): Promise<number> {
  const [row] = await database.db.query<{ taken: number }>('select taken from quota_budgets where subject = $1', [
    subject,
  ]);
  return row?.taken ?? 0;
}

describe('a budget', () => {
  test.each([1, 10, 100, 1000])('of %i admits exactly that many, over three processes at once', async (limit) => {
    const budget = aBudget(limit);
    const processes = [aProcess(), aProcess(), aProcess()];
    const asked = Array.from({ length: Math.ceil(limit * 1.5) + 30 }, (_, i) => processes[i % 3]!.take(budget));
    const taken = await Promise.all(asked);
    expect(taken.filter(({ admitted }) => admitted)).toHaveLength(limit);
  });

  test.each([10, 200, 10_000])(
    'of %i denies nobody while more than 5%% of it is unspent, in ten processes of which nine hold what they do not use',
    async (limit) => {
      const budget = aBudget(limit);
      const [busy, ...quiet] = Array.from({ length: 10 }, () => aProcess());
      let admitted = 0;
      for (const one of quiet) if ((await one.take(budget)).admitted) admitted++;
      while ((await busy!.take(budget)).admitted) admitted++;
      expect(admitted).toBeGreaterThanOrEqual(limit * 0.95);
      expect(admitted).toBeLessThanOrEqual(limit);
    },
  );

  test('of a small size states, at each request, the units that are left in all processes', async () => {
    const budget = aBudget(6);
    const processes = [aProcess(), aProcess()];
    const stated: number[] = [];
    for (let i = 0; i < 7; i++) stated.push((await processes[i % 2]!.take(budget)).remaining);
    expect(stated).toEqual([5, 4, 3, 2, 1, 0, 0]);
  });

  test('that is spent is denied from memory', async () => {
    const budget = aBudget(3);
    const quota = aProcess();
    for (let i = 0; i < 3; i++) expect((await quota.take(budget)).admitted).toBe(true);
    expect((await quota.take(budget)).admitted).toBe(false);
    for (let i = 0; i < 100; i++) expect(quota.take(budget)).toMatchObject({ admitted: false, remaining: 0 });
  });

  test('has the unit again of a request that does not count', async () => {
    const budget = aBudget(2);
    const quota = aProcess();
    quota.giveBack(budget, await quota.take(budget));
    expect((await quota.take(budget)).admitted).toBe(true);
    expect((await quota.take(budget)).admitted).toBe(true);
    expect((await quota.take(budget)).admitted).toBe(false);
  });

  test('has no unit more when one of yesterday is given back, before and after the first request of the day', async () => {
    const budget = aBudget(2);
    let nowMs = 0;
    const quota = aProcess(() => nowMs);
    const yesterday = await quota.take(budget);
    await database.db.query('update quota_budgets set window_day = window_day - 1 where subject = $1', [
      budget.subject,
    ]);
    nowMs += yesterday.resetInMs + 1;
    quota.giveBack(budget, yesterday);
    expect((await quota.standing(budget)).remaining).toBe(2);
    expect((await quota.take(budget)).admitted).toBe(true);
    expect((await quota.take(budget)).admitted).toBe(true);
    nowMs += 43_200_000;
    quota.giveBack(budget, yesterday);
    expect((await quota.take(budget)).admitted).toBe(false);
  });

  test('has no unit of yesterday among those that are left', async () => {
    const budget = aBudget(400);
    let nowMs = 0;
    const quota = aProcess(() => nowMs);
    const { resetInMs } = await quota.take(budget);
    expect((await quota.standing(budget)).remaining).toBe(399);
    await database.db.query('update quota_budgets set window_day = window_day - 1 where subject = $1', [
      budget.subject,
    ]);
    nowMs += resetInMs + 1;
    expect((await quota.standing(budget)).remaining).toBe(400);
  });

  test('of a caller is forgotten when there are too many, also with a unit that was given back', async () => {
    const db = openDb({ connection: database.connection, poolSize: 3 });
    const quota = openQuota(db, undefined, 10);
    const budgets = Array.from({ length: 30 }, () => aBudget(1));
    for (const budget of budgets) quota.giveBack(budget, await quota.take(budget));
    await quota.close();
    await db.close();
    const taken = await Promise.all(budgets.map(({ subject }) => takenOf(subject)));
    expect(taken.filter((units) => units === 0).length).toBeLessThanOrEqual(10);
    expect(taken.slice(-9)).toEqual(Array(9).fill(0));
  });

  test('gets back at a clean stop what a process holds', async () => {
    const budget = aBudget(1000);
    const quota = aProcess();
    const taken = await quota.take(budget);
    await quota.take(budget);
    quota.giveBack(budget, taken);
    expect(await takenOf(budget.subject)).toBe(5);
    await quota.close();
    expect(await takenOf(budget.subject)).toBe(1);
  });

  test('of which nothing is held needs no database at a stop', async () => {
    const stopped = async (limit: number) => {
      const db = openDb({ connection: database.connection, poolSize: 1 });
      const quota = openQuota(db);
      await quota.take(aBudget(limit));
      await db.close();
      return quota.close().then(
        () => 'stopped',
        () => 'failed',
      );
    };
    expect(await stopped(1)).toBe('stopped');
    expect(await stopped(1000)).toBe('failed');
  });

  test('loses at most a block when a process is killed', async () => {
    const budget = aBudget(1000);
    await aProcess().take(budget);
    const survivor = aProcess();
    let admitted = 0;
    while ((await survivor.take(budget)).admitted) admitted++;
    expect(admitted).toBe(995);
  });

  test('of many requests at once is taken in one statement a block, not one a request', async () => {
    const budget = aBudget(10_000);
    const quota = aProcess();
    const taken = await Promise.all(Array.from({ length: 120 }, () => quota.take(budget)));
    expect(taken.every(({ admitted }) => admitted)).toBe(true);
    expect(await takenOf(budget.subject)).toBe(150);
  });

  test('is whole again when the day ends by the database, whatever the clock of the process says', async () => {
    const budget = aBudget(2);
    let nowMs = 0;
    const quota = aProcess(() => nowMs);
    await quota.take(budget);
    const { resetInMs } = await quota.take(budget);
    expect((await quota.take(budget)).admitted).toBe(false);
    nowMs += resetInMs - 1;
    expect((await quota.take(budget)).admitted).toBe(false);
    // The process believes that the day is over; the database knows better, and its word counts.
    nowMs += 2;
    expect((await quota.take(budget)).admitted).toBe(false);
    await database.db.query('update quota_budgets set window_day = window_day - 1 where subject = $1', [
      budget.subject,
    ]);
    nowMs += resetInMs + 1;
    expect((await quota.take(budget)).admitted).toBe(true);
  });
});
