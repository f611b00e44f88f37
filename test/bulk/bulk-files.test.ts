import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BulkFile, type BulkList, readLists } from '../../src/bulk/bulk-folder.ts';
import type { FileTable } from '../../src/bulk/file-table.ts';
import { makeBulk } from '../../src/bulk/make-bulk.ts';
import { ITEMS } from '../../src/bulk/tables/items-table.ts';
import { PRICES } from '../../src/bulk/tables/prices-table.ts';
import { SALES } from '../../src/bulk/tables/sales-table.ts';
import { SERIES } from '../../src/bulk/tables/series-table.ts';
import { formatDay } from '../../src/lib/day.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { quotesAsOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { FIRST_DAY, itemIdOf } from '../pricing/ledger.ts';
import { BUSY, catalogBusy, certify, importLate, LAST_DAY } from '../record/busy-ledger.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { scratchFolder } from '../support/scratch.ts';
import { OPTIONS } from './bulk-options.ts';
import { digestOf, type PlainRow, rowsIn, rowsInPack } from './read-bulk.ts';

const TABLES = { items: ITEMS, prices: PRICES, series: SERIES, sales: SALES };
const ITEM_IDS = [...new Set(BUSY.map(({ card }) => itemIdOf(card)))].sort();
const WITHDRAWN = itemIdOf(BUSY[7]!.card);
const folder = scratchFolder();
let fresh: FreshDatabase;
let service: TestApp;
let list: BulkList;

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogBusy(fresh.db);
  await certify(fresh.db, ITEM_IDS, 'psa-9');
  await reprice(fresh.db, { through: FIRST_DAY + 50 });
  await importLate(fresh.db);
  await fresh.db.query('update sales set url = $1, cert = id::text where id % 3 = 0', [
    'https://market.example/"a",\n',
  ]);
  await fresh.db.query('update items set removed_at = now() where id = $1', [WITHDRAWN]);
  await reprice(fresh.db, { through: LAST_DAY });
  service = await testApp(fresh.db, { today: '2024-04-10' });
  await makeBulk({ ...OPTIONS, db: fresh.db, folder, sign: service.context.fingerprint });
  [list] = (await readLists(folder)) as [BulkList];
}, 240_000);
afterAll(async () => {
  await service.app.close();
  await fresh.close();
});

const filesOf = (kind: BulkFile['kind'], format?: BulkFile['format']) =>
  list.files.filter((file) => file.kind === kind && (format === undefined || file.format === format));

/** All rows of a kind, of every month, in the order of their key. */
async function all(table: FileTable): Promise<PlainRow[]> {
  const rows = [];
  for (const file of filesOf(table.kind, 'ndjson')) rows.push(...(await rowsIn(folder, file, table)));
  return rows.sort((a, b) => (keyOf(table, a) < keyOf(table, b) ? -1 : 1));
}

function keyOf({ key }: FileTable, row: PlainRow): string {
  return key.map((name) => (typeof row[name] === 'number' ? String(row[name]).padStart(12) : row[name])).join(' ');
}

describe('the files of a close', () => {
  test('are those that the list names, with their size and digest, and nothing else', () => {
    expect(readdirSync(folder).sort()).toEqual(
      [`list-${formatDay(LAST_DAY)}.json`, ...list.files.map(({ name }) => name)].sort(),
    );
    expect(list.files.map(({ name }) => digestOf(join(folder, name)))).toEqual(list.files.map(({ sha256 }) => sha256));
    for (const { name, sha256 } of list.files) expect(name).toContain(`_${sha256.slice(0, 8)}.`);
    expect(filesOf('series', 'csv').map(({ month }) => month)).toEqual(['2024-01', '2024-02', '2024-03', '2024-04']);
    expect(list.files).toHaveLength(3 * (1 + 1 + 4 + 4) + 1);
  });

  test('have the same rows in every format, in the order of their key', async () => {
    for (const table of Object.values(TABLES))
      for (const file of filesOf(table.kind, 'ndjson')) {
        const rows = await rowsIn(folder, file, table);
        expect(rows.length).toBe(file.rows);
        expect(Object.keys(rows[0]!)).toEqual(table.columns.map(({ name }) => name));
        for (const format of ['csv', 'parquet'] as const) {
          const other = filesOf(table.kind, format).find(({ month }) => month === file.month)!;
          expect(await rowsIn(folder, other, table), other.name).toEqual(rows);
        }
        const keys = rows.map((row) => keyOf(table, row));
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys).toEqual([...keys].sort());
      }
  });

  test('items: the cards of the catalog as the API names them, without one that was withdrawn', async () => {
    const rows = await all(ITEMS);
    expect(rows.map(({ id }) => id)).toEqual(ITEM_IDS.filter((id) => id !== WITHDRAWN));
    for (const row of rows.slice(0, 5)) {
      const { json } = await service.get(`/v1/items/by-id/${row.id}`);
      const { id, game, name, setName, setCode, cardNumber, printedNumber, year, language, variation } = json;
      expect(row).toMatchObject({
        id,
        game,
        name,
        setName,
        setCode,
        cardNumber,
        printedNumber,
        year,
        language,
        variation,
      });
      expect((await service.get(String(row.href))).status).toBe(200);
    }
  });

  test('prices: every price of the close, to the cent, with its ranges', async () => {
    const quotes = [...(await quotesAsOf(fresh.db, ITEM_IDS, LAST_DAY)).values()].flat();
    const priced = quotes.filter(({ priceUsdCents, itemId }) => priceUsdCents !== null && itemId !== WITHDRAWN);
    const expected = priced.map((quote) => ({
      itemId: quote.itemId,
      gradeToken: quote.gradeKey,
      day: formatDay(LAST_DAY),
      priceUsdCents: quote.priceUsdCents,
      lowUsdCents: quote.lowUsdCents,
      highUsdCents: quote.highUsdCents,
      nextSaleLowUsdCents: quote.nextSaleRange!.lowUsdCents,
      nextSaleHighUsdCents: quote.nextSaleRange!.highUsdCents,
      confidenceScore: quote.confidenceScore,
      estimated: quote.estimated,
      delta7Pct: quote.delta7Pct,
      observationCount: quote.observationCount,
      lastSaleAt: quote.lastSaleAtMs === null ? null : new Date(quote.lastSaleAtMs).toISOString(),
    }));
    const order = (a: { itemId: unknown; gradeToken: unknown }, b: typeof a) =>
      `${a.itemId} ${a.gradeToken}` < `${b.itemId} ${b.gradeToken}` ? -1 : 1;
    const rows = await all(PRICES);
    expect(rows).toHaveLength(expected.length);
    expect(rows).toMatchObject(expected.sort(order));
    expect(new Set(rows.map(({ estimated }) => estimated))).toEqual(new Set([true, false]));
  });

  test('series: the daily line of each card and grade, every day that has a price', async () => {
    const byLine = groupBy(await all(SERIES), ({ itemId, gradeToken }) => `${itemId} ${gradeToken}`);
    const quotes = [...(await quotesAsOf(fresh.db, ITEM_IDS, LAST_DAY)).values()].flat();
    let points = 0;
    for (const { itemId, gradeKey } of quotes.filter((quote) => quote.itemId !== WITHDRAWN)) {
      const line = await dailyLine(fresh.db, itemId, gradeKey, FIRST_DAY, LAST_DAY);
      const priced = line.filter(({ usdCents }) => usdCents !== null);
      points += priced.length;
      const found = byLine.get(`${itemId} ${gradeKey}`) ?? [];
      expect(
        found.map(({ day, priceUsdCents, lowUsdCents, highUsdCents }) => [
          day,
          priceUsdCents,
          lowUsdCents,
          highUsdCents,
        ]),
      ).toEqual(
        priced.map(({ day, usdCents, lowUsdCents, highUsdCents }) => [
          formatDay(day),
          usdCents,
          lowUsdCents,
          highUsdCents,
        ]),
      );
    }
    expect([...byLine.values()].reduce((sum, line) => sum + line.length, 0)).toBe(points);
    expect(points).toBeGreaterThan(1000);
  });

  test('sales: what trades shows of every card, rejected ones with the reason, and no cert number', async () => {
    const rows = await all(SALES);
    let count = 0;
    for (const itemId of ITEM_IDS.filter((id) => id !== WITHDRAWN)) {
      const { json } = await service.get(`/v1/items/by-id/${itemId}/trades?scope=all&limit=200`);
      const own = rows.filter((row) => row.itemId === itemId);
      count += own.length;
      expect(own).toHaveLength(json.total);
      const shown = own.map(({ id: _id, itemId: _item, gradeToken: _grade, soldAt, ...row }) => ({
        ...row,
        observedAt: soldAt,
      }));
      expect(json.trades.reverse()).toMatchObject(shown);
    }
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ disposition }) => disposition))).toContain('refused');
    expect(rows.some(({ sourceUrl }) => sourceUrl === 'https://market.example/"a",\n')).toBe(true);
    expect(
      rows.filter(({ certHash }) => certHash !== null).every(({ certHash }) => String(certHash).length === 22),
    ).toBe(true);
  });

  test('the pack: one SQLite database with all of it, which other programs read', async () => {
    const path = join(folder, filesOf('pack')[0]!.name);
    for (const table of [ITEMS, PRICES, SALES]) expect(rowsInPack(path, table), table.kind).toEqual(await all(table));
    const month = (await all(SERIES)).filter(({ day }) => String(day) > formatDay(LAST_DAY - 31));
    expect(rowsInPack(path, SERIES)).toEqual(month);
    const script = `import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); print(db.execute('pragma integrity_check').fetchone()[0],
      db.execute("select count(*) from items").fetchone()[0], db.execute("select value from about where name = 'day'").fetchone()[0])`;
    const { stdout } = spawnSync('python3', ['-c', script, path], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(`ok ${ITEM_IDS.length - 1} ${formatDay(LAST_DAY)}`);
  });
});
