import type { Db, Sql } from '../../db/client.ts';
import type { PricedSql } from '../read/published.ts';

/** A version of the model before this one, and the last day that it published. */
export type PastVersion = { version: string; untilDay: number };

/** A database of prices on which one can begin a transaction. */
export type PricedDb = PricedSql & Pick<Db, 'transaction'>;

/** The schema of the tables that a version published. */
export function schemaOf(version: string): string {
  if (!/^[0-9]+$/.test(version)) throw new RangeError(`"${version}" is no version of the price model`);
  return `prices_v${version}`;
}

/** Every earlier version that published here, the oldest first. */
export async function pastVersions(sql: Sql): Promise<PastVersion[]> {
  return await sql.prepared<PastVersion>(
    'price_versions',
    'select version, until_day as "untilDay" from price_versions order by until_day',
  );
}

/** Works on prices as an earlier version published them. */
export async function inVersion<T>(db: PricedDb, version: string, work: (past: PricedSql) => Promise<T>): Promise<T> {
  // What was published does not change: the memory of it is kept for good.
  const pasts = (db.prices ?? {}).pasts ?? new Map();
  if (db.prices !== undefined) db.prices.pasts = pasts;
  const prices = pasts.get(version) ?? {};
  pasts.set(version, prices);
  return await db.transaction(async (session) => {
    await session.query(`set local search_path = ${schemaOf(version)}, public`);
    return await work({ ...session, prices });
  });
}
