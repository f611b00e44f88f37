import type { Sql } from '../../db/client.ts';

/** When the last close ran, ms, as SQL: the `updatedAt` of each price that no sale has moved since. */
export const LAST_CLOSE_MS = "(select floor(date_part('epoch', closed_at) * 1000)::int8 from model_state)";

/** The same, read alone. Null before the first close. */
export async function lastCloseMs(sql: Sql): Promise<number | null> {
  const [row] = await sql.prepared<{ atMs: number | null }>('pricing.last-close', `select ${LAST_CLOSE_MS} as "atMs"`);
  return row!.atMs;
}
