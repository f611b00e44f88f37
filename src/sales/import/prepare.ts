import type { Game } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { dayOf } from '../../lib/day.ts';
import { openRateBook } from '../currency.ts';
import type { SaleEntry } from '../formats/sales-format.ts';
import { type Identified, openIdentifier } from '../identify.ts';
import { withNote } from '../row-fields.ts';
import type { Sale } from '../sale.ts';
import { dueDay, isHeld, screen } from '../screen.ts';
import type { TitleBook } from '../titles.ts';
import { firstCloses } from './first-closes.ts';
import type { RowPlace } from './set-aside.ts';
import type { ReadySale, SaleBatch } from './write-sales.ts';

/** Why the title of a row can never be that of a sale. */
const NOT_A_SALE: Readonly<Record<string, string>> = {
  lot: 'the title is of several cards',
  not_card: 'the title is not of a genuine single card: a copy, a sealed pack, an accessory or the like',
};

/** Sales older than the first close of their game (a UTC day number): no published day has them. */
export type OlderSales = { firstCloseDay: number; sales: number };

type Preparer = { prepare(entries: readonly SaleEntry[]): Promise<SaleBatch> };

/** Makes rows ready for the ledger: finds the card, the grade and the rate of each, and screens it. */
export async function openPreparer(db: Sql, today: number, titles?: TitleBook): Promise<Preparer> {
  const identifier = openIdentifier(db, titles);
  const rates = openRateBook(db);
  const firstCloseDays = await firstCloses(db);

  function ready(sale: Sale, place: RowPlace, identified: Extract<Identified, { grade: object }>): ReadySale {
    const { item, grade, decisionId } = identified;
    if (grade.assumed) sale.detail = withNote(sale.detail, 'condition assumed');
    const usdPerUnit = rates.rateOn(sale.currency, dayOf(sale.soldAtMs));
    const { rejection, priceUsdCents, knownAtMs } = screen(sale, {
      today,
      firstCloseDay: firstCloseDays.get(item.game) ?? null,
      usdPerUnit,
      scale: grade.scale,
      itemName: item.name,
    });
    return {
      ...place,
      ...{ sale, game: item.game, itemId: item.id, grade, usdPerUnit, rejection, priceUsdCents, knownAtMs },
      ...(decisionId !== undefined && { decisionId }),
    };
  }

  /** Accepted sales of a batch that are older than the first close of their game, by game. */
  function olderOf(batch: readonly ReadySale[]): Map<Game, OlderSales> {
    const older = new Map<Game, OlderSales>();
    for (const { sale, game, rejection } of batch) {
      const firstCloseDay = firstCloseDays.get(game);
      if (firstCloseDay === undefined || rejection !== null || dayOf(sale.soldAtMs) >= firstCloseDay) continue;
      older.set(game, { firstCloseDay, sales: (older.get(game)?.sales ?? 0) + 1 });
    }
    return older;
  }

  return {
    async prepare(entries) {
      const screenOn: SaleBatch['screenOn'] = ({ sale, reason: _, dueDay: __, ...place }, card) =>
        ready(sale, place, card);
      const batch: SaleBatch = { ready: [], waiting: [], rejected: [], older: new Map(), screenOn };
      const sales = entries.flatMap(({ sale }) => (sale === null ? [] : [sale]));
      await identifier.load(sales);
      await rates.load(sales.map((sale) => sale.currency));
      for (const entry of entries) {
        const { sale, line, file, originImportId, decisionId } = entry;
        const place = {
          line,
          ...(file !== undefined && { file }),
          ...(originImportId !== undefined && { originImportId }),
        };
        if (sale === null) {
          batch.rejected.push(entry);
          continue;
        }
        if (isHeld(sale, today)) {
          batch.waiting.push({ ...place, sale, reason: 'future', dueDay: dueDay(sale) });
          continue;
        }
        const identified = identifier.identify(sale);
        if (identified.item !== null)
          batch.ready.push(ready(sale, place, decisionId === undefined ? identified : { ...identified, decisionId }));
        else if (identified.final) {
          const unreadable = {
            reason: identified.reason,
            message: NOT_A_SALE[identified.reason] ?? 'the title does not identify a single card',
          };
          batch.rejected.push({ ...place, unreadable, raw: JSON.stringify(sale) });
        } else batch.waiting.push({ ...place, sale, reason: identified.reason, dueDay: null });
      }
      batch.older = olderOf(batch.ready);
      return batch;
    },
  };
}
