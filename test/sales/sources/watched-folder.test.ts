import { chmod, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchedFolder } from '../../../src/sales/sources/watched-folder.ts';
import { anItem } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { NOW_MS, openEntries } from './world.ts';

let database: FreshDatabase;
let path: string;
let item: string;

beforeEach(async () => {
  database = await freshDatabase();
  path = await mkdtemp(join(tmpdir(), 'mintmark-folder-'));
  item = await anItem(database.db);
});
afterEach(async () => {
  await database.close();
  await rm(path, { recursive: true });
});

const folder = (more: object = {}): WatchedFolder =>
  openEntries(database.db, [{ id: 'drop', kind: 'watched-folder', path, ...more }]).folders[0]!;
const line = (id: string, day = '2026-06-20') => `${item},PSA,10,100.00,USD,${day},my-shop,${id}\n`;
const HEADER = 'item_id,company,grade,price,currency,sold_at,source,sale_id\n';

/** Puts a file there that was last changed `ageSeconds` before now. */
async function drop(name: string, text: string, ageSeconds = 60): Promise<void> {
  await writeFile(join(path, name), text);
  const at = NOW_MS / 1000 - ageSeconds;
  await utimes(join(path, name), at, at);
}

async function salesIds(): Promise<string[]> {
  const rows = await database.db.query<{ id: string }>('select source_sale_id as id from sales order by id');
  return rows.map(({ id }) => id);
}

describe('a watched folder', () => {
  test('imports each file once, also when it is renamed or another process looks', async () => {
    await drop('a.csv', HEADER + line('1') + line('2'));
    const one = folder();
    expect(await one.importNew(database.db, NOW_MS)).toMatchObject({ imported: [{ name: 'a.csv', rows: 2 }] });
    expect(await salesIds()).toEqual(['1', '2']);
    expect((await one.importNew(database.db, NOW_MS)).imported).toEqual([]);
    await rename(join(path, 'a.csv'), join(path, 'b.csv'));
    expect((await folder().importNew(database.db, NOW_MS)).imported).toEqual([]);
    expect(await database.db.query('select 1 from imports where kind = $1', ['sales'])).toHaveLength(1);
  });

  test('forgets a rejected file that was taken away, and reads it again when it comes back', async () => {
    const rejected = async () =>
      (await database.db.query<{ name: string }>('select name from watched_files where problem is not null')).map(
        ({ name }) => name,
      );
    const one = folder();
    await drop('a.csv', 'nonsense\n');
    expect((await one.importNew(database.db, NOW_MS)).rejected).toMatchObject([{ name: 'a.csv' }]);
    expect(await rejected()).toEqual(['a.csv']);
    await rename(join(path, 'a.csv'), join(path, 'b.csv'));
    expect((await one.importNew(database.db, NOW_MS)).rejected).toMatchObject([{ name: 'b.csv' }]);
    expect(await rejected()).toEqual(['b.csv']);
    await rm(join(path, 'b.csv'));
    await one.importNew(database.db, NOW_MS);
    expect(await rejected()).toEqual([]);
  });

  test('leaves a file alone that is being written, hidden, empty or of another kind', async () => {
    await drop('fresh.csv', HEADER + line('1'), 5);
    await drop('.hidden.csv', HEADER + line('2'));
    await drop('half.csv.part', HEADER + line('3'));
    await drop('empty.csv', '');
    expect((await folder().importNew(database.db, NOW_MS)).imported).toEqual([]);
    expect((await folder().importNew(database.db, NOW_MS + 30_000)).imported).toMatchObject([{ name: 'fresh.csv' }]);
  });

  test('imports a file again that has changed; rows that are known add nothing', async () => {
    const one = folder();
    await drop('a.csv', HEADER + line('1'));
    await one.importNew(database.db, NOW_MS);
    await drop('a.csv', HEADER + line('1') + line('2'), 50);
    expect((await one.importNew(database.db, NOW_MS)).imported).toMatchObject([{ name: 'a.csv', rows: 2 }]);
    expect(await salesIds()).toEqual(['1', '2']);
  });

  test('reports once a file that cannot be read, and imports the others', async () => {
    await drop('a.csv', 'colour,shape\nred,round\n');
    await drop('b.csv', HEADER + line('1'));
    const report = await folder().importNew(database.db, NOW_MS);
    expect(report).toMatchObject({ imported: [{ name: 'b.csv' }], rejected: [{ name: 'a.csv' }] });
    expect(report.rejected[0]!.problem).toContain('the header lacks price');
    expect((await folder().importNew(database.db, NOW_MS)).rejected).toEqual([]);
  });

  test('imports the others where one may not be read, and that one as soon as it may', async () => {
    await drop('a.csv', HEADER + line('1'));
    await drop('b.csv', HEADER + line('2'));
    await chmod(join(path, 'a.csv'), 0);
    await chmod(path, 0o755);
    const one = folder();
    const isRoot = process.geteuid!() === 0;
    // Root may read everything; another user cannot connect to the database, and needs connections that are there.
    const { db } = database;
    await db.session(() => db.session(() => db.session(async () => {})));
    if (isRoot) process.seteuid!(65_534);
    const report = await one.importNew(database.db, NOW_MS).finally(() => isRoot && process.seteuid!(0));
    expect(report).toMatchObject({
      imported: [{ name: 'b.csv' }],
      rejected: [{ name: 'a.csv', problem: expect.stringContaining('EACCES') }],
    });
    await chmod(join(path, 'a.csv'), 0o600);
    expect(await one.importNew(database.db, NOW_MS)).toMatchObject({ imported: [{ name: 'a.csv' }], rejected: [] });
  });

  test('reports a file of which no row can be used, and counts the rejected rows of others', async () => {
    const bad = line('1').replace('100.00', 'cheap');
    await drop('a.csv', HEADER + bad + line('2').replace('PSA', 'SGC'));
    await drop('b.csv', HEADER + bad + line('3'));
    await drop('c.csv', HEADER);
    expect(await folder().importNew(database.db, NOW_MS)).toMatchObject({
      imported: [
        { name: 'b.csv', rows: 2, rejectedRows: 1 },
        { name: 'c.csv', rows: 0 },
      ],
      rejected: [
        { name: 'a.csv', problem: expect.stringMatching(/^none of its 2 rows could be used \(.*bad_price 1.*\)$/) },
      ],
    });
    const asks = 'item_id,company,grade,price,currency,source,listing_id\n';
    await drop('asks.csv', `${asks}${item},PSA,10,cheap,USD,my-shop,1\n`);
    expect((await folder({ id: 'asks', tells: 'listing' }).importNew(database.db, NOW_MS)).rejected).toContainEqual({
      name: 'asks.csv',
      problem: 'its only row could not be used (bad_price 1)',
    });
  });

  test('takes asks too', async () => {
    await drop('asks.csv', `item_id,company,grade,price,currency,source,listing_id\n${item},PSA,10,90,USD,my-shop,1\n`);
    await folder({ tells: 'listing' }).importNew(database.db, NOW_MS);
    expect(await database.db.query('select 1 from listings')).toHaveLength(1);
  });

  test('that is not there is said', async () => {
    const report = await folder({ path: join(path, 'nowhere') }).importNew(database.db, NOW_MS);
    expect(report.unreadable).toContain('ENOENT');
  });

  test('two workers at once import it once', async () => {
    await drop('a.csv', HEADER + line('1'));
    const reports = await Promise.all([1, 2].map(() => folder().importNew(database.db, NOW_MS)));
    expect(reports.flatMap(({ imported }) => imported)).toHaveLength(1);
  });
});
