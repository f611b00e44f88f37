import type { Session } from '../../db/client.ts';
import { type UnreadableField, wholeText } from '../row-fields.ts';
import type { Sale } from '../sale.ts';
import { isLive, takesBack } from '../undoing/live-sale.ts';

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

/** A sale that waits is replaced by what is reported of it later, but one taken back or dropped stays so. */
export async function writeWaiting(
  session: Session,
  waiting: readonly WaitingSale[],
  importId: number,
): Promise<WaitingCounts> {
  const counts: WaitingCounts = { waiting: {}, reversed: 0, repeated: 0, rejected: {} };
  if (waiting.length === 0) return counts;
  const keys = [waiting.map(({ sale }) => sale.source), waiting.map(({ sale }) => sale.sourceSaleId)];
  const stored = await session.query<{ source: string; source_sale_id: string; status: string }>(
    `select source, source_sale_id, case when dropped_by is not null then 'dropped' else sale->>'status' end as status
     from waiting_sales where (source, source_sale_id) in (select * from unnest($1::text[], $2::text[]))
       and not exists (select from imports i where i.id = import_id and i.undone_by is not null)`,
    keys,
  );
  const recorded = await session.query<{ source: string; source_sale_id: string; live: boolean; taken_back: boolean }>(
    `select x.source, x.source_sale_id, bool_or(${isLive('x')}) as live,
       bool_or(${takesBack('v')}) as taken_back
     from sales x left join sale_voids v on v.sale_id = x.id
     where (x.source, x.source_sale_id) in (select * from unnest($1::text[], $2::text[])) group by 1, 2`,
    keys,
  );
  const keyOf = (row: { source: string; source_sale_id: string }) => `${row.source} ${row.source_sale_id}`;
  const statuses = new Map(stored.map((row) => [keyOf(row), row.status]));
  const live = new Set(recorded.filter((row) => row.live).map(keyOf));
  for (const row of recorded)
    if (row.taken_back && statuses.get(keyOf(row)) === 'sold') statuses.set(keyOf(row), 'voided');
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
     on conflict (source, source_sale_id) do update
       set sale = excluded.sale, reason = excluded.reason, due_day = excluded.due_day, import_id = excluded.import_id,
         file = excluded.file, line = excluded.line
       where waiting_sales.sale->>'status' = 'sold' and waiting_sales.dropped_by is null
         or exists (select from imports i where i.id = waiting_sales.import_id and i.undone_by is not null)`,
    [
      JSON.stringify(
        [...last.values()]
          .filter(({ sale }) => !live.has(`${sale.source} ${sale.sourceSaleId}`))
          .map(({ sale, reason, dueDay, originImportId: origin, file, line }) => ({
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
