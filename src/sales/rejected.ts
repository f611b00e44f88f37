import type { Sql } from '../db/client.ts';

/** A row that is not in any price: one that could not be read, or a recorded sale that a rule keeps out. */
type ListedRow = {
  importId: number;
  importedAt: Date;
  line: number;
  reason: string;
  /** The row as it came, or the sale that it became. */
  row: string;
};

/** Rejected rows, those of the newest import first, in the order of their lines. */
export async function listRejected(sql: Sql, limit: number): Promise<ListedRow[]> {
  return sql.query<ListedRow>(
    `select r.import_id as "importId", i.started_at as "importedAt", r.line, r.reason, r.text as row
     from (
       select import_id, line, reason, concat_ws(': ', message, raw) as text from rejected_rows
       union all
       select import_id, line, rejection, concat_ws(' ', source, source_sale_id, title) from sales where rejection is not null
     ) r join imports i on i.id = r.import_id
     order by r.import_id desc, r.line, r.reason limit $1`,
    [limit],
  );
}
