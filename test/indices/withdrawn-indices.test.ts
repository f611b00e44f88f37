import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeIndices } from '../../src/indices/close/close.ts';
import { parseDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anIndex, aSale, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
/** A constituent that moved more than any other. */
let gone: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const items = await anIndex(db, { cards: 30, day: '2026-06-26' });
  gone = items[19]!;
  for (const sold of ['2026-06-26', '2026-06-27', '2026-06-28'])
    for (const source of ['ebay', 'house']) await aSale(db, { itemId: gone, sold, usdCents: 400_00, source });
  await closeThrough('2026-06-28');
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

async function closeThrough(day: string): Promise<void> {
  await closeDays(database.db, day);
  await closeIndices(database.db, { through: parseDay(day)! });
}

/** Which views show the card; the page of the index is made of the first two. */
async function shownIn(): Promise<Record<string, boolean>> {
  const id8 = gone.slice(0, 8);
  const shown: Record<string, boolean> = {};
  for (const path of [
    '/v1/indices',
    '/v1/indices/pokemon',
    '/v1/indices/pokemon/prices.csv',
    '/v1/items/featured?limit=48',
    '/movers.xml',
  ])
    shown[path] = (await api.get(path)).text.includes(id8);
  return shown;
}

test('a withdrawn card is a constituent, mover and featured card through the last close, and none from the next one on', async () => {
  const before = await shownIn();
  expect(before).toEqual(Object.fromEntries(Object.keys(before).map((path) => [path, true])));
  const { json: wasTile } = await api.get('/v1/indices/pokemon');
  await database.db.query('update items set removed_at = now() where id = $1', [gone]);
  await closeThrough('2026-06-29');
  expect(await shownIn()).toEqual(Object.fromEntries(Object.keys(before).map((path) => [path, false])));
  const { json: tile } = await api.get('/v1/indices/pokemon');
  expect(tile.constituentCount).toBe(wasTile.constituentCount - 1);
  expect(tile.constituents).toHaveLength(tile.constituentCount);
  expect(tile.topMovers).toHaveLength(3);
  // Weights are scaled up, and the level of the day before is published as it was.
  expect(tile.constituents.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0)).toBeCloseTo(1, 12);
  const levelsOf = (json: { sparkline: { t: string; value: number }[] }) => json.sparkline.slice(-3);
  expect(levelsOf(tile)[1]).toEqual(levelsOf(wasTile)[2]);
  const { text } = await api.get('/v1/indices/pokemon/baskets.csv');
  const row = text.split('\n').findLast((line) => line.includes(gone));
  expect(row).toMatch(/2026-06-29\r?$/);
});
