import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuota, type Quota } from '../../src/access/quota.ts';
import { type Db, openDb } from '../../src/db/client.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

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
async function aProcess(monotonicMs?: () => number): Promise<Quota> {
  const db = openDb({ connection: database.connection, poolSize: 3 });
  const quota = await openQuota(db, monotonicMs);
  opened.push({ quota, db });
  return quota;
}

const aBudget = (limit: number) => ({ policy: 'daily', subject: `key:${++subjects}`, limit });

async function leasedOf(subject: string): Promise<number> {
  const [row] = await database.db.query<{ leased: number }>('select leased from quota_leases where subject = $1', [
    subject,
  ]);
  return row?.leased ?? 0;
}

describe('a budget', () => {
  test.each([1, 10, 100, 1000])('of %i admits exactly that many, over three processes at once', async (limit) => {
    const budget = aBudget(limit);
    const processes = await Promise.all([aProcess(), aProcess(), aProcess()]);
    const asked = Array.from({ length: Math.ceil(limit * 1.5) + 30 }, (_, i) => processes[i % 3]!.take(budget));
    const taken = await Promise.all(asked);
    expect(taken.filter(({ admitted }) => admitted)).toHaveLength(limit);
  });

  test('refuses nobody while more than 5 % of it is unspent, however unevenly the processes are asked', async () => {
    const limit = 100;
    const budget = aBudget(limit);
    const [busy, quiet] = await Promise.all([aProcess(), aProcess()]);
    expect((await quiet!.take(budget)).admitted).toBe(true);
    let admitted = 1;
    while ((await busy!.take(budget)).admitted) admitted++;
    expect(admitted).toBeGreaterThanOrEqual(limit * 0.95);
    expect(admitted).toBeLessThanOrEqual(limit);
  });

  test('states never more units than there are', async () => {
    const limit = 60;
    const budget = aBudget(limit);
    const processes = await Promise.all([aProcess(), aProcess()]);
    const stated: number[] = [];
    let refusedInARow = 0;
    for (let i = 0; refusedInARow < 4; i++) {
      const { admitted, remaining } = await processes[i % 2]!.take(budget);
      // Longer than a notification takes: what another process leases within that time cannot be known.
      await new Promise((resolve) => setTimeout(resolve, 10));
      refusedInARow = admitted ? 0 : refusedInARow + 1;
      if (admitted) stated.push(remaining);
    }
    const overstated = stated.filter((remaining, index) => remaining > limit - index - 1);
    expect(overstated).toEqual([]);
  });

  test('that is spent is refused from memory', async () => {
    const budget = aBudget(3);
    const quota = await aProcess();
    for (let i = 0; i < 3; i++) expect((await quota.take(budget)).admitted).toBe(true);
    expect((await quota.take(budget)).admitted).toBe(false);
    for (let i = 0; i < 100; i++) expect(quota.take(budget)).toMatchObject({ admitted: false, remaining: 0 });
  });

  test('has the unit again of a request that does not count', async () => {
    const budget = aBudget(2);
    const quota = await aProcess();
    await quota.take(budget);
    quota.giveBack(budget);
    expect((await quota.take(budget)).admitted).toBe(true);
    expect((await quota.take(budget)).admitted).toBe(true);
    expect((await quota.take(budget)).admitted).toBe(false);
  });

  test('gets back what a process holds and does not use', async () => {
    const budget = aBudget(1000);
    const quota = await aProcess();
    await quota.take(budget);
    expect(await leasedOf(budget.subject)).toBe(50);
    await expect.poll(() => leasedOf(budget.subject), { timeout: 6000 }).toBe(1);
  });

  test('loses at most what a killed process held', async () => {
    const budget = aBudget(100);
    const killed = await aProcess();
    await killed.take(budget);
    // Killed: it neither returns nor answers a recall. What it had leased is gone, nothing else is.
    opened.splice(0).forEach(({ db }) => void db.close());
    const survivor = await aProcess();
    let admitted = 0;
    while ((await survivor.take(budget)).admitted) admitted++;
    expect(admitted).toBe(90);
  });

  test('is whole again when the day ends by the database, whatever the clock of the process says', async () => {
    const budget = aBudget(2);
    let nowMs = 0;
    const quota = await aProcess(() => nowMs);
    await quota.take(budget);
    const { resetInMs } = await quota.take(budget);
    expect((await quota.take(budget)).admitted).toBe(false);
    nowMs += resetInMs - 1;
    expect((await quota.take(budget)).admitted).toBe(false);
    // The process believes that the day is over; the database knows better, and its word counts.
    nowMs += 2;
    expect((await quota.take(budget)).admitted).toBe(false);
    await database.db.query('update quota_leases set window_day = window_day - 1 where subject = $1', [budget.subject]);
    nowMs += resetInMs + 1;
    expect((await quota.take(budget)).admitted).toBe(true);
  });
});
