import type { Db } from '../../src/db/client.ts';

const TABLES = [
  'model_state',
  'market_days',
  'calibration_days',
  'curves',
  'set_levels',
  'card_states',
  'card_touches',
  'sale_uses',
];

/** Every row that prices are made of, to the last byte, in a stable order. */
export async function everythingStored(db: Db): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of TABLES) rows[table] = await db.query(`select t::text from ${table} t order by 1`);
  return rows;
}
