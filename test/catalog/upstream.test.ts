import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importUpstream } from '../../src/catalog/upstream.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let folder: string;
let charizard: string;
let blastoise: string;
let href: string;

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'mintmark-upstream-'));
  const set = await aSet(database.db);
  charizard = await anItem(database.db, { set, number: '4', name: 'Charizard' });
  blastoise = await anItem(database.db, { set, number: '2', name: 'Blastoise' });
  href = `/card/pokemon/${set.segment}/2-blastoise-${blastoise.slice(0, 8)}`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.close();
});

function importCsv(text: string) {
  const path = join(folder, 'upstream.csv');
  writeFileSync(path, text);
  return importUpstream(database.db, path);
}

const upstreamIds = () =>
  database.db.query<{ name: string; id: string | null }>(
    'select name, upstream_item_id as id from items order by name desc',
  );

describe('import of upstream ids', () => {
  test('maps items by id and by href, and again changes nothing', async () => {
    const csv = `item,upstream_id\n${charizard},INV-1\n${href},INV-2\n`;
    expect(await importCsv(csv)).toMatchObject({ rows: 2, mapped: 2, unchanged: 0, problems: [] });
    expect(await upstreamIds()).toEqual([
      { name: 'Charizard', id: 'INV-1' },
      { name: 'Blastoise', id: 'INV-2' },
    ]);
    expect(await importCsv(csv)).toMatchObject({ mapped: 0, unchanged: 2 });
  });

  test('an empty upstream id takes the mapping away', async () => {
    await importCsv(`item,upstream_id\n${charizard},INV-1\n`);
    expect(await importCsv(`item,upstream_id\n${charizard},\n`)).toMatchObject({ mapped: 1 });
    expect((await upstreamIds())[0]!.id).toBeNull();
  });

  test('space around cells, quotes behind it, and blank lines do not count', async () => {
    const rows = ['item , upstream_id', `${charizard}, "INV-3" `, ' ', `"${blastoise}", INV-4`, ''];
    expect(await importCsv(rows.join('\r\n'))).toMatchObject({ rows: 2, mapped: 2, problems: [] });
    expect((await upstreamIds()).map(({ id }) => id)).toEqual(['INV-3', 'INV-4']);
  });

  test('a row that cannot be used is rejected with its line; the others count', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const rows = [
      'item,upstream_id',
      `${charizard},INV-9`,
      'nonsense,X',
      `${unknown},X`,
      `${charizard},a b`,
      `${blastoise},INV-9`,
      'x',
    ];
    const report = await importCsv(rows.join('\n'));
    expect(report).toMatchObject({ rows: 6, mapped: 1 });
    expect(report.problems.map(({ line }) => line).sort()).toEqual([3, 4, 5, 6, 7]);
  });

  test('a file with another header, or none, imports nothing', async () => {
    await expect(importCsv(`id,upstream\n${charizard},INV-7\n`)).rejects.toThrow(
      /line 1: the header lacks item, upstream_id/,
    );
    await expect(importCsv('')).rejects.toThrow(/empty/);
  });
});
