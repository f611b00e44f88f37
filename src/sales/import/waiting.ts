import type { Db, Sql } from '../../db/client.ts';
import type { Sale } from '../sale.ts';
import { type SalesReport, startImport } from './import-sales.ts';

/** A sale that waits because its card could not be identified. */
type UnmatchedSale = Pick<Sale, 'source' | 'sourceSaleId' | 'title' | 'soldAtMs'> & { reason: string };

/** SQL: the row of `waiting_sales` still waits: neither was it dropped, nor its import undone. */
const WAITS = `dropped_by is null and not exists (select from imports i where i.id = import_id and i.undone_by is not null)`;

/** One taken back while it waited stays in the table, so that an older file does not bring it again. */
const UNMATCHED = `due_day is null and sale->>'status' = 'sold' and ${WAITS}`;

/** The first `limit` unmatched sales in the order of their keys, and how many there are in all. */
export async function listUnmatched(
  sql: Sql,
  limit: number,
): Promise<{ sales: UnmatchedSale[]; total: number; byReason: Record<string, number> }> {
  const groups = await sql.query<{ reason: string; count: number }>(
    `select reason, count(*) as count from waiting_sales where ${UNMATCHED} group by reason order by count(*) desc, reason`,
  );
  const rows = await sql.query<{ sale: Sale; reason: string }>(
    `select sale, reason from waiting_sales where ${UNMATCHED} order by source, source_sale_id limit $1`,
    [limit],
  );
  return {
    sales: rows.map(({ sale, reason }) => ({ ...sale, reason })),
    total: groups.reduce((sum, group) => sum + group.count, 0),
    byReason: Object.fromEntries(groups.map((group) => [group.reason, group.count])),
  };
}

const PAGE_ROWS = 5000;

/**
 * Tries the waiting sales again: all whose card was not identified, and those dated ahead whose day has come. What enters the
 * ledger leaves the queue in the same transaction.
 */
export async function rematch(db: Db, { today }: { today: number }): Promise<SalesReport> {
  const run = await startImport(db, 'rematch', today);
  let after: [string, string] = ['', ''];
  while (true) {
    const rows = await db.query<{
      source: string;
      source_sale_id: string;
      sale: Sale;
      import_id: number;
      file: number | null;
      line: number;
    }>(
      `select source, source_sale_id, sale, import_id, file, line from waiting_sales
       where (source, source_sale_id) > ($1, $2) and (due_day is null or due_day <= $3) and ${WAITS}
       order by source, source_sale_id limit ${PAGE_ROWS}`,
      [...after, today],
    );
    for (const { sale, import_id: originImportId, file, line } of rows)
      await run.take({ line, endByte: 0, sale, originImportId, ...(file !== null && { file }) });
    const last = rows.at(-1);
    if (last === undefined) return await run.finish();
    after = [last.source, last.source_sale_id];
  }
}
