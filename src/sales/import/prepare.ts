import type { Db } from '../../db/client.ts';
import { dayOf } from '../../lib/day.ts';
import { openRateBook } from '../currency.ts';
import type { SaleEntry } from '../formats/sales-format.ts';
import { type Identified, openIdentifier } from '../identify.ts';
import { withNote } from '../row-fields.ts';
import type { Sale } from '../sale.ts';
import { dueDay, isHeld, screen } from '../screen.ts';
import type { TitleBook } from '../titles.ts';
import type { ReadySale, SaleBatch } from './write-sales.ts';

type Preparer = { prepare(entries: readonly SaleEntry[]): Promise<SaleBatch> };

/** Makes rows ready for the ledger: finds the card, the grade and the rate of each, and screens it. */
export async function openPreparer(db: Db, today: number, titles?: TitleBook): Promise<Preparer> {
  const identifier = openIdentifier(db, titles);
  const rates = openRateBook(db);
  const closes = await db.query<{ game: string; day: number }>(
    'select game, min(day) as day from market_days group by game',
  );
  const firstCloseDays = new Map(closes.map(({ game, day }) => [game, day]));

  function ready(sale: Sale, line: number, { item, grade }: Extract<Identified, { grade: object }>): ReadySale {
    if (grade.assumed) sale.detail = withNote(sale.detail, 'condition assumed');
    const usdPerUnit = rates.rateOn(sale.currency, dayOf(sale.soldAtMs));
    const { rejection, priceUsdCents, knownAtMs } = screen(sale, {
      today,
      firstCloseDay: firstCloseDays.get(item.game) ?? null,
      usdPerUnit,
      scale: grade.scale,
      itemName: item.name,
    });
    return { sale, line, itemId: item.id, grade, usdPerUnit, rejection, priceUsdCents, knownAtMs };
  }

  return {
    async prepare(entries) {
      const batch: SaleBatch = { ready: [], waiting: [], rejected: [] };
      const sales = entries.flatMap(({ sale }) => (sale === null ? [] : [sale]));
      await identifier.load(sales);
      await rates.load(sales.map((sale) => sale.currency));
      for (const entry of entries) {
        const { sale, line } = entry;
        if (sale === null) {
          batch.rejected.push(entry);
          continue;
        }
        if (isHeld(sale, today)) {
          batch.waiting.push({ sale, line, reason: 'future', dueDay: dueDay(sale) });
          continue;
        }
        const identified = identifier.identify(sale);
        if (identified.item !== null) batch.ready.push(ready(sale, line, identified));
        else if (identified.final) {
          const unreadable = {
            reason: identified.reason,
            message: `the title does not identify a single card (${identified.reason})`,
          };
          batch.rejected.push({ line, unreadable, raw: JSON.stringify(sale) });
        } else batch.waiting.push({ sale, line, reason: identified.reason, dueDay: null });
      }
      return batch;
    },
  };
}
