import { afterAll, beforeAll, expect, test } from 'vitest';
import { itemRows } from '../../../src/pricing/store/item-rows.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

/** A node of a plan that PostgreSQL has executed; rows are those of one of `Actual Loops` runs. */
type PlanNode = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

let fresh: FreshDatabase;
let itemId: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  itemId = await anItem(fresh.db);
  // 2,000 sales of one series, ten on each of two hundred days; the other cards have 60 in three grades.
  for (let i = 0; i < 10; i++)
    await manySales(fresh.db, { itemId, from: '2025-12-11', everyDays: 1, usdCents: 100_00 + i });
  const set = await aSet(fresh.db, { name: 'Others', code: 'oth' });
  for (let number = 1; number <= 200; number++) {
    const other = await anItem(fresh.db, { set, number: String(number) });
    for (const gradeKey of ['psa-10', 'psa-9', 'raw-A'])
      await manySales(fresh.db, { itemId: other, gradeKey, from: '2025-12-11', everyDays: 10 });
  }
  await closeDays(fresh.db);
  await fresh.db.query('vacuum analyze');
});
afterAll(() => fresh.close());

/** Rows of `sales` that a plan reads. */
function salesRead(node: PlanNode): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0, Plans = [] } = node;
  const own = node['Relation Name'] === 'sales' ? (rows + removed) * loops : 0;
  return Plans.reduce((sum, inner) => sum + salesRead(inner), own);
}

test('the price of a card reads none of the sales that a close has taken in', async () => {
  await fresh.db.session(async (session) => {
    await itemRows(session, [itemId], null);
    // What a server arrives at after a few reads: the plan for any card.
    await session.query('set plan_cache_mode = force_generic_plan');
    const [row] = await session.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) execute pricing_rows_of_one('{${itemId}}', null)`,
    );
    expect(salesRead(row!['QUERY PLAN'][0].Plan)).toBe(0);
  });
});
