import type { Db, Sql } from '../../db/client.ts';
import type { Sale } from '../sale.ts';
import { isTakenBack } from '../undoing/live-sale.ts';
import { type SalesReport, startImport } from './import-sales.ts';

/** A sale that waits because its card could not be identified, and where its row is. */
export type UnmatchedSale = Pick<
  Sale,
  'source' | 'sourceSaleId' | 'title' | 'soldAtMs' | 'priceMinor' | 'currency' | 'company' | 'grade' | 'url' | 'item'
> & {
  reason: string;
  importId: number;
  /** Null where the import had no file. */
  file: string | null;
  line: number;
};

/** SQL: the row of `waiting_sales` still waits: neither was it dropped, nor its import undone, nor its sale taken back once matched. */
const WAITS = `dropped_by is null and not exists (select from imports i where i.id = import_id and i.undone_by is not null)
  and not ${isTakenBack('waiting_sales.source', 'waiting_sales.source_sale_id')}`;

/** One taken back while it waited stays in the table, so that an older file does not bring it again. */
const UNMATCHED = `due_day is null and sale->>'status' = 'sold' and ${WAITS}`;

/** Up to `limit` unmatched sales in the order of their keys, from the one after `after` on, and how many there are in all. */
export async function listUnmatched(
  sql: Sql,
  limit: number,
  after: { source: string; saleId: string } | null = null,
): Promise<{ sales: UnmatchedSale[]; total: number; byReason: Record<string, number> }> {
  const groups = await sql.query<{ reason: string; count: number }>(
    `select reason, count(*) as count from waiting_sales where ${UNMATCHED} group by reason order by count(*) desc, reason`,
  );
  const rows = await sql.query<{ sale: Sale; reason: string; importId: number; file: string | null; line: number }>(
    `select sale, reason, import_id as "importId", line,
       (select i.files[waiting_sales.file] from imports i where i.id = import_id) as file
     from waiting_sales where ${UNMATCHED} and ($2::text is null or (source, source_sale_id) > ($2, $3))
     order by source, source_sale_id limit $1`,
    [limit, after?.source ?? null, after?.saleId ?? null],
  );
  return {
    sales: rows.map(({ sale, ...place }) => ({ ...sale, ...place })),
    total: groups.reduce((sum, group) => sum + group.count, 0),
    byReason: Object.fromEntries(groups.map((group) => [group.reason, group.count])),
  };
}

/** How many there are, counted up to `limit`. */
export async function countUnmatched(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from waiting_sales where ${UNMATCHED} limit $1) unmatched`,
    [limit],
  );
  return row!.count;
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
      await run.take({ line, sale, originImportId, ...(file !== null && { file }) });
    const last = rows.at(-1);
    if (last === undefined) return await run.finish();
    after = [last.source, last.source_sale_id];
  }
}
