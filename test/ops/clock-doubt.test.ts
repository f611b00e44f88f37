import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { agreedToday } from '../../src/commands/world.ts';
import { dayOf } from '../../src/lib/day.ts';
import { clockDoubt, watchClock } from '../../src/ops/clock-doubt.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, startProgram } from '../support/program.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const MINUTE_MS = 60_000;

test.each([
  [61, '61 minutes ahead of'],
  [24 * 60, '24 hours ahead of'],
  [365 * 24 * 60, '365 days ahead of'],
  [-61, '61 minutes behind'],
])('a clock %d minutes off is in doubt', async (minutes, words) => {
  const doubt = await clockDoubt(database.db, () => Date.now() + minutes * MINUTE_MS);
  expect(doubt).toMatch(new RegExp(`^The clock of this machine is ${words} the database's \\([^)]+Z\\): correct`));
});

test.each([0, 4, -4])('a clock %d minutes off is not', async (minutes) => {
  expect(await clockDoubt(database.db, () => Date.now() + minutes * MINUTE_MS)).toBeNull();
});

test('what commands record is of a day on which the clocks of the machine and of the database agree', async () => {
  const { db } = database;
  expect(await agreedToday(db, () => Date.now() + 4 * MINUTE_MS)).toBe(dayOf(Date.now() + 4 * MINUTE_MS));
  await expect(agreedToday(db, () => Date.now() + 1440 * MINUTE_MS)).rejects.toThrow(
    /^The clock of this machine is 24 hours ahead .*: correct the wrong one, then run this again\.$/,
  );
});

test('jobs that a clock ahead has scheduled for another year run on time once it is corrected', async () => {
  const env = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: folderOfRun() };
  const run = async (until: () => Promise<void>) => {
    const worker = startProgram(['worker'], env);
    await expect.poll(worker.output, { timeout: 60_000 }).toContain('"msg":"working"');
    await until();
    worker.kill();
    expect(await worker.ended).toBe(0);
  };
  const { db } = database;
  const known = () =>
    db.query<{ late: number; ahead: number }>(
      `select count(*) filter (where last_execution > now() - interval '1 day') as late,
         count(*) filter (where greatest(last_execution, known_since) > now()) as ahead
       from graphile_worker._private_known_crontabs where identifier = 'close_days'`,
    );
  const registered = () => expect.poll(known).toEqual([{ late: expect.any(Number), ahead: expect.any(Number) }]);
  await run(registered);
  await db.query(`update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 year'`);
  // What was due in the last day is caught up.
  await run(() => expect.poll(known).toEqual([{ late: 1, ahead: 0 }]));
});

test('a clock that is set back is noticed once, by more than clocks may differ; one that is set forward is not', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T00:20:00Z'), toFake: ['setInterval', 'clearInterval'] });
  let [nowMs, monotonicMs] = [Date.parse('2026-11-29T00:20:00Z'), 0];
  const found: string[] = [];
  const pass = (setMs = 0) => {
    [nowMs, monotonicMs] = [nowMs + 30_000 + setMs, monotonicMs + 30_000];
    vi.advanceTimersByTime(30_000);
  };
  const watch = () =>
    watchClock(
      () => nowMs,
      (why) => found.push(why),
      () => monotonicMs,
    );
  const unwatch = watch();
  pass(-4 * MINUTE_MS);
  pass(24 * 60 * MINUTE_MS);
  expect(found).toEqual([]);
  pass(-60 * MINUTE_MS);
  pass(-60 * MINUTE_MS);
  expect(found).toEqual([
    'The clock of this machine was set back by 60 minutes to 2026-11-29T23:17:30Z: the worker ends, since its jobs would wait as long. Start it again.',
  ]);
  unwatch();
  watch()();
  pass(-60 * MINUTE_MS);
  expect(found).toHaveLength(1);
  vi.useRealTimers();
});
