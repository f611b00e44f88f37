import type { Session } from '../../db/client.ts';
import type { Fingerprint } from '../../lib/fingerprint.ts';
import type { PricedSql } from '../../pricing/read/published.ts';

/** One moment of the database, which all files of a run are read from. */
export type BulkRead = {
  sql: Session & PricedSql;
  /** The last closed day. */
  day: number;
  baseUrl: string;
  sign: Fingerprint;
};

/** UTC day numbers, both included. */
export type DaySpan = { fromDay: number; toDay: number };

/** Rows that are in memory at once. */
const BATCH_ROWS = 2_000;

let cursors = 0;

/** The rows of a statement, so many at a time. The session is in a transaction. */
export async function* cursorRows<Row extends object>(
  sql: Session,
  text: string,
  values: readonly unknown[] = [],
  rowsAtOnce = BATCH_ROWS,
): AsyncGenerator<Row[]> {
  const name = `bulk_${++cursors}`;
  await sql.query(`declare ${name} no scroll cursor for ${text}`, values);
  for (;;) {
    const rows = await sql.query<Row>(`fetch ${rowsAtOnce} from ${name}`);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql.query(`close ${name}`);
}

/** Cards of one statement for their prices. */
const CARDS_A_TIME = 100;

/** Ids of the cards of the catalog that have sold, rising, a hundred at a time. */
export async function* soldCards({ sql }: Pick<BulkRead, 'sql'>): AsyncGenerator<string[]> {
  const sold = `select c.item_id as id from card_states c join items i on i.id = c.item_id where i.removed_at is null order by 1`;
  for await (const rows of cursorRows<{ id: string }>(sql, sold, [], CARDS_A_TIME)) yield rows.map(({ id }) => id);
}
