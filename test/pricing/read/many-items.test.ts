import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../src/db/client.ts';
import { parseDay } from '../../../src/lib/day.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { itemRows } from '../../../src/pricing/store/item-rows.ts';
import { anItem, aSet, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

const FIRST = parseDay('2026-05-31')!;

let database: FreshDatabase;
let ids: string[];
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  ids = [];
  for (let n = 1; n <= 250; n++) ids.push(await anItem(db, { set, number: String(n) }));
  for (const itemId of ids.slice(0, 20)) await manySales(db, { itemId, from: '2026-05-01', to: '2026-05-30' });
  await reprice(db, { through: FIRST });
  for (const itemId of ids) await manySales(db, { itemId, from: '2026-06-01', to: '2026-06-03', everyDays: 1 });
});
afterAll(() => database.close());

/** The database, which notes how many items each statement is for and calls `after` behind it. */
function watched(statements: number[], after: (count: number) => Promise<void> = async () => {}): Sql {
  const { db } = database;
  return {
    ...db,
    async prepared<Row extends object>(name: string, text: string, values: unknown[]) {
      const rows = await db.prepared<Row>(name, text, values as never);
      statements.push((values[0] as string[]).length);
      await after(statements.length);
      return rows;
    },
  } as Sql;
}

test('rows of many items with waiting sales are read by a hundred, as each by itself', async () => {
  const statements: number[] = [];
  const { last, items } = await itemRows(watched(statements), ids, null);
  expect(statements).toEqual([100, 100, 50]);
  expect(items.map(({ itemId }) => itemId).sort()).toEqual([...ids].sort());
  for (const item of [items.at(0)!, items.at(99)!, items.at(100)!, items.at(-1)!]) {
    expect(item.pending).toHaveLength(3);
    expect(await itemRows(database.db, [item.itemId], null)).toEqual({ last, items: [item] });
  }
});

test('rows are of one close: read again where one ran meanwhile, and by one statement where they go on running', async () => {
  const statements: number[] = [];
  const closeAfterFirst = async (count: number) => {
    if (count === 1) await reprice(database.db, { through: FIRST + 1 });
  };
  const once = await itemRows(watched(statements, closeAfterFirst), ids, null);
  expect(statements).toEqual([100, 100, 100, 100, 50]);
  expect(once.last!.day).toBe(FIRST + 1);
  expect(new Set(once.items.map(({ pending }) => pending.length))).toEqual(new Set([2]));

  statements.length = 0;
  let through = FIRST + 1;
  const closeEachTime = async () => {
    through++;
    await reprice(database.db, { through });
  };
  const often = await itemRows(watched(statements, closeEachTime), ids, null);
  expect(statements).toEqual([100, 100, 100, 100, 100, 100, 250]);
  expect(new Set(often.items.map(({ pending }) => pending.length)).size).toBe(1);
});
