import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { openPriceShelf } from '../../../src/pricing/read/kept-prices.ts';
import { readListPrices } from '../../../src/pricing/read/list-prices.ts';
import { quotesOf, seriesPricesOf } from '../../../src/pricing/read/quotes.ts';
import { shownQuote } from '../../../src/pricing/read/series-quote.ts';
import { testApp } from '../../support/app.ts';
import { anItem, aSale, closeDays, manySales } from '../../support/builders.ts';
import { freshDatabase } from '../../support/database/database.ts';

const fresh = await freshDatabase();
afterAll(() => fresh.close());

const items = [await anItem(fresh.db), await anItem(fresh.db), await anItem(fresh.db)];
for (const itemId of items) await manySales(fresh.db, { itemId });
await closeDays(fresh.db);

/** Ids of each statement that read prices. */
let reads: string[][];
beforeEach(() => {
  reads = [];
});

/** A database with the shelf of a server, and what a test does while prices are read. */
function served({ megabytes = 8, meanwhile = async () => {} } = {}) {
  const shelf = openPriceShelf(megabytes);
  const prepared = (async (name, text, values) => {
    if (!name.startsWith('pricing_rows')) return fresh.db.prepared(name, text, values);
    reads.push(values![0] as string[]);
    const rows = await fresh.db.prepared(name, text, values);
    await meanwhile();
    return rows;
  }) as Db['prepared'];
  return { ...fresh.db, prepared, prices: { shelf } };
}

const priceOf = async (db: Db, id: string) => (await seriesPricesOf(db, [id])).get(id)?.[0]?.priceUsdCents;
const trueQuotes = async (ids: readonly string[]) => Object.fromEntries(await quotesOf(fresh.db, ids));
async function listQuotes(db: Db, ids: readonly string[]) {
  const byItem = await seriesPricesOf(db, ids);
  return Object.fromEntries([...byItem].map(([id, series]) => [id, series.map(shownQuote)]));
}

test('an item is read once; of a list, only those that are not kept', async () => {
  const db = served();
  expect(await listQuotes(db, items.slice(0, 2))).toEqual(await trueQuotes(items.slice(0, 2)));
  expect(await listQuotes(db, items)).toEqual(await trueQuotes(items));
  expect(await listQuotes(db, [...items, ...items])).toEqual(await trueQuotes(items));
  expect(reads).toEqual([items.slice(0, 2), items.slice(2)]);
});

test('an item that never sold is kept too; an id that no item has is looked for each time', async () => {
  const db = served();
  const [unsold, unknown] = [await anItem(fresh.db), randomUUID()];
  for (let i = 0; i < 2; i++) expect((await seriesPricesOf(db, [unsold, unknown])).size).toBe(0);
  expect(reads).toEqual([[unsold, unknown], [unknown]]);
  // Alone it says nothing of a close, which those that are kept are of.
  expect((await readListPrices(db, [unknown, items[0]!], null)).day).not.toBeNull();
  expect((await readListPrices(db, [unknown, items[0]!], null)).day).not.toBeNull();
});

test('quotes of a card itself are read each time', async () => {
  const db = served();
  for (let i = 0; i < 2; i++) await quotesOf(db, [items[0]!]);
  expect(reads).toHaveLength(2);
});

test('what was read before everything was forgotten is not kept', async () => {
  let clears = 0;
  const db = served({
    meanwhile: async () => {
      if (clears++ === 0) db.prices.shelf!.clear();
    },
  });
  for (let i = 0; i < 3; i++) await priceOf(db, items[0]!);
  expect(reads).toHaveLength(2);
});

test('prices of one answer are of one close, also before its notice comes', async () => {
  const db = served();
  const before = await priceOf(db, items[0]!);
  await manySales(fresh.db, { itemId: items[0]!, usdCents: 900_00, from: '2026-06-30', to: '2026-07-19' });
  await closeDays(fresh.db, '2026-07-20');
  expect(await priceOf(db, items[0]!)).toBe(before);
  const both = await listQuotes(db, items.slice(0, 2));
  expect(both).toEqual(await trueQuotes(items.slice(0, 2)));
  expect(both[items[0]!]![0]!.priceUsdCents).not.toBe(before);
  expect(reads).toEqual([[items[0]], [items[1]], items.slice(0, 2)]);
});

test('without memory for it everything is read each time', async () => {
  const db = served({ megabytes: 0 });
  for (let i = 0; i < 2; i++) await priceOf(db, items[0]!);
  expect(reads).toHaveLength(2);
});

test('items that have no room are read again', async () => {
  const db = served({ megabytes: 0.001 });
  for (let i = 0; i < 2; i++) expect(await listQuotes(db, items)).toEqual(await trueQuotes(items));
  expect(reads).toHaveLength(2);
});

test('a server with a cache shows a sale in its lists as soon as its import says so', async () => {
  const api = await testApp(fresh.db, { cacheMb: 8 });
  const id = items[2]!;
  const summary = async (n: number) => {
    const [card] = (await api.get(`/v1/items/summaries?ids=${[...Array(n).fill(items[1]), id]}`)).json.slice(-1);
    return card.lastSaleAt;
  };
  const first = await summary(1);
  await aSale(fresh.db, { itemId: id, sold: '2026-07-21' });
  expect(await summary(2)).toBe(first);
  await fresh.db.query(`select pg_notify('sales', '')`);
  await expect.poll(() => summary(3)).toBe('2026-07-21T00:00:00.000Z');
});
