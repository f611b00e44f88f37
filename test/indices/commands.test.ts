import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';
import { closeThrough, everythingPublished, LAST_DAY, recordMarket } from './method/market.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await recordMarket(fresh.db);
  await closeThrough(fresh.db, LAST_DAY);
  // A level that was changed past the database's rejection, as by a fault of the disk.
  await fresh.db.query('alter table index_levels disable trigger user');
  await fresh.db.query(`update index_levels set level = level * 1.02 where slug = 'pokemon' and day = $1`, [
    LAST_DAY - 1,
  ]);
  await fresh.db.query('alter table index_levels enable trigger user');
});
afterAll(() => fresh.close());

/** Runs `mintmark index …` on the test's database, as a process. */
async function index(...args: string[]) {
  const env = { DATABASE_URL: databaseUrlOf(fresh.connection), LOG_LEVEL: 'silent' };
  const { code, printed, errors } = await runProgram(['index', ...args], env);
  return { exitCode: code, out: printed, err: errors };
}

const day = formatDay(LAST_DAY - 1);

test('a rebuild that finds differences prints them, writes nothing and ends with 1', async () => {
  const before = await everythingPublished(fresh.db);
  const { exitCode, out, err } = await index('rebuild', '--game', 'pokemon');
  expect(exitCode).toBe(1);
  expect(out).toMatch(
    new RegExp(`pokemon ${day} level: published \\d+\\.\\d+, recomputed \\d+\\.\\d+\npokemon: 1 difference\n`),
  );
  expect(err).toContain('1 of 1 indices differ; nothing was written');
  expect(await everythingPublished(fresh.db)).toEqual(before);
});

test('a correction without a reason, without an index or of an unknown one is wrong usage', async () => {
  for (const [args, message] of [
    [['--game', 'pokemon'], "required option '--reason <text>'"],
    [['--reason', 'wrong'], "required option '--game <slug>'"],
    [['--game', 'pokemon', '--reason', ' '], '--reason takes the text'],
    [['--game', 'chess', '--reason', 'wrong'], 'no index is called "chess"'],
  ] as const) {
    const ended = await index('correct', ...args);
    expect(ended).toEqual({ exitCode: 2, out: '', err: expect.stringContaining(message) });
  }
});

test('a correction prints what it corrected and ends with 0, and then a rebuild and the audit do too', async () => {
  const { exitCode, out } = await index('correct', '--game', 'pokemon', '--reason', 'a fault of the disk');
  expect(exitCode).toBe(0);
  expect(out).toMatch(new RegExp(`^pokemon ${day} level: published \\d+\\.\\d+, recomputed \\d+\\.\\d+: corrected\n`));
  expect(out).toMatch(/levels recomputed, 1 corrected, 0 left alone\n$/);
  expect(await index('rebuild', '--game', 'pokemon')).toMatchObject({ exitCode: 0 });
  expect(await index('audit', '--game', 'pokemon')).toMatchObject({ exitCode: 0 });
});

test('a correction of an index without a level ends with 1', async () => {
  const { exitCode, err } = await index('correct', '--game', 'riftbound', '--reason', 'wrong');
  expect([exitCode, err]).toEqual([1, expect.stringContaining('nothing could be recomputed')]);
});
