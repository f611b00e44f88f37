import { dayStartMs } from '../../lib/day.ts';
import { CURRENT_SALES, readTrade, TRADE_ROWS, type TradeSource } from '../../sales/ledger.ts';
import type { FileRow, FileTable } from '../file-table.ts';
import { type BulkRead, cursorRows, type DaySpan } from './bulk-read.ts';

/** Recorded sales with the fields that `trades` shows, as they are known now, rejected ones with the reason. */
export const SALES: FileTable = {
  kind: 'sales',
  key: ['itemId', 'soldAt', 'id'],
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'itemId', type: 'text' },
    { name: 'gradeToken', type: 'text', optional: true },
    { name: 'company', type: 'text' },
    { name: 'grade', type: 'text' },
    { name: 'gradeLabel', type: 'text' },
    { name: 'source', type: 'text' },
    { name: 'soldAt', type: 'instant' },
    { name: 'priceUsdCents', type: 'integer', optional: true },
    { name: 'priceMinor', type: 'integer' },
    { name: 'currency', type: 'text' },
    { name: 'saleType', type: 'text' },
    { name: 'detail', type: 'text', optional: true },
    { name: 'sourceUrl', type: 'text', optional: true },
    { name: 'certHash', type: 'text', optional: true },
    { name: 'disposition', type: 'text' },
    { name: 'dispositionReason', type: 'text', optional: true },
  ],
};

const IN_CATALOG = 'exists (select from items i where i.id = item_id and i.removed_at is null)';

/** The sales of days, in the order of their cards. */
export async function* saleRowsOf(read: BulkRead, span: DaySpan): AsyncGenerator<FileRow[]> {
  const text = `${TRADE_ROWS} where sold_at >= $1::timestamptz and sold_at < $2::timestamptz and ${IN_CATALOG}
    order by item_id, sold_at, id`;
  for await (const rows of cursorRows<TradeSource>(read.sql, text, bounds(span)))
    yield rows.map((row) => {
      const one = readTrade(row, read.sign);
      return [
        ...[row.id, row.itemId, row.gradeKey, one.company, one.grade, one.gradeLabel, one.source, row.soldAt.getTime()],
        ...[one.priceUsdCents, one.priceMinor, one.currency, one.saleType, one.detail, one.sourceUrl],
        ...[one.certHash, one.disposition, one.dispositionReason],
      ];
    });
}

function bounds({ fromDay, toDay }: DaySpan): string[] {
  return [fromDay, toDay + 1].map((day) => new Date(dayStartMs(day)).toISOString());
}

/**
 * For each month of a span (`YYYY-MM`) a text that differs where its file would: of the rows that it has, and what may change of
 * them. One pass over the ledger.
 */
export async function saleStates({ sql }: BulkRead, { fromDay, toDay }: DaySpan): Promise<Map<string, string>> {
  const rows = await sql.query<{ month: string; state: string }>(
    `select to_char(date '1970-01-01' + sold_day, 'YYYY-MM') as month,
       concat_ws(' ', count(*), sum(hashtext(concat_ws(' ', id, reason, weight))::int8)) as state
     from (${CURRENT_SALES}) s where sold_day between $1 and $2 and ${IN_CATALOG} group by 1 order by 1`,
    [fromDay, toDay],
  );
  return new Map(rows.map(({ month, state }) => [month, state]));
}
