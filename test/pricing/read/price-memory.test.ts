import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { quotesOf } from '../../../src/pricing/read/quotes.ts';
import { anItem, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let fresh: FreshDatabase;
let itemId: string;
let reads = 0;
let failing = false;

beforeAll(async () => {
  fresh = await freshDatabase();
  itemId = await anItem(fresh.db);
  await manySales(fresh.db, { itemId });
  await closeDays(fresh.db);
});
afterAll(() => fresh.close());
beforeEach(() => {
  reads = 0;
});

/** A database with the memory of a server, which counts how often the markets are read. */
function counted() {
  const query = (async (text, values) => {
    if (text.includes('market_days')) reads++;
    if (text.includes('market_days') && failing) throw new Error('the connection was lost');
    return fresh.db.query(text, values);
  }) as Db['query'];
  return { ...fresh.db, query, prices: {} };
}

const many = (db: Db) => Promise.all(Array.from({ length: 8 }, () => quotesOf(db, [itemId])));

test('requests that come at once after a close read the markets once', async () => {
  const db = counted();
  const quotes = await many(db);
  expect(reads).toBe(1);
  for (const one of quotes) expect(one).toEqual(await quotesOf(fresh.db, [itemId]));
  await closeDays(fresh.db, '2026-06-30');
  await many(db);
  await many(db);
  expect(reads).toBe(2);
});

test('a reading that fails is not kept', async () => {
  const db = counted();
  failing = true;
  await expect(many(db)).rejects.toThrow('the connection was lost');
  failing = false;
  expect((await quotesOf(db, [itemId])).size).toBe(1);
});
