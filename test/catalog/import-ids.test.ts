import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { UnreadableFile } from '../../src/catalog/formats/files.ts';
import { importIds } from '../../src/catalog/import-ids.ts';
import { externalIdsOf } from '../../src/items/external-ids-of-item.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

let database: FreshDatabase;
let charizard: string;
let blastoise: string;
let href: string;

beforeAll(async () => {
  database = await freshDatabase();
  const set = await aSet(database.db);
  charizard = await anItem(database.db, { set, number: '4', name: 'Charizard' });
  blastoise = await anItem(database.db, { set, number: '2', name: 'Blastoise' });
  href = `/card/pokemon/${set.segment}/2-blastoise-${blastoise.slice(0, 8)}`;
});
beforeEach(() => database.db.query('delete from item_sources'));
afterAll(() => database.close());

function importCsv(...rows: string[]) {
  const path = join(folderOfRun(), 'ids.csv');
  writeFileSync(path, ['item,space,id', ...rows].join('\n'));
  return importIds(database.db, path);
}

const idsOf = (itemId: string) => externalIdsOf(database.db, itemId);

test('adds ids by item id and by href; again it changes nothing', async () => {
  const rows = [
    `${charizard},psa-spec,544028`,
    `${charizard.toUpperCase()},tcgplayer,42382`,
    `${href}, psa-spec , "544029"`,
  ];
  for (let n = 0; n < 2; n++) {
    expect(await importCsv(...rows)).toEqual({ rows: 3, stored: 3, cleared: 0, shared: [], problems: [] });
    expect(await idsOf(charizard)).toEqual({ 'psa-spec': ['544028'], tcgplayer: ['42382'] });
    expect(await idsOf(blastoise)).toEqual({ 'psa-spec': ['544029'] });
  }
});

test('a file with another header leaves no import behind', async () => {
  const path = join(folderOfRun(), 'other.csv');
  writeFileSync(path, 'item,room,id\n');
  await expect(importIds(database.db, path)).rejects.toThrow(UnreadableFile);
  await importCsv();
  const own = `select finished_at is not null as done from imports where kind = 'ids' and files[1] like '%' || $1`;
  expect(await database.db.query(own, ['other.csv'])).toEqual([]);
  expect(await database.db.query(`${own} order by id desc limit 1`, ['/ids.csv'])).toEqual([{ done: true }]);
});

test('a later file replaces what an earlier one said of an item and a space, and nothing else', async () => {
  await importCsv(`${charizard},psa-spec,1`, `${charizard},psa-spec,2`, `${charizard},tcgplayer,3`);
  expect(await importCsv(`${charizard},psa-spec,2`)).toMatchObject({ stored: 1 });
  expect(await idsOf(charizard)).toEqual({ 'psa-spec': ['2'], tcgplayer: ['3'] });
  expect(await importCsv(`${charizard},psa-spec,`)).toMatchObject({ cleared: 1 });
  expect(await idsOf(charizard)).toEqual({ tcgplayer: ['3'] });
});

test('rows of one item that are far apart in the file are one list', async () => {
  const between = Array.from({ length: 5000 }, () => `${blastoise},tcgplayer,9`);
  await importCsv(`${charizard},psa-spec,1`, ...between, `${charizard},psa-spec,2`);
  expect(await idsOf(charizard)).toEqual({ 'psa-spec': ['1', '2'] });
});

test('an id of several items is reported, also where a catalog gave it to the other', async () => {
  await database.db.query(
    `insert into item_sources (space, source_id, item_id, import_id) select 'tcgplayer', '7', $1, max(id) from imports`,
    [blastoise],
  );
  const { shared } = await importCsv(`${charizard},psa-spec,1`, `${href},psa-spec,1`, `${charizard},tcgplayer,7`);
  expect(shared).toEqual(['psa-spec 1', 'tcgplayer 7']);
});

test('a row that cannot be used is reported with its line; the others count', async () => {
  const many = Array.from({ length: 31 }, (_, n) => `${charizard},tcgplayer,${n}`);
  const { problems, stored } = await importCsv(
    `${'0'.repeat(36)},psa-spec,1`,
    `${charizard},PSA spec,1`,
    `${charizard},psa-spec,${'9'.repeat(201)}`,
    `${charizard},psa-spec`,
    'nothing,psa-spec,1',
    ...many,
  );
  expect(stored).toBe(30);
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 37]);
  expect(problems[5]!.message).toContain('at most 30');
});
