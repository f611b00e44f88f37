import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { parseDay } from '../../src/lib/day.ts';
import { examine } from '../../src/ops/doctor.ts';
import { listImports } from '../../src/sales/undoing/imports.ts';
import { undoImport } from '../../src/sales/undoing/undo-import.ts';
import { anImport, anItem, aSale, aVoid, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const TODAY = parseDay('2026-06-30')!;

let database: FreshDatabase;
let folder: string;
beforeEach(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

/** The findings whose text has `part`. */
async function findings(part: string, { today = TODAY, dataDir = folder, url = '' } = {}) {
  const env = { MINTMARK_DATA: dataDir, ...(url !== '' && { DATABASE_URL: url }) };
  return (await examine(database.db, readConfig(env), today)).filter(({ what }) => what.includes(part));
}

test('a data folder that cannot be examined is a failure, whatever database is used', async () => {
  const missing = join(folder, 'missing');
  const failure = { state: 'fail', what: `the data folder ${missing} cannot be examined (ENOENT)` };
  expect(await findings('data folder', { dataDir: missing })).toMatchObject([failure]);
  expect(await findings('data folder', { dataDir: missing, url: 'postgres://somewhere/else' })).toMatchObject([
    failure,
  ]);
  expect(await findings('GB free', { url: 'postgres://somewhere/else' })).toMatchObject([
    { what: expect.stringContaining(folder) },
  ]);
});

test('a data folder that others may list is named, one they may pass through is not', async () => {
  const open = join(folder, 'data');
  mkdirSync(open);
  const listed = async (mode: number) => {
    chmodSync(open, mode);
    return (await findings('other users may list', { dataDir: open })).length;
  };
  expect(await listed(0o700)).toBe(0);
  expect(await listed(0o711)).toBe(0);
  expect(await listed(0o740)).toBe(1);
  expect(await listed(0o755)).toBe(1);
});

// Root may write everywhere.
test.skipIf(process.getuid?.() === 0)('a data folder that cannot be written is named', async () => {
  const theirs = join(folder, 'data');
  mkdirSync(theirs, { mode: 0o500 });
  expect(await findings('cannot be written', { dataDir: theirs })).toMatchObject([
    { state: 'warn', advice: expect.stringContaining('chmod u+rwx') },
  ]);
  chmodSync(theirs, 0o700);
  expect(await findings('cannot be written', { dataDir: theirs })).toEqual([]);
});

test('prices that the audit withholds are counted: cards, and the suspects by which they are', async () => {
  const { db } = database;
  expect(await findings('the audit')).toMatchObject([{ state: 'ok', what: 'the audit withholds no price' }]);
  const items = [await anItem(db, { number: '1' }), await anItem(db, { number: '2' })];
  for (const withheld of [true, true, false]) {
    const [suspect] = await db.query<{ id: number }>(
      `insert into identity_suspects (game, kind, score, evidence, subject)
       values ('pokemon', 'off_curve', 1, '{}', gen_random_uuid()::text) returning id`,
    );
    await db.query(
      `insert into identity_suspect_series (suspect_id, place, item_id, withheld)
       select $1, place, item_id, $3 from unnest($2::uuid[]) with ordinality s (item_id, place)`,
      [suspect!.id, items, withheld],
    );
  }
  expect(await findings('the audit')).toMatchObject([
    { state: 'warn', what: 'the audit withholds prices of 2 cards because of 2 suspects' },
  ]);
});

test('the newest sale is one that counts, not one that was rejected for its date', async () => {
  const itemId = await anItem(database.db);
  await aSale(database.db, { itemId, sold: '2027-11-02', rejection: 'future' });
  expect(await findings('ledger:')).toMatchObject([{ what: 'ledger: 0 accepted sales, 1 rejected, newest none' }]);
  await aSale(database.db, { itemId, sold: '2026-06-20', soldTime: '08:00:00' });
  expect(await findings('ledger:')).toMatchObject([
    { what: 'ledger: 1 accepted sales, 1 rejected, newest 2026-06-20T08:00:00.000Z' },
  ]);
});

test('a sale that was corrected counts once, as what it is now', async () => {
  const { db } = database;
  const itemId = await anItem(db);
  for (const rejection of ['lot', null]) {
    const old = await aSale(db, { itemId, sold: '2026-06-21', rejection });
    await aVoid(db, old, 'corrected', '2026-06-22');
  }
  await aSale(db, { itemId, sold: '2026-06-20', soldTime: '08:00:00' });
  await aSale(db, { itemId, rejection: 'grade_unsupported' });
  expect(await findings('ledger:')).toMatchObject([
    { what: 'ledger: 1 accepted sales, 1 rejected, newest 2026-06-20T08:00:00.000Z' },
  ]);
});

test('an import that was cut off a moment ago is named, until the same import has finished', async () => {
  const begin = () => database.db.query("insert into imports (kind, format) values ('sales', 'mintmark')");
  await begin();
  expect(await findings('import')).toMatchObject([
    {
      state: 'warn',
      what: expect.stringMatching(/^an import has not finished: sales mintmark of \d{4}-\d\d-\d\dT[\d:]{8}Z$/),
    },
  ]);
  await begin();
  await database.db.query(
    "update imports set finished_at = now() + interval '1 s' where id = (select max(id) from imports)",
  );
  expect(await findings('import')).toMatchObject([{ state: 'ok', what: 'every import was finished' }]);
  const listed = await listImports(database.db, { kind: 'sales', limit: 2 });
  expect(listed.map(({ finishedAt, isRunAgain }) => [finishedAt !== null, isRunAgain])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('an import that was cut off and then undone is not named', async () => {
  const { db } = database;
  const id = await anImport(db);
  await db.query('update imports set finished_at = null where id = $1', [id]);
  expect(await findings('an import')).toHaveLength(1);
  await undoImport(db, id, { by: 'ada', why: null }, TODAY);
  expect(await findings('an import')).toEqual([]);
});

test('a closed day that is not over is a warning that names the way back', async () => {
  await aSale(database.db, { itemId: await anItem(database.db), sold: '2026-06-20' });
  await closeDays(database.db, '2026-06-29');
  expect(await findings('closed through')).toMatchObject([{ state: 'ok' }]);
  expect(await findings('closed through', { today: TODAY - 1 })).toMatchObject([
    {
      state: 'warn',
      what: expect.stringContaining('2026-06-29, which is not over'),
      advice: expect.stringContaining('--reopen'),
    },
  ]);
});
