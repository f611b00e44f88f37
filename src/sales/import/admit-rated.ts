import type { Db } from '../../db/client.ts';
import { dayStartMs } from '../../lib/day.ts';
import { hasStoredRate } from '../currency.ts';
import type { Sale } from '../sale.ts';
import { isLive } from '../undoing/live-sale.ts';
import { type SalesReport, startImport } from './import-sales.ts';

const PAGE_ROWS = 5000;

/** A sale of the ledger as its source stated it last, and where its row is. */
type RecordedRow = Omit<Sale, 'item' | 'soldAtMs' | 'knownAtMs' | 'status' | 'priceHidden'> & {
  itemId: string;
  soldAt: Date;
  knownAt: Date;
  /** A published close has the day on which it became known. */
  isClosed: boolean;
  decisionId: number | null;
  importId: number;
  file: number | null;
  line: number;
};

/**
 * Screens the recorded sales that were rejected for want of an exchange rate again, once there is one: each enters as a
 * correction. One that became known on a closed day is known from `today` (a UTC day number) on: published days stay. Null
 * where no sale was waiting for the stored rates.
 */
export async function admitRated(db: Db, { today }: { today: number }): Promise<SalesReport | null> {
  let run: Awaited<ReturnType<typeof startImport>> | null = null;
  let after: [string, string] = ['', ''];
  while (true) {
    const rows = await db.query<RecordedRow>(
      `select distinct on (x.source, x.source_sale_id) x.source, x.source_sale_id as "sourceSaleId", x.item_id as "itemId",
         x.company, x.grade, x.price_minor as "priceMinor", x.currency, x.sold_at as "soldAt", x.known_at as "knownAt",
         exists (select from market_days m join items i on i.game = m.game where i.id = x.item_id and m.day >= x.known_day) as "isClosed",
         x.sale_type as "saleType", x.quantity, x.cert, x.url, x.title, x.detail, x.decision_id as "decisionId",
         coalesce(x.origin_import_id, x.import_id) as "importId", x.file, x.line
       from (
         select n.source, n.source_sale_id from sales n
         where n.rejection = 'fx_missing' and ${hasStoredRate('n.currency', 'n.sold_day')} and (n.source, n.source_sale_id) > ($1, $2)
           and not exists (select from sale_voids v where v.sale_id = n.id)
         order by n.source, n.source_sale_id limit ${PAGE_ROWS}
       ) n join sales x using (source, source_sale_id)
       where ${isLive('x')}
       order by x.source, x.source_sale_id, x.decision_id nulls first, x.revision desc`,
      after,
    );
    const last = rows.at(-1);
    if (last === undefined) return run === null ? null : await run.finish();
    run ??= await startImport(db, 'rematch', today);
    for (const { itemId, soldAt, knownAt, isClosed, decisionId, importId, file, line, ...sale } of rows)
      await run.take({
        ...{ line, originImportId: importId },
        ...(file !== null && { file }),
        ...(decisionId !== null && { decisionId }),
        sale: {
          ...sale,
          item: { by: 'id', value: itemId },
          soldAtMs: soldAt.getTime(),
          knownAtMs: isClosed ? Math.max(soldAt.getTime(), dayStartMs(today)) : knownAt.getTime(),
          status: 'sold',
          priceHidden: false,
        },
      });
    after = [last.source, last.sourceSaleId];
  }
}
