import type { Db } from '../../../src/db/client.ts';
import { closeIndices } from '../../../src/indices/close/close.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { catalogCards, FIRST_DAY, recordSales } from '../../pricing/ledger.ts';
import { type SyntheticSale, syntheticMarket } from '../../pricing/model/synthetic-market.ts';

/** Eight months of about 45 Pokémon cards that trade often: the first basket is that of 2024-03-01 or 2024-04-01. */
const DAYS = 240;
export const LAST_DAY = FIRST_DAY + DAYS - 1;
export const market: SyntheticSale[] = syntheticMarket({ seed: 11, days: DAYS, cards: 180, sales: 24_000 }).filter(
  ({ game }) => game === 'pokemon',
);

/** A catalog and a ledger of the market's days before `days`. */
export async function recordMarket(db: Db, days = DAYS, sales: readonly SyntheticSale[] = market): Promise<void> {
  await catalogCards(db, sales);
  await recordSales(
    db,
    sales.filter(({ day }) => day < days),
  );
}

/** Closes prices and then indices through a day, as the daily job does. */
export async function closeThrough(db: Db, through: number): Promise<void> {
  await reprice(db, { through });
  await closeIndices(db, { through });
}

const TABLES = ['indices', 'index_levels', 'index_days', 'index_rotations', 'index_members', 'index_removals'];

/** Every row that indices published, to the last bit, in a stable order. */
export async function everythingPublished(db: Db): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of TABLES) rows[table] = await db.query(`select t::text from ${table} t order by t::text`);
  return rows;
}
