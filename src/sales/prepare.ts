import type { Db } from '../db/client.ts';
import { dayOf } from '../lib/day.ts';
import { openRateBook } from './currency.ts';
import type { SaleEntry } from './formats/format.ts';
import { openResolver, type ResolvedItem, resolveGrade } from './resolve.ts';
import { type Sale, withNote } from './sale.ts';
import { dueDay, isHeld, screen } from './screen.ts';
import type { ReadySale, SaleBatch } from './write.ts';

export type Preparer = { prepare(entries: readonly SaleEntry[]): Promise<SaleBatch> };

/** Makes rows ready for the ledger: tells the card, the grade and the rate of each, and screens it. */
export async function openPreparer(db: Db, today: number): Promise<Preparer> {
  const items = openResolver(db);
  const rates = openRateBook(db);
  const closes = await db.query<{ game: string; day: number }>('select game, day from first_closes');
  const firstCloseDays = new Map(closes.map(({ game, day }) => [game, day]));

  function ready(sale: Sale, line: number, item: ResolvedItem): ReadySale {
    const grade = resolveGrade(sale.company!, sale.grade);
    if (grade.assumed) sale.detail = withNote(sale.detail, 'condition assumed');
    const usdPerUnit = rates.rateOn(sale.currency, dayOf(sale.soldAtMs));
    const firstCloseDay = firstCloseDays.get(item.game) ?? null;
    const screened = screen(sale, { today, firstCloseDay, usdPerUnit, scale: grade.scale });
    return { sale, line, itemId: item.id, grade, usdPerUnit, ...screened };
  }

  return {
    async prepare(entries) {
      const batch: SaleBatch = { ready: [], waiting: [], refused: [] };
      const sales = entries.flatMap(({ sale }) => (sale === null ? [] : [sale]));
      await items.load(sales.map((sale) => sale.item).filter((item) => item.by !== 'title'));
      await rates.load(sales.map((sale) => sale.currency));
      for (const entry of entries) {
        const { sale, line } = entry;
        if (sale === null) {
          batch.refused.push(entry);
          continue;
        }
        if (isHeld(sale, today)) {
          batch.waiting.push({ sale, line, reason: 'future', dueDay: dueDay(sale) });
          continue;
        }
        const item = items.get(sale.item);
        if (item === null) batch.waiting.push({ sale, line, reason: 'item_unknown', dueDay: null });
        else batch.ready.push(ready(sale, line, item));
      }
      return batch;
    },
  };
}
