import type { Sql } from '../../db/client.ts';
import { MODEL_VERSION } from '../model/params.ts';
import type { PricedSql } from '../read/published.ts';
import type { PricedDb } from '../read/quotes.ts';

/**
 * Prices that were published before those of now: by an earlier version of the model, or by the same one before prices were
 * computed again from the first sale. Of the days from `fromDay` (null: from the first one) through `untilDay` they are what
 * was published; a version counts its runs from 1.
 */
export type PastVersion = { version: string; run: number; fromDay: number | null; untilDay: number };

/** The schema of the tables that a version published. */
export function schemaOf({ version, run }: Pick<PastVersion, 'version' | 'run'>): string {
  if (!/^[0-9]+$/.test(version)) throw new RangeError(`"${version}" is not a version of the price model`);
  return `prices_v${version}${run === 1 ? '' : `_${run}`}`;
}

const COLUMNS = 'version, run, from_day as "fromDay", until_day as "untilDay"';

/** Every earlier version that published here, the oldest first. */
export async function pastVersions(sql: Sql): Promise<PastVersion[]> {
  return await sql.prepared<PastVersion>(
    'price_versions',
    `select ${COLUMNS} from price_versions order by until_day, version::int, run`,
  );
}

/** The earlier versions, the oldest first, then the one that computed the prices, which has no last day. One statement. */
export async function versionsOf(sql: Sql): Promise<[...PastVersion[], PastVersion]> {
  const rows = await sql.prepared<Omit<PastVersion, 'untilDay'> & { untilDay: number | null }>(
    'price_versions_all',
    `select * from (select ${COLUMNS} from price_versions union all select version, 0, null, null from model_state) v
     order by "untilDay" nulls last, version::int, run`,
  );
  const past = rows.flatMap(({ untilDay, ...one }) => (untilDay === null ? [] : [{ ...one, untilDay }]));
  const version = rows.find(({ untilDay }) => untilDay === null)?.version ?? MODEL_VERSION;
  return [...past, { version, run: 0, fromDay: null, untilDay: Number.POSITIVE_INFINITY }];
}

/**
 * SQL: names the prices of now. Another name is of other prices of the same days: a newer version of the model, or the same one
 * from the first sale.
 */
export const EDITION = `(select m.version || '.' || (select count(*) from price_versions) from model_state m)`;

/** The version that computed the prices: an earlier one until the first close of a new program; the newest before any. */
export async function versionOf(sql: Sql): Promise<string> {
  const [row] = await sql.prepared<{ version: string }>('price_version', 'select version from model_state');
  return row?.version ?? MODEL_VERSION;
}

/** The edition of the prices of now. */
export async function editionOf(sql: Sql): Promise<string> {
  const [row] = await sql.prepared<{ edition: string | null }>('price_edition', `select ${EDITION} as edition`);
  return row!.edition ?? `${MODEL_VERSION}.0`;
}

/** Works on prices as an earlier version published them. `sql` is one connection, not a pool. */
export async function inVersion<T>(
  sql: PricedSql,
  past: PastVersion,
  work: (past: PricedSql) => Promise<T>,
): Promise<T> {
  const schema = schemaOf(past);
  // What was published does not change: the memory of it is kept for good.
  const pasts = sql.prices?.pasts ?? new Map();
  if (sql.prices !== undefined) sql.prices.pasts = pasts;
  const prices = pasts.get(schema) ?? {};
  pasts.set(schema, prices);
  await sql.query(`set search_path = ${schema}, public`);
  try {
    return await work({ ...sql, prices });
  } finally {
    await sql.query('reset search_path');
  }
}

/** The version of `versionsOf` that published a day. */
export function versionOn(versions: readonly PastVersion[], day: number): PastVersion {
  return versions.find(({ fromDay, untilDay }) => day >= (fromDay ?? day) && day <= untilDay)!;
}

/** Days in a row with the version that published them, null: the one of now. */
type Stretch = { past: PastVersion | null; from: number; to: number };

/** The days from `from` to `to` by the version that published them, rising; `past`: the earlier ones, the oldest first. */
export function stretchesOf(past: readonly PastVersion[], from: number, to: number): Stretch[] {
  const on = (day: number) => past.find(({ fromDay, untilDay }) => day >= (fromDay ?? day) && day <= untilDay) ?? null;
  const begins = past.flatMap(({ fromDay, untilDay }) => [...(fromDay === null ? [] : [fromDay]), untilDay + 1]);
  const starts = [from, ...begins.filter((day) => day > from && day <= to)].sort((a, b) => a - b);
  if (from > to) return [];
  return starts
    .map((day, i) => ({ past: on(day), from: day, to: (starts[i + 1] ?? to + 1) - 1 }))
    .filter((one) => one.from <= one.to);
}

/** Works on prices as a version of `versionsOf` published them. */
export async function onVersion<T>(
  db: PricedDb,
  version: PastVersion,
  work: (sql: PricedSql) => Promise<T>,
): Promise<T> {
  return version.untilDay === Number.POSITIVE_INFINITY
    ? await work(db)
    : await db.session((session) => inVersion({ ...session, prices: db.prices }, version, work));
}
