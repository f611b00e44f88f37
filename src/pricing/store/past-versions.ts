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
  // Not the default where prices are computed again next to those that are published.
  const [row] = await sql.query<{ search_path: string }>('show search_path');
  await sql.query(`set search_path = ${schema}, public`);
  try {
    return await work({ ...sql, prices });
  } finally {
    await sql.query(`set search_path = ${row!.search_path}`);
  }
}

/** The earlier version that published a day; null: the one of now. */
function pastOn(past: readonly PastVersion[], day: number): PastVersion | null {
  return past.find(({ fromDay, untilDay }) => day >= (fromDay ?? day) && day <= untilDay) ?? null;
}

/** Days in a row with the version that published them, null: the one of now. */
type Stretch = { past: PastVersion | null; from: number; to: number };

/** The days from `from` to `to` by the version that published them, rising; `past`: the earlier ones, the oldest first. */
export function stretchesOf(past: readonly PastVersion[], from: number, to: number): Stretch[] {
  const begins = past.flatMap(({ fromDay, untilDay }) => [...(fromDay === null ? [] : [fromDay]), untilDay + 1]);
  const starts = [from, ...begins.filter((day) => day > from && day <= to)].sort((a, b) => a - b);
  if (from > to) return [];
  return starts
    .map((day, i) => ({ past: pastOn(past, day), from: day, to: (starts[i + 1] ?? to + 1) - 1 }))
    .filter((one) => one.from <= one.to);
}

/** Works on prices as a past version published them; null: the one of now. */
export async function onVersion<T>(
  db: PricedDb,
  past: PastVersion | null,
  work: (sql: PricedSql) => Promise<T>,
): Promise<T> {
  return past === null
    ? await work(db)
    : await db.session((session) => inVersion({ ...session, prices: db.prices }, past, work));
}

/**
 * Works on the prices of a closed day as its close published them; `earlier` are the versions that published before that one. Once
 * more where others took the place of the prices of now meanwhile.
 */
export async function onDay<T>(
  db: PricedDb,
  day: number,
  work: (sql: PricedSql, earlier: readonly PastVersion[]) => Promise<T>,
): Promise<T> {
  for (let past = await pastVersions(db); ; ) {
    const version = pastOn(past, day);
    const earlier = version === null ? past : past.slice(0, past.indexOf(version));
    // What is read in parts of both may also fail.
    const [outcome] = await Promise.allSettled([onVersion(db, version, (sql) => work(sql, earlier))]);
    const now = version === null ? await pastVersions(db) : past;
    if (now.length > past.length) past = now;
    else if (outcome.status === 'fulfilled') return outcome.value;
    else throw outcome.reason;
  }
}
