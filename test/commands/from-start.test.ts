import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf, formatDay } from '../../src/lib/day.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';

let fresh: FreshDatabase;
let item: string;
const folder = folderOfRun();
const TODAY = dayOf(Date.now());
const ago = (days: number) => formatDay(TODAY - days);

beforeAll(async () => {
  fresh = await freshDatabase();
  item = await anItem(fresh.db);
});
afterAll(() => fresh.close());

const mintmark = (...args: string[]) =>
  runProgram(args, { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: folder });

/** A file of a sale on each day from so many days ago to so many, both included. */
function salesFile(name: string, from: number, to: number): string {
  const path = join(folder, name);
  const rows = Array.from(
    { length: from - to + 1 },
    (_, i) => `${item},PSA,10,${60 + (i % 5)},USD,${ago(from - i)},ebay,${name}-${i}`,
  );
  writeFileSync(path, `item_id,company,grade,price,currency,sold_at,source,sale_id\n${rows.join('\n')}\n`);
  return path;
}
const importFile = (path: string, ...options: string[]) => mintmark('import', 'sales', 'mintmark', path, ...options);
const pricedDays = async () =>
  (await fresh.db.query<{ first: number }>('select min(day) as first from market_days'))[0]!.first;

test('without a sale nothing is closed, and that is said', async () => {
  expect(JSON.parse((await mintmark('reprice', '--json')).printed)).toMatchObject({
    closedDay: null,
    days: 0,
    sales: 0,
  });
  expect((await mintmark('reprice')).printed).toContain('no day was closed: import sales first');
});

test('older sales are announced by a dry run and by the import; prices from the first sale begin after a question', async () => {
  const [newer, older] = [salesFile('newer', 10, 2), salesFile('older', 60, 11)];
  const first = await importFile(newer, '--json');
  expect(JSON.parse(first.printed).older).toEqual([]);
  expect((await mintmark('reprice')).code).toBe(0);

  const nothing = await mintmark('reprice', '--from-start');
  expect(nothing.errors).toContain('each sale of a closed day was priced on the day on which it became known');
  expect(nothing.code).toBe(0);

  const before = `This file has sales older than the first close of pokemon, ${ago(10)}: they move its prices from now on; published days stay, and days before ${ago(10)} get no price.`;
  const after = `50 sales of pokemon are older than its first close, ${ago(10)} (the first is of ${ago(60)}): they count from now on, and change no published day.`;
  for (const options of [['--dry-run'], []]) {
    const outcome = await importFile(older, ...options);
    expect(outcome.errors).toContain(before);
    expect(outcome.printed).toContain(after);
    expect(outcome.printed).toContain('mintmark reprice --from-start');
  }
  // What the ledger has already is not older history again.
  expect((await importFile(older)).printed).not.toContain('are older than');

  // Nobody can be asked here.
  const asked = await mintmark('reprice', '--from-start');
  expect(asked.code).toBe(2);
  expect(asked.errors).toContain(
    `Compute every price again from the first sale on (${ago(60)})? That is 59 sales of 60 days; 50 became known after the close of the day.`,
  );
  expect(asked.errors).toContain(`What was published from ${ago(10)} through ${ago(1)} stays readable`);
  expect(await pricedDays()).toBe(TODAY - 10);

  const done = await mintmark('reprice', '--from-start', '--yes', '--json');
  expect(done.code).toBe(0);
  expect(JSON.parse(done.printed)).toMatchObject({
    closedDay: ago(1),
    days: 0,
    continuedFrom: { version: '3', untilDay: ago(1) },
  });
  expect(await pricedDays()).toBe(TODAY - 60);
  expect((await mintmark('reprice', '--from-start', '--yes')).errors).toContain('would be the same');
});

test('sales of days that are closed are announced as counting from now on', async () => {
  const { printed } = await importFile(salesFile('late', 4, 2));
  expect(printed).toContain(
    `3 sales of pokemon are of days that are closed (the first is of ${ago(4)}): they count from now on; published days stay, in charts too.`,
  );
  // Of a day that is not closed yet.
  expect((await importFile(salesFile('new', 0, 0))).printed).not.toContain('are closed');
});

test('an older file that was undone before a close took it in is in no price from the first sale', async () => {
  const wrong = JSON.parse((await importFile(salesFile('wrong', 90, 70), '--json')).printed) as { importId: number };
  expect((await mintmark('imports', 'undo', String(wrong.importId), '--yes')).code).toBe(0);
  expect((await mintmark('reprice', '--from-start', '--yes')).errors).toContain('would be the same');
  const left = () => fresh.db.query('select state from card_states');
  const before = await left();
  // Now there is something to compute.
  expect((await importFile(salesFile('eldest', 65, 61))).code).toBe(0);
  expect((await mintmark('reprice', '--from-start', '--yes')).code).toBe(0);
  expect(await left()).not.toEqual(before);
  expect(await pricedDays()).toBe(TODAY - 65);
});

test('it is not combined with --reopen', async () => {
  const { code, errors } = await mintmark('reprice', '--from-start', '--reopen', ago(5));
  expect([code, errors]).toEqual([2, 'mintmark: --from-start and --reopen cannot be used together\n']);
});
