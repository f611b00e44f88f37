import type { Sql } from '../../db/client.ts';
import { CannotDecide } from '../../decisions/decisions.ts';
import type { Sale } from '../sale.ts';
import { isLive, isTakenBack } from '../undoing/live-sale.ts';

/** How a sale is named: its source, and its id there. */
export type SaleName = { source: string; saleId: string };

/** The subject of a decision on a sale. */
export function subjectOf({ source, saleId }: SaleName): string {
  return `${source} ${saleId}`;
}

/** A row of `waiting_sales`. */
export type WaitingRow = {
  sale: Sale;
  reason: string;
  due_day: number | null;
  import_id: number;
  file: number | null;
  line: number;
};

/**
 * The row of a sale that waits, or null.
 * @throws CannotDecide for one that its source took back or a person dropped
 */
export async function waitingRow(sql: Sql, { source, saleId }: SaleName): Promise<WaitingRow | null> {
  const [row] = await sql.query<WaitingRow & { dropped_by: number | null; taken_back: boolean }>(
    `select w.sale, w.reason, w.due_day, w.import_id, w.file, w.line, w.dropped_by,
       ${isTakenBack('w.source', 'w.source_sale_id')} as taken_back
     from waiting_sales w join imports i on i.id = w.import_id
     where w.source = $1 and w.source_sale_id = $2 and i.undone_by is null`,
    [source, saleId],
  );
  if (row === undefined) return null;
  const { dropped_by, taken_back, ...waiting } = row;
  if (dropped_by !== null)
    throw new CannotDecide(
      `This sale was dropped by decision ${dropped_by}; "mintmark decisions undo ${dropped_by}" takes that back.`,
    );
  if (waiting.sale.status !== 'sold' || taken_back)
    throw new CannotDecide(`Its source took this sale back (${taken_back ? 'voided' : waiting.sale.status}).`);
  return waiting;
}

/** The newest statement of a recorded sale; `void` is why it is out of the ledger. */
export type RecordedSale = {
  id: number;
  itemId: string;
  company: string;
  grade: string;
  gradeKey: string | null;
  rejection: string | null;
  void: string | null;
  importId: number;
};

/** Null for a sale that is not recorded, or whose every statement was undone. */
export async function recordedSale(sql: Sql, { source, saleId }: SaleName): Promise<RecordedSale | null> {
  const [row] = await sql.query<RecordedSale>(
    `select x.id, x.item_id as "itemId", x.company, x.grade, x.grade_key as "gradeKey", x.rejection, v.reason as void, x.import_id as "importId"
     from sales x left join sale_voids v on v.sale_id = x.id
     where x.source = $1 and x.source_sale_id = $2 and ${isLive('x')} order by x.revision desc limit 1`,
    [source, saleId],
  );
  return row ?? null;
}
