import type { Sql } from '../../db/client.ts';

/** When the last close ran, ms: the `updatedAt` of each price that no sale has moved since. Null before the first close. */
export async function lastCloseMs(sql: Sql): Promise<number | null> {
  const [row] = await sql.prepared<{ atMs: number }>(
    'pricing.last-close',
    `select floor(date_part('epoch', closed_at) * 1000)::int8 as "atMs" from model_state`,
    [],
  );
  return row?.atMs ?? null;
}
