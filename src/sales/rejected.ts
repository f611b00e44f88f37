import type { Sql } from '../db/client.ts';

/** A row that is not in any price: one that could not be read, or a recorded sale that a rule keeps out. */
export type ListedRow = {
  importId: number;
  importedAt: Date;
  /** Null where the import had no file, or an earlier version of the program read it. */
  file: string | null;
  line: number;
  reason: string;
  /** The row as it came, or the sale that it became. */
  row: string;
};

/** SQL: of a row that was understood and is not a sale of one card, its title is enough to find it. */
export const RAW_TEXT = `coalesce(substring(raw from '^\\{"item":.*"title":"((?:[^"\\\\]|\\\\.)*)"'), raw)`;

/** SQL: what of a rejected row of `sales` caused its rejection, where neither its card, grade nor title shows it; else null. */
export const REJECTION_FACT = `case rejection
  when 'lot' then case when quantity <> 1 then 'quantity ' || quantity end
  when 'absurd_price' then 'price ' || coalesce(to_char(price_usd_cents / 100.0, 'FM$999,999,999,999,990.00'), '0 ' || currency)
  when 'fx_missing' then concat_ws(' ', 'no rate of', currency, 'for', to_char(sold_at at time zone 'utc', 'YYYY-MM-DD'))
  when 'future' then case when known_at > sold_at then 'known on ' else 'sold on ' end || to_char(known_at at time zone 'utc', 'YYYY-MM-DD')
  when 'too_late' then concat_ws(' ', 'sold on', to_char(sold_at at time zone 'utc', 'YYYY-MM-DD') || ',', 'known on', to_char(known_at at time zone 'utc', 'YYYY-MM-DD'))
  end`;

/** Rows by import, with those of imports that were undone left out unless one of them is asked for (`$1`). */
const REJECTED = `
  select r.* from (
    select import_id, file, line, reason, concat_ws(': ', message, ${RAW_TEXT}) as text
    from rejected_rows where $1::int is null or import_id = $1
    union all
    select coalesce(s.origin_import_id, s.import_id), s.file, s.line, s.rejection, concat_ws(': ', ${REJECTION_FACT}, concat_ws(' ', s.source, s.source_sale_id, s.company, s.grade, s.title))
    from sales s where s.rejection is not null and ($1::int is null or s.import_id = $1 or s.origin_import_id = $1)
      and not exists (select from sale_voids v where v.sale_id = s.id)
  ) r join imports i on i.id = r.import_id where $1::int is not null or i.undone_by is null`;

/** Rejected rows, those of the newest import first, in the order of their lines. */
export async function listRejected(
  sql: Sql,
  limit: number,
  { importId = null, offset = 0 }: { importId?: number | null; offset?: number } = {},
): Promise<ListedRow[]> {
  return sql.query<ListedRow>(
    `select r.import_id as "importId", i.started_at as "importedAt", i.files[r.file] as file, r.line, r.reason, r.text as row
     from (${REJECTED}) r join imports i on i.id = r.import_id
     order by r.import_id desc, r.file nulls first, r.line, r.reason limit $2 offset $3`,
    [importId, limit, offset],
  );
}

/** How many there are, counted up to `limit`. */
export async function countRejected(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from (${REJECTED} limit $2) rejected`,
    [null, limit],
  );
  return row!.count;
}
