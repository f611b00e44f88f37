import { rm } from 'node:fs/promises';
import type { Db, Session, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/client.ts';
import { tryWithLock } from '../db/locks.ts';
import { formatDay, parseDay } from '../lib/day.ts';
import type { Fingerprint } from '../lib/fingerprint.ts';
import { closedDay } from '../pricing/read/quotes.ts';
import { type BulkList, dropOldLists, dropUnrecorded, emptyWorkFolder, publishList, readLists } from './bulk-folder.ts';
import { BulkRun } from './bulk-run.ts';
import { monthsOf } from './months.ts';
import type { BulkRead } from './tables/bulk-read.ts';
import { ITEMS, itemRowsOf } from './tables/items-table.ts';
import { PRICES, priceRowsOf } from './tables/prices-table.ts';
import { SALES, saleRowsOf, saleStates } from './tables/sales-table.ts';
import { SERIES, seriesRowsOf } from './tables/series-table.ts';

/** Of the columns of all tables. Files of version 1 may lack the last days of their month. */
const VERSION = 2;

export type BulkOptions = {
  db: Db;
  /** Where the files are kept. */
  folder: string;
  baseUrl: string;
  /** What the name of a slab is hidden by. */
  sign: Fingerprint;
  /** Closes whose files stay. */
  keep: number;
  /** Months of sales and daily prices. */
  months: number;
  clock: () => number;
  signal: AbortSignal;
  /** No file is begun with less room than this on the disk, which the database may share; bytes. */
  leastFreeBytes?: number;
};

const LEAST_FREE_BYTES = 1_000_000_000;

/** What was made: `made` files are new, `kept` ones are those of an earlier close, which had the same rows. */
export type BulkReport = { day: string; made: number; kept: number; rows: number; bytes: number; dropped: number };

/**
 * Makes the files of the last close, unless they are there: all of one moment of the database. Null where there is nothing to do,
 * nothing is closed yet, or another process makes them. Throws when `signal` aborts and where the disk has little room; what was written is
 * then removed.
 */
export async function makeBulk(options: BulkOptions): Promise<BulkReport | null> {
  const { db, folder } = options;
  const [last] = await rootsOf(db);
  if (last === undefined) return null;
  const [newest] = await readLists(folder);
  if (newest?.root === last) return null;
  return await db.session((session) => tryWithLock(session, 'bulk', () => makeFiles(options, session)));
}

async function makeFiles(options: BulkOptions, session: Session): Promise<BulkReport | null> {
  const { folder, clock, keep, signal, leastFreeBytes = LEAST_FREE_BYTES } = options;
  const roots = await rootsOf(session);
  await dropUnrecorded(folder, new Set(roots));
  const lists = await readLists(folder);
  if (lists[0]?.root === roots[0]) return null;
  const work = await emptyWorkFolder(folder);
  const madeAt = new Date(clock()).toISOString();
  const previous = lists.find(({ version }) => version === VERSION);
  const run = new BulkRun({ work, previous: previous?.files ?? [], signal, leastFreeBytes });
  const { day, root, states } = await inSnapshot(session, () =>
    fillFiles(run, { ...session, prices: {} }, options, previous),
  ).catch(async (error) => {
    await rm(work, { recursive: true, force: true });
    throw error;
  });
  const list: BulkList = { version: VERSION, day, root, madeAt, saleStates: states, files: run.files };
  await publishList(folder, work, list, run.made);
  const dropped = await dropOldLists(folder, keep);
  const made = run.files.filter(({ name }) => run.made.includes(name));
  return {
    day,
    made: made.length,
    kept: run.files.length - made.length,
    rows: made.reduce((sum, { rows }) => sum + rows, 0),
    bytes: made.reduce((sum, { bytes }) => sum + bytes, 0),
    dropped,
  };
}

/** The daily values and the sales of a pack reach back this far. */
export const PACK_DAYS = { series: 31, sales: 365 } as const;

async function fillFiles(
  run: BulkRun,
  sql: BulkRead['sql'],
  { baseUrl, sign, months }: BulkOptions,
  previous: BulkList | undefined,
): Promise<{ day: string; root: string; states: Record<string, string> }> {
  const day = (await closedDay(sql))!;
  const [root] = await rootsOf(sql);
  const read: BulkRead = { sql, day, baseUrl, sign };
  const label = formatDay(day);
  await run.table(ITEMS, { label, month: null }, () => itemRowsOf(read));
  await run.table(PRICES, { label, month: null }, () => priceRowsOf(read));
  const spans = monthsOf(day, months, await firstDays(read));
  const lastListed = previous === undefined ? Number.NEGATIVE_INFINITY : parseDay(previous.day)!;
  for (const { month, ...span } of spans.series)
    if (span.toDay > lastListed || !run.keep('series', month))
      await run.table(SERIES, { label, month }, () => seriesRowsOf(read, span));
  const states = await saleStates(read, {
    fromDay: spans.sales[0]?.fromDay ?? day,
    toDay: spans.sales.at(-1)?.toDay ?? day,
  });
  for (const { month, ...span } of spans.sales) {
    const isSame = previous?.saleStates[month] !== undefined && previous.saleStates[month] === states.get(month);
    if (!isSame || !run.keep('sales', month)) await run.table(SALES, { label, month }, () => saleRowsOf(read, span));
  }
  const facts = {
    day: label,
    address: baseUrl,
    seriesDays: String(PACK_DAYS.series),
    salesDays: String(PACK_DAYS.sales),
  };
  await run.pack(label, facts, [
    [ITEMS, () => itemRowsOf(read)],
    [PRICES, () => priceRowsOf(read)],
    [SERIES, () => seriesRowsOf(read, { fromDay: day - PACK_DAYS.series + 1, toDay: day })],
    [SALES, () => saleRowsOf(read, { fromDay: day - PACK_DAYS.sales + 1, toDay: day })],
  ]);
  return { day: label, root: root!, states: Object.fromEntries(states) };
}

/** Roots of the days of the record, the newest first. */
async function rootsOf(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ root: string }>(
    `select encode(root, 'hex') as root from record_days order by day desc`,
  );
  return rows.map(({ root }) => root);
}

/** The first day with a price, and the first with a sale. */
async function firstDays({ sql, day }: BulkRead): Promise<{ series: number; sales: number }> {
  const [row] = await sql.query<{ series: number | null; sales: number | null }>(
    'select (select min(day) from market_days) as series, (select min(sold_day) from sales) as sales',
  );
  return { series: row!.series ?? day + 1, sales: row!.sales ?? day + 1 };
}
