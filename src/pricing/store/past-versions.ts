import type { Sql } from '../../db/client.ts';
import { MODEL_VERSION } from '../model/params.ts';
import type { PricedSql } from '../read/published.ts';
import type { PricedDb } from '../read/quotes.ts';

/** A version of the model before this one, and the last day that it published. */
export type PastVersion = { version: string; untilDay: number };

/** The schema of the tables that a version published. */
export function schemaOf(version: string): string {
  if (!/^[0-9]+$/.test(version)) throw new RangeError(`"${version}" is not a version of the price model`);
  return `prices_v${version}`;
}

/** Every earlier version that published here, the oldest first. */
export async function pastVersions(sql: Sql): Promise<PastVersion[]> {
  return await sql.prepared<PastVersion>(
    'price_versions',
    'select version, until_day as "untilDay" from price_versions order by until_day',
  );
}

/** The earlier versions, the oldest first, then the one that computed the prices, which has no last day. One statement. */
export async function versionsOf(sql: Sql): Promise<[...PastVersion[], PastVersion]> {
  const rows = await sql.prepared<{ version: string; untilDay: number | null }>(
    'price_versions_all',
    `select version, until_day as "untilDay" from price_versions union all select version, null from model_state
     order by "untilDay" nulls last`,
  );
  const past = rows.flatMap(({ version, untilDay }) => (untilDay === null ? [] : [{ version, untilDay }]));
  const now = rows.find(({ untilDay }) => untilDay === null)?.version ?? MODEL_VERSION;
  return [...past, { version: now, untilDay: Number.POSITIVE_INFINITY }];
}

/** The version that computed the prices: an earlier one until the first close of a new program; the newest before any. */
export async function versionOf(sql: Sql): Promise<string> {
  const [row] = await sql.prepared<{ version: string }>('price_version', 'select version from model_state');
  return row?.version ?? MODEL_VERSION;
}

/** Works on prices as an earlier version published them. `sql` is one connection, not a pool. */
export async function inVersion<T>(sql: PricedSql, version: string, work: (past: PricedSql) => Promise<T>): Promise<T> {
  // What was published does not change: the memory of it is kept for good.
  const pasts = sql.prices?.pasts ?? new Map();
  if (sql.prices !== undefined) sql.prices.pasts = pasts;
  const prices = pasts.get(version) ?? {};
  pasts.set(version, prices);
  await sql.query(`set search_path = ${schemaOf(version)}, public`);
  try {
    return await work({ ...sql, prices });
  } finally {
    await sql.query('reset search_path');
  }
}

/** The version that published a day. */
export function versionOn(versions: readonly PastVersion[], day: number): PastVersion {
  return versions.find(({ untilDay }) => day <= untilDay)!;
}

/** Works on prices as a version of `versionsOf` published them. */
export async function onVersion<T>(
  db: PricedDb,
  { version, untilDay }: PastVersion,
  work: (sql: PricedSql) => Promise<T>,
): Promise<T> {
  return untilDay === Number.POSITIVE_INFINITY
    ? await work(db)
    : await db.session((session) => inVersion({ ...session, prices: db.prices }, version, work));
}
