import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { type IndexDefinition, keepDefinition } from '../../src/indices/definitions.ts';
import { readSubIndices } from '../../src/indices/sub-indices.ts';
import { dayOf } from '../../src/lib/day.ts';
import { examine } from '../../src/ops/doctor.ts';
import type { Finding } from '../../src/ops/finding.ts';
import { listImports } from '../../src/sales/undoing/imports.ts';
import { undoImport } from '../../src/sales/undoing/undo-import.ts';
import { anImport, anItem, aSale, aSet, aVoid, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const TODAY = dayOf(NOW);

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
async function findings(part: string, { nowMs = NOW, dataDir = folder, url = '', more = {} } = {}) {
  const env = { MINTMARK_DATA: dataDir, ...more, ...(url !== '' && { DATABASE_URL: url }) };
  return (await examine(database.db, readConfig(env), nowMs)).filter(({ what }) => what.includes(part));
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

test('settings of a restored backup, which have passwords, are named until they are deleted', async () => {
  expect(await findings('restored')).toEqual([]);
  mkdirSync(join(folder, 'restored-settings'));
  expect(await findings('restored')).toMatchObject([{ state: 'warn' }]);
});

test('a BACKUP_DIR that takes no backup is a failure before the first one', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(await findings('BACKUP_DIR', { more: { BACKUP_DIR: file } })).toMatchObject([
    { state: 'fail', what: `no backup can be written into BACKUP_DIR: ${file} is not a folder` },
  ]);
  expect(await findings('BACKUP_DIR', { more: { BACKUP_DIR: join(folder, 'new', 'deeper') } })).toEqual([]);
});

test('that no backup was made is a failure where BACKUP_DIR promises them, and else a warning', async () => {
  const more = { BACKUP_DIR: join(folder, 'backups') };
  expect(await findings('no backup was made', { more })).toMatchObject([{ state: 'fail' }]);
  expect(await findings('no backup was made')).toMatchObject([{ state: 'warn' }]);
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
  const begin = (...files: string[]) =>
    database.db.query("insert into imports (kind, format, files) values ('sales', 'mintmark', $1)", [files]);
  const finish = () =>
    database.db.query(
      "update imports set finished_at = now() + interval '1 s' where id = (select max(id) from imports)",
    );
  const unfinished = [
    {
      state: 'warn',
      what: expect.stringMatching(/^an import has not finished: sales mintmark of \d{4}-\d\d-\d\dT[\d:]{8}Z$/),
    },
  ];
  await begin('day-1.csv');
  expect(await findings('import')).toMatchObject(unfinished);
  await begin('day-2.csv');
  await finish();
  expect(await findings('import')).toMatchObject(unfinished);
  await begin('day-1.csv', 'day-2.csv');
  await finish();
  expect(await findings('import')).toMatchObject([{ state: 'ok', what: 'every import was finished' }]);
  const listed = await listImports(database.db, { kind: 'sales', limit: 3 });
  expect(listed.map(({ finishedAt, isRunAgain }) => [finishedAt !== null, isRunAgain])).toEqual([
    [true, false],
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
  expect(await findings('closed through', { nowMs: NOW - 86_400_000 })).toMatchObject([
    {
      state: 'warn',
      what: expect.stringContaining('2026-06-29, which is not over'),
      advice: expect.stringContaining('--reopen'),
    },
  ]);
});

test('a day that is not closed six hours after it is over is a failure that names it, as it is an alert', async () => {
  await aSale(database.db, { itemId: await anItem(database.db), sold: '2026-06-20' });
  await closeDays(database.db, '2026-06-28');
  const at = async (time: string) => {
    const [{ state, what }] = (await findings('closed through', { nowMs: Date.parse(time) })) as [Finding];
    return `${state} ${what}`;
  };
  expect(await at('2026-06-29T23:00:00Z')).toBe('ok prices are closed through 2026-06-28');
  expect(await at('2026-06-30T05:59:00Z')).toBe('ok prices are closed through 2026-06-28');
  expect(await at('2026-06-30T06:01:00Z')).toBe(
    'fail prices are closed through 2026-06-28: 1 day up to 2026-06-29 is not',
  );
  expect(await at('2026-07-01T06:01:00Z')).toBe(
    'fail prices are closed through 2026-06-28: 2 days up to 2026-06-30 are not',
  );
});

test('a sub-index of a set that the catalog does not have is a failure with its line, and no close shows it', async () => {
  const file = join(folder, 'indices.yaml');
  const text = `- { slug: base, label: Base, game: pokemon, set: base-base1 }
- slug: typo
  label: Typo
  game: pokemon
  set: base-bsae1
`;
  writeFileSync(file, text);
  await aSale(database.db, { itemId: await anItem(database.db), sold: '2026-06-20' });
  expect(await findings('indices.yaml', { more: { INDICES_FILE: file } })).toMatchObject([
    {
      state: 'fail',
      what: `${file}:5: /1/set "base-bsae1" is not a set of pokemon in the catalog; did you mean base-base1?`,
    },
  ]);
  // Another catalog writes the name of the set differently.
  writeFileSync(file, text.replace('base-bsae1', 'the-very-first-base1'));
  const named = async () => (await findings('indices.yaml', { more: { INDICES_FILE: file } }))[0]!.what;
  expect(await named()).toContain('mean base-base1?');
  // Two sets of that code: nothing is guessed.
  await aSet(database.db, { name: 'Another', code: 'base1' });
  expect(await named()).not.toContain('did you mean');
  await closeDays(database.db, '2026-06-29');
  // As a close of the version before left it.
  const [base, typo] = readSubIndices(text, file) as [IndexDefinition, IndexDefinition];
  await keepDefinition(database.db, typo);
  await closeIndices(database.db, { through: TODAY - 1, subIndices: [base, typo] });
  expect(await database.db.query(`select slug from indices where slug in ('base', 'typo')`)).toEqual([
    { slug: 'base' },
  ]);
});
