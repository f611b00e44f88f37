import type { Db } from '../../src/db/client.ts';
import { PRICE_TABLES } from '../../src/pricing/store/checkpoint.ts';

/** Every row that prices are made of, to the last byte, in a stable order. */
export async function everythingStored(db: Db): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of PRICE_TABLES) rows[table] = await db.query(`select t::text from ${table} t order by 1`);
  // When it was computed is not what was computed.
  rows.model_state = await db.query('select version, closed_day, seen_sale_id, state from model_state');
  return rows;
}
