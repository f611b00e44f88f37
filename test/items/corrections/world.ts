import type { Db } from '../../../src/db/client.ts';
import { parseDay } from '../../../src/lib/day.ts';
import { dailyLine } from '../../../src/pricing/read/item-prices.ts';
import { csv, importFile, rowOf, salesFiles } from '../../sales/import-world.ts';
import { anItem, aSale, aSet, manySales } from '../../support/builders.ts';

/** A card with weekly sales at $100 in 2026 up to 2026-05-02, and a last sale of 2026-06-20 whose number is `odd`. */
export type SoldCard = { id: string; odd: number };

export async function soldCard(db: Db, number: string, oddUsdCents = 180_00, gradeKey = 'psa-10'): Promise<SoldCard> {
  const set = await aSet(db, { name: 'Base', code: 'base1' });
  const id = await anItem(db, { set, number, name: `Card ${number}` });
  await manySales(db, { itemId: id, gradeKey, from: '2026-01-03', to: '2026-05-02' });
  return {
    id,
    odd: await aSale(db, { itemId: id, gradeKey, sold: '2026-06-20', usdCents: oddUsdCents, saleId: `odd-${number}` }),
  };
}

/** What a source reports on a day of the sale `saleId`: PSA 10, $180, of 2026-06-20, unless `over` says otherwise. */
export async function reported(db: Db, on: string, item: string, over: { [column: string]: string }): Promise<void> {
  const files = salesFiles();
  const row = rowOf(item, { price: '180', sold_at: '2026-06-20', ...over });
  await importFile(db, files.write(csv(row)), parseDay(on)!);
  files.remove();
}

/** The published price of a series on a day, or null. */
export async function priceOn(db: Db, itemId: string, day: string, gradeKey = 'psa-10'): Promise<number | null> {
  const [point] = await dailyLine(db, itemId, gradeKey, parseDay(day)!, parseDay(day)!);
  return point?.usdCents ?? null;
}
