import type { Sql } from '../db/client.ts';
import type { Fingerprint } from '../lib/fingerprint.ts';
import { CURRENT_SALES, TRADE_COLUMNS, type TradeRow, type TradeSource, tradeRow } from './ledger.ts';

/** A trade of the feed: the row, its id in the ledger, and the card it is of. */
type RecentTrade = TradeRow & { id: number; itemId: string; gradeKey: string };

/** The newest accepted sales over all cards of the catalog, newest first. */
export async function recentTrades(sql: Sql, limit: number, sign: Fingerprint): Promise<RecentTrade[]> {
  const rows = await sql.prepared<TradeSource & { gradeKey: string }>(
    'sales.recent',
    `select ${TRADE_COLUMNS} from (${CURRENT_SALES}) s
     where reason is null and not exists (select from items i where i.id = item_id and i.removed_at is not null)
     order by sold_at desc, id desc limit $1`,
    [limit],
  );
  return rows.map((row) => ({ ...tradeRow(row, sign), id: row.id, itemId: row.itemId, gradeKey: row.gradeKey }));
}
