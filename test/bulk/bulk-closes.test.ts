import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BulkFile, type BulkList, readLists } from '../../src/bulk/bulk-folder.ts';
import { makeBulk } from '../../src/bulk/make-bulk.ts';
import { SALES } from '../../src/bulk/tables/sales-table.ts';
import { SERIES } from '../../src/bulk/tables/series-table.ts';
import type { Db, Session } from '../../src/db/client.ts';
import { formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { anImport, anItem, aSale } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { builtProcess } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';
import { OPTIONS } from './bulk-options.ts';
import { digestOf, rowsIn } from './read-bulk.ts';

const DAYS = 75;
const market = syntheticMarket({ seed: 4, days: DAYS, cards: 30, sales: 600 });
let fresh: FreshDatabase;
let day = FIRST_DAY + DAYS;

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
}, 60_000);
afterAll(() => fresh.close());

const make = (folder: string, more: Partial<Parameters<typeof makeBulk>[0]> = {}) =>
  makeBulk({ ...OPTIONS, db: fresh.db, folder, ...more });

/** The name of a file without the beginning of its digest. */
const undigested = (name: string) => name.replace(/_[0-9a-f]{8}(?=\.)/, '');

/** The files of the newest list by kind and month, with the name of the NDJSON one. */
async function newestIn(folder: string): Promise<Record<string, string>> {
  const [list] = await readLists(folder);
  const lines = list!.files.filter(({ format }) => format === 'ndjson');
  return Object.fromEntries(
    lines.map(({ kind, month, name }) => [month === null ? kind : `${kind} ${month}`, undigested(name)]),
  );
}

async function close(): Promise<string> {
  await reprice(fresh.db, { through: ++day });
  return formatDay(day);
}

async function closeThrough(last: string): Promise<void> {
  while (formatDay(day) < last) await close();
}

test('nothing is made before the first close, nor twice for one', async () => {
  const folder = join(scratchFolder(), 'bulk');
  expect(await make(folder)).toBeNull();
  expect(existsSync(folder)).toBe(false);
  const closed = await close();
  expect(await make(folder)).toMatchObject({ day: closed, made: 3 * (2 + 3 + 3) + 1, kept: 0 });
  expect(await make(folder)).toBeNull();
});

test('the next close makes what changed; files with the same rows stay those they were', async () => {
  const folder = join(scratchFolder(), 'bulk');
  const first = await close();
  await make(folder);
  const before = await newestIn(folder);
  expect(Object.keys(before)).toEqual([
    'items',
    'prices',
    ...['series', 'sales'].flatMap((kind) => ['01', '02', '03'].map((month) => `${kind} 2024-${month}`)),
  ]);
  const second = await close();
  expect(await make(folder)).toMatchObject({ day: second, made: 3 * 2 + 1, kept: 3 * (1 + 2 + 3) });
  const changed = { prices: `prices_${second}.ndjson.gz`, 'series 2024-03': `series_2024-03_${second}.ndjson.gz` };
  expect(await newestIn(folder)).toEqual({ ...before, ...changed });

  // A sale of February is voided, a card is renamed, and another is withdrawn: its sales leave every month.
  const importId = await anImport(fresh.db);
  await fresh.db.query(
    `insert into sale_voids (sale_id, reason, known_at, known_day, import_id)
     select id, 'unpaid', to_timestamp($2 * 86400.0), $2, $1 from sales where sold_day = $3 limit 1`,
    [importId, day + 1, FIRST_DAY + 40],
  );
  await fresh.db.query(`update items set name = 'Renamed' where id = $1`, [itemIdOf(market[0]!.card)]);
  const third = await close();
  await make(folder);
  const voided = {
    items: `items_${third}.ndjson.gz`,
    prices: `prices_${third}.ndjson.gz`,
    'series 2024-03': `series_2024-03_${third}.ndjson.gz`,
    'sales 2024-02': `sales_2024-02_${third}.ndjson.gz`,
  };
  expect(await newestIn(folder)).toEqual({ ...before, ...voided });

  // Two closes are kept: what only the first one named is gone, what the third still names is not.
  const lists = await readLists(folder);
  expect(lists.map((list) => list.day)).toEqual([third, second]);
  const names = readdirSync(folder).map(undigested);
  expect(names).toContain(`items_${first}.ndjson.gz`);
  expect(names).not.toContain(`prices_${first}.ndjson.gz`);
  expect(names).toContain(before['sales 2024-01']);
  await close();
  await make(folder);
  expect(readdirSync(folder).map(undigested)).not.toContain(`items_${first}.ndjson.gz`);
});

test('a sale of an old day that is recorded late is in the file of its month', async () => {
  const folder = join(scratchFolder(), 'bulk');
  await close();
  await make(folder, { months: 1 });
  expect(Object.keys(await newestIn(folder))).toEqual(['items', 'prices', 'series 2024-03', 'sales 2024-03']);
  await make(folder, { months: 3 });
  await recordSales(fresh.db, [{ ...market[0]!, day: 3 }]);
  await close();
  const { made } = (await make(folder, { months: 3 }))!;
  // Months that no list had, and those that changed.
  expect(made).toBe(3 * (1 + 3 + 3) + 1 - 3);
  const before = await newestIn(folder);
  await recordSales(fresh.db, [{ ...market[0]!, day: 5 }]);
  const closed = await close();
  await make(folder, { months: 3 });
  const changed = ['prices', 'series 2024-03', 'sales 2024-01'];
  expect(await newestIn(folder)).toEqual({
    ...before,
    ...Object.fromEntries(changed.map((key) => [key, `${key.replace(' ', '_')}_${closed}.ndjson.gz`])),
  });
});

test('the file of a month that ends has all of its days, whichever of them lists were made on', async () => {
  const folder = join(scratchFolder(), 'bulk');
  const lastDayIn = async (month: string) => {
    const files = (await readLists(folder))[0]!.files.filter((file) => file.kind === 'series' && file.month === month);
    const rows = await rowsIn(folder, files.find(({ format }) => format === 'ndjson')!, SERIES);
    return rows.map((row) => String(row.day)).reduce((last, one) => (one > last ? one : last));
  };
  await closeThrough('2024-04-29');
  await make(folder);
  await closeThrough('2024-04-30');
  await make(folder);
  expect(await lastDayIn('2024-04')).toBe('2024-04-30');
  await closeThrough('2024-05-29');
  await make(folder);
  await closeThrough('2024-06-02');
  await make(folder);
  expect(await lastDayIn('2024-05')).toBe('2024-05-31');
});

test('sales of cards that leave the catalog are left out, also where as many come back', async () => {
  const folder = join(scratchFolder(), 'bulk');
  const cards = [await anItem(fresh.db, { number: '1' }), await anItem(fresh.db, { number: '2' })];
  for (const itemId of cards) await aSale(fresh.db, { itemId, sold: '2024-02-10', known: formatDay(day) });
  const withdraw = async (place: number) => {
    await fresh.db.query('update items set removed_at = case when id = $1 then now() end where id = any($2)', [
      cards[place] ?? null,
      cards,
    ]);
    await close();
    await make(folder);
    const files = (await readLists(folder))[0]!.files.filter((file) => file.kind === 'sales' && file.format === 'csv');
    const rows = await rowsIn(folder, files.find(({ month }) => month === '2024-02')!, SALES);
    return cards.filter((id) => rows.some((row) => row.itemId === id));
  };
  expect(await withdraw(0)).toEqual([cards[1]]);
  expect(await withdraw(1)).toEqual([cards[0]]);
  expect(await withdraw(2)).toEqual(cards);
});

test('a run that is stopped throws and publishes nothing; another process’s is waited for by nobody', async () => {
  const folder = join(scratchFolder(), 'bulk');
  await close();
  await expect(make(folder, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(readdirSync(folder)).toEqual([]);
  await fresh.db.session(async (session) => {
    await session.query('select pg_advisory_lock(714006)');
    expect(await make(folder)).toBeNull();
    await session.query('select pg_advisory_unlock(714006)');
  });
  expect(await make(folder)).toMatchObject({ kept: 0 });
});

test('the list of a close that was taken back goes, and that of the day before is the newest again', async () => {
  const folder = join(scratchFolder(), 'bulk');
  const closed = await close();
  await make(folder);
  const [list] = await readLists(folder);
  const ahead = formatDay(day + 30);
  writeFileSync(join(folder, `list-${ahead}.json`), JSON.stringify({ ...list, day: ahead, root: 'ff' }));
  expect(await make(folder)).toBeNull();
  expect((await readLists(folder)).map((one) => one.day)).toEqual([closed]);
});

test('a list of version 1 stays until the one that replaces it is complete', async () => {
  const folder = join(scratchFolder(), 'bulk');
  const closed = await close();
  await make(folder);
  const [{ root: _, ...list }] = (await readLists(folder)) as [BulkList];
  writeFileSync(join(folder, `list-${closed}.json`), JSON.stringify({ ...list, version: 1 }));
  await expect(make(folder, { leastFreeBytes: Number.MAX_SAFE_INTEGER })).rejects.toThrow();
  expect(await readLists(folder)).toEqual([{ ...list, version: 1 }]);
  // The connection of the fault, which has the lock, is closed a moment later.
  await vi.waitFor(async () => expect(await make(folder)).not.toBeNull(), 30_000);
  expect(await readLists(folder)).toMatchObject([{ version: 2, day: closed, root: expect.any(String) }]);
});

test('lists of closes that others took the place of, after a restore, go, and none of their files is kept', async () => {
  const folder = join(scratchFolder(), 'bulk');
  await close();
  await make(folder);
  const restored = await freshDatabase();
  await catalogCards(restored.db, market);
  await recordSales(restored.db, market.slice(0, 500));
  await reprice(restored.db, { through: day });
  const again = await make(folder, { db: restored.db });
  expect(again).toMatchObject({ day: formatDay(day) });
  const elsewhere = join(scratchFolder(), 'bulk');
  await make(elsewhere, { db: restored.db });
  const [[list, ...others], [expected]] = [await readLists(folder), await readLists(elsewhere)];
  expect(others).toEqual([]);
  expect(list!.files).toEqual(expected!.files);
  await restored.close();
});

test('a disk that is nearly full is left as it was, with what to do', async () => {
  const folder = join(scratchFolder(), 'bulk');
  await close();
  await expect(make(folder, { leastFreeBytes: 1e18 })).rejects.toThrow('set BULK_KEEP or BULK_MONTHS lower');
  expect(readdirSync(folder)).toEqual([]);
  // The connection of the fault, which has the lock, is closed a moment later.
  await vi.waitFor(async () => expect(await make(folder, { leastFreeBytes: 1 })).toMatchObject({ kept: 0 }), 30_000);
});

test('what is recorded while files are made is in those of the next close, in none of these', async () => {
  const folder = join(scratchFolder(), 'bulk');
  await close();
  let recorded = false;
  const session: Db['session'] = (work) =>
    fresh.db.session((real) => {
      const query: Session['query'] = async (text, values) => {
        if (!recorded && text.startsWith('declare')) {
          recorded = true;
          await aSale(fresh.db, { itemId: itemIdOf(1), sold: formatDay(day - 1), usdCents: 12_34 });
        }
        return await real.query(text, values);
      };
      return work({ ...real, query });
    });
  const rowsOfSales = async () =>
    (await readLists(folder))[0]!.files
      .filter(({ kind, format }) => kind === 'sales' && format === 'csv')
      .reduce((sum, { rows }) => sum + rows, 0);
  const [{ count }] = (await fresh.db.query('select count(*)::int as count from sales')) as [{ count: number }];
  await make(folder, { db: { ...fresh.db, session } });
  expect([recorded, await rowsOfSales()]).toEqual([true, count]);
  await close();
  await make(folder);
  expect(await rowsOfSales()).toBe(count + 1);
});

/** Files of all lists that are not there as the list says. */
async function brokenIn(folder: string): Promise<BulkFile[]> {
  const files = (await readLists(folder)).flatMap((list) => list.files);
  return files.filter(({ name, sha256 }) => !existsSync(join(folder, name)) || digestOf(join(folder, name)) !== sha256);
}

test('killed at any moment, every list names files that are whole, and the next run leaves nothing else', {
  timeout: 240_000,
}, async () => {
  const folder = join(scratchFolder(), 'bulk');
  let published = 0;
  let cutOff = 0;
  for (let kill = 0; kill < 24; kill++) {
    await close();
    const before = (await readLists(folder)).length === 0 ? null : (await readLists(folder))[0]!.day;
    const args = [builtProcess('bulk/bulk-process'), JSON.stringify(fresh.connection), folder];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    await Promise.race([sleep(kill * 25), ended]);
    child.kill('SIGKILL');
    await ended;
    expect(await brokenIn(folder)).toEqual([]);
    const [after] = await readLists(folder);
    if (after !== undefined && after.day !== before) published++;
    else cutOff++;
  }
  expect(cutOff).toBeGreaterThan(3);
  // The lock of a killed process goes with its connection.
  await close();
  await expect.poll(() => make(folder), { timeout: 20_000 }).not.toBeNull();
  expect(await brokenIn(folder)).toEqual([]);
  const lists = await readLists(folder);
  const named = lists.flatMap(({ day, files }) => [`list-${day}.json`, ...files.map(({ name }) => name)]);
  expect(readdirSync(folder).sort()).toEqual([...new Set(named)].sort());
  expect(published + cutOff).toBe(24);
});
