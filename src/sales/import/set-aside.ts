import type { Session } from '../../db/client.ts';
import { type UnreadableField, wholeText } from '../row-fields.ts';
import type { Sale } from '../sale.ts';
import { isLive, isTakenBack } from '../undoing/live-sale.ts';

/** Counts rows by reason. */
export function countReason(counts: Record<string, number>, reason: string, rows = 1): void {
  counts[reason] = (counts[reason] ?? 0) + rows;
}

/** A sale that cannot enter the ledger yet; `dueDay` is null when it waits for a better catalog. */
export type WaitingSale = RowPlace & { sale: Sale; reason: string; dueDay: number | null };
/** A row that is not a sale or listing, as it came. */
export type RejectedRow = RowPlace & { unreadable: UnreadableField; raw: string };

/** Where a row is: its file among those of the import, from 1, and its line there; and the import, if it is an earlier one. */
export type RowPlace = { line: number; file?: number; originImportId?: number };

/** What became of the rows of a batch that cannot enter the ledger yet. */
type WaitingCounts = {
  waiting: Record<string, number>;
  /** Waiting sales that are taken back. */
  reversed: number;
  /** Rows about a sale that was taken back before. */
  repeated: number;
  /** Sales first reported as taken back, by how. */
  rejected: Record<string, number>;
};

const IS_UNDONE = 'exists (select from imports i where i.id = waiting_sales.import_id and i.undone_by is not null)';
/** As in the ledger, a sale that a later import repeats is of the one that reported it first. */
const IS_REPEATED = `waiting_sales.sale = excluded.sale and not ${IS_UNDONE}`;

/** A sale that waits is replaced by what is reported of it later, but one taken back or dropped stays so. */
export async function writeWaiting(
  session: Session,
  waiting: readonly WaitingSale[],
  importId: number,
): Promise<WaitingCounts> {
  const counts: WaitingCounts = { waiting: {}, reversed: 0, repeated: 0, rejected: {} };
  if (waiting.length === 0) return counts;
  const stored = await session.query<{ source: string; source_sale_id: string; status: string }>(
    `select source, source_sale_id, case when dropped_by is not null then 'dropped'
         when ${isTakenBack('waiting_sales.source', 'waiting_sales.source_sale_id')} then 'voided'
         else sale->>'status' end as status
     from waiting_sales where (source, source_sale_id) in (select * from unnest($1::text[], $2::text[]))
       and not exists (select from imports i where i.id = import_id and i.undone_by is not null)`,
    [waiting.map(({ sale }) => sale.source), waiting.map(({ sale }) => sale.sourceSaleId)],
  );
  const statuses = new Map(stored.map((row) => [`${row.source} ${row.source_sale_id}`, row.status]));
  const last = new Map<string, WaitingSale>();
  for (const one of waiting) {
    const { status } = one.sale;
    const key = `${one.sale.source} ${one.sale.sourceSaleId}`;
    const before = statuses.get(key);
    if (before !== undefined && before !== 'sold') {
      counts.repeated++;
      continue;
    }
    statuses.set(key, status);
    last.set(key, one);
    if (status === 'sold') countReason(counts.waiting, one.reason);
    else if (before === 'sold') counts.reversed++;
    else countReason(counts.rejected, status);
  }
  await session.query(
    `insert into waiting_sales (source, source_sale_id, sale, reason, due_day, import_id, file, line)
     select sale->>'source', sale->>'sourceSaleId', sale, reason, due_day, coalesce(origin, $2::int), file, line
     from jsonb_to_recordset($1::jsonb) as w (sale jsonb, reason text, due_day int, origin int, file int, line int)
     where not exists (select 1 from sales s
       where s.source = w.sale->>'source' and s.source_sale_id = w.sale->>'sourceSaleId' and ${isLive('s')})
     on conflict (source, source_sale_id) do update
       set sale = excluded.sale, reason = excluded.reason, due_day = excluded.due_day, ${['import_id', 'file', 'line']
         .map(
           (column) => `${column} = case when ${IS_REPEATED} then waiting_sales.${column} else excluded.${column} end`,
         )
         .join(', ')}
       where waiting_sales.sale->>'status' = 'sold' and waiting_sales.dropped_by is null or ${IS_UNDONE}`,
    [
      JSON.stringify(
        [...last.values()].map(({ sale, reason, dueDay, originImportId: origin, file, line }) => ({
          ...{ sale, reason, due_day: dueDay, origin, file, line },
        })),
      ),
      importId,
    ],
  );
  return counts;
}

const MAX_RAW_CHARS = 2000;

/** Keeps rows that are not sales (or not listings: `kind`) as they came, once: with the last import that had them. */
export async function writeRejected(
  session: Session,
  kind: 'sales' | 'listings',
  rejected: readonly RejectedRow[],
  importId: number,
): Promise<void> {
  if (rejected.length === 0) return;
  const rows = rejected.map(({ line, file, unreadable, raw }) => ({
    line,
    file,
    reason: unreadable.reason,
    message: wholeText(unreadable.message),
    raw: wholeText(raw.slice(0, MAX_RAW_CHARS)),
  }));
  await session.query(
    `insert into rejected_rows (digest, import_id, file, line, reason, message, raw)
     select distinct on (1) sha256(convert_to(concat_ws(chr(31), $3::text, line::text, raw), 'UTF8')), $2::int, file, line,
       reason, message, raw
     from jsonb_to_recordset($1::jsonb) as r (file int, line int, reason text, message text, raw text)
     on conflict (digest) do update set import_id = excluded.import_id, file = excluded.file`,
    [JSON.stringify(rows), importId, kind],
  );
}
