import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { anItem, aSale } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

test('a close waits for an import that has begun, so that none of its sales is left behind', async () => {
  const { db } = fresh;
  const itemId = await anItem(db);
  const through = parseDay('2026-06-01')!;
  let closing: Promise<unknown> | undefined;
  let sales: number[] = [];
  await db.transaction(async (slow) => {
    // The import takes its number before the sale of another one, and commits after it.
    const first = await aSale(slow, { itemId, sold: '2026-05-01', source: 'slow' });
    sales = [first, await aSale(db, { itemId, sold: '2026-05-02', source: 'quick' })];
    expect(sales[0]).toBeLessThan(sales[1]!);
    closing = reprice(db, { through });
    await expect
      .poll(() => db.query(`select 1 from pg_locks where relation = 'sales'::regclass and not granted`))
      .toHaveLength(1);
  });
  expect(await closing).toMatchObject({ sales: 2, closedDay: through });
});
