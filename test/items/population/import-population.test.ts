import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { importPopulation } from '../../../src/items/population/import-population.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { folderOfRun } from '../../support/database/run-folder.ts';

const NOW = Date.parse('2026-07-01T10:00:00Z');

let database: FreshDatabase;
let api: TestApp;
let charizard: string;
let blastoise: string;
let href: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  charizard = await anItem(db, { set });
  blastoise = await anItem(db, { set, number: '2', name: 'Blastoise' });
  href = `/card/pokemon/${set.segment}/2-blastoise-${blastoise.slice(0, 8)}`;
  for (const gradeKey of ['psa-10', 'raw-A']) await manySales(db, { itemId: charizard, gradeKey });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

function importCsv(header: string, ...rows: string[]) {
  const path = join(folderOfRun(), 'population.csv');
  writeFileSync(path, [header, ...rows].join('\n'));
  return importPopulation(database.db, path, { nowMs: NOW });
}

const HEADER = 'item,company,grade,day,count';
const report = (day: string, ...counts: [grade: string, count: number][]) =>
  counts.map(([grade, count]) => `${charizard},PSA,${grade},${day},${count}`);
const at = async (grade: string, query = '') =>
  (await api.get(`/v1/items/pokemon/base-base1/4-charizard-${grade}-${charizard.slice(0, 8)}${query}`)).json.population;

test('is in the detail of each grade of its company, of the newest report; again it changes nothing', async () => {
  expect(await at('psa-10')).toBeNull();
  const first = report('2026-05-01', ['8', 20], ['9', 60], ['GEM MT 10', 19], ['Authentic', 1]);
  expect(await importCsv(HEADER, ...first)).toEqual({ rows: 4, stored: 4, unchanged: 0, problems: [] });
  expect(await importCsv(HEADER, ...first)).toEqual({ rows: 4, stored: 0, unchanged: 4, problems: [] });
  await importCsv(HEADER, ...report('2026-06-10', ['9', 75], ['10', 25]), ...report('2026-05-25', ['9', 61]));
  const psa9 = await at('psa-9');
  expect(psa9).toMatchObject({
    total: 100,
    atGrade: 75,
    higher: 25,
    asOf: '2026-06-10',
    source: 'psa',
    growth: { since: '2026-05-01', added: 0 },
  });
  expect(psa9.gemRate.value).toBe(0.25);
  expect(psa9.gemRate.low).toBeCloseTo(0.1755, 3);
  expect(await at('psa-10')).toMatchObject({ atGrade: 25, higher: 0 });
  expect(await at('psa-10', '?asOf=2026-05-20')).toMatchObject({ atGrade: 19, total: 100, growth: null });
  expect(await at('bgs-9')).toBeNull();
  expect(await at('raw-A')).toBeNull();
});

test('is on the page of the card and in its Markdown; the page of an ungraded card has none', async () => {
  await importCsv(HEADER, ...report('2026-06-25', ['9', 1075], ['10', 25]));
  const page = (grade: string) => api.get(`/card/pokemon/base-base1/4-charizard-${grade}-${charizard.slice(0, 8)}`);
  const words =
    '1,100 of PSA, 25 of them in PSA 10 and 0 higher; 2.3% graded 10 (1.5% to 3.3%); 1,039 more since 25 May 2026';
  expect((await page('psa-10')).text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain(`Slabs ${words}`);
  const path = `/card/pokemon/base-base1/4-charizard-psa-10-${charizard.slice(0, 8)}.md`;
  expect((await api.get(path)).text).toContain(`- Slabs: ${words}; as of 25 Jun 2026`);
  expect((await page('raw-A')).text).not.toContain('of PSA');
});

test('a count of a day is never changed, not by a file and not in the database', async () => {
  await importCsv(HEADER, `${href},CGC,9,2026-06-01,5`);
  const again = await importCsv(HEADER, `${href},CGC,9,2026-06-01,6`, `${href},CGC,9.5,2026-06-01,1`);
  expect(again).toMatchObject({ stored: 1, problems: [{ line: 2, message: expect.stringContaining('has 5') }] });
  const twice = await importCsv(HEADER, `${href},CGC,8,2026-06-01,1`, `${href},CGC,8.0,2026-06-01,2`);
  expect(twice).toMatchObject({ stored: 1, problems: [{ line: 3 }] });
  await expect(database.db.query('update populations set count = 1')).rejects.toThrow(/append-only/);
  await expect(database.db.query('delete from populations')).rejects.toThrow(/append-only/);
});

test('a file with another header leaves no import behind', async () => {
  await expect(importCsv('item,company,grade,week,count')).rejects.toThrow(UnreadableFile);
  const open = `select from imports where kind = 'population' and finished_at is null`;
  expect(await database.db.query(open)).toEqual([]);
});

test('a row that cannot be used is reported with its line; the others count', async () => {
  const { problems, stored } = await importCsv(
    `${HEADER},source`,
    `${'0'.repeat(36)},PSA,10,2026-06-20,1,`,
    `${charizard},SGC,10,2026-06-20,1,`,
    `${charizard},Raw,A,2026-06-20,1,`,
    `${charizard},PSA,,2026-06-20,1,`,
    `${charizard},PSA,10,2026-07-02,1,`,
    `${charizard},PSA,10,20.6.2026,1,`,
    `${charizard},PSA,10,2026-06-20,-1,`,
    `${charizard},PSA,10,2026-06-20,100000001,`,
    `${charizard},PSA,10,2026-06-20,1,Gem Rate`,
    `${charizard},PSA,10,2026-06-20,1`,
    `${charizard},PSA,10,2026-06-28,7,gemrate`,
  );
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(stored).toBe(1);
  expect(await at('psa-10')).toMatchObject({ atGrade: 7, source: 'gemrate', asOf: '2026-06-28' });
});
