import { afterAll, beforeAll, expect, test } from 'vitest';
import { withLastSales } from '../../src/items/last-sales.ts';
import { anItem, aSale, aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

test('each unpriced grade of a card has its own last sale that counts; a priced one has none', async () => {
  const { db } = database;
  const itemId = await anItem(db);
  await aSale(db, { itemId, gradeKey: 'psa-9', sold: '2024-01-01', usdCents: 90_00 });
  await aSale(db, { itemId, gradeKey: 'psa-9', sold: '2024-02-01', usdCents: 1, rejection: 'absurd_price' });
  await aSale(db, { itemId, gradeKey: 'psa-10', sold: '2024-01-05', usdCents: 500_00 });
  const voided = await aSale(db, { itemId, gradeKey: 'psa-10', sold: '2024-03-01', usdCents: 700_00 });
  await aVoid(db, voided, 'unpaid', '2024-03-02');
  const grade = (label: string, priceUsdCents: number | null, lastSaleAt: string | null) => {
    return { id: itemId, company: 'PSA' as const, grade: label, priceUsdCents, lastSaleAt };
  };
  const found = await withLastSales(db, [
    grade('10', null, '2024-01-05T00:00:00.000Z'),
    grade('9', null, '2024-01-01T00:00:00.000Z'),
    grade('8', 40_00, '2024-01-01T00:00:00.000Z'),
    grade('7', null, null),
  ]);
  expect(found.map(({ lastSale }) => lastSale?.usdCents ?? null)).toEqual([500_00, 90_00, null, null]);
});
