import { type DailyPoint, lineOf } from '../model/daily-line.ts';
import { MODEL_VERSION } from '../model/params.ts';
import { onDay, onVersion, type PastVersion, stretchesOf } from '../store/past-versions.ts';
import { type PriceRows, priceRows, type Series, seriesIn, seriesOfItems } from './price-series.ts';
import type { PricedDb } from './quotes.ts';
import { quoteOf, type SeriesQuote } from './series-quote.ts';

/**
 * The prices of one item, read once: an answer that shows several things of them passes this on. Quotes, lines
 * (`lineOfPrices`) and explanations (`explanationOf`) are computed from it.
 */
export type ItemPrices = {
  itemId: string;
  /** The day they are of: the last closed one, null before it; or the one they are read as of. */
  day: number | null;
  /** Null of the last close. */
  asOf: number | null;
  /** As quoted: with the sales that wait for their close. */
  series: readonly Series[];
  /** As the close left them. */
  closed: readonly Series[];
  quotes: readonly SeriesQuote[];
  /** Lines that were computed of `closed`, by grade: the longest of each. */
  lines: Map<string, PublishedPoint[]>;
  /** When the close of the day ran, where it has a record. */
  recordedAtMs: number | null;
  /** The model that computed them, and those that published earlier days, the oldest first. */
  version: string;
  earlier: readonly PastVersion[];
};

type ReadOptions = {
  /** Lines begin on this day or later; unless given, with the first sale. */
  fromDay?: number;
  /** As published at the close of this day, which is closed. */
  asOf?: number | null;
};

/** Reads the prices of an item. One statement of the last close; as of a day, a few. */
export async function readItemPrices(
  db: PricedDb,
  itemId: string,
  { fromDay = 0, asOf = null }: ReadOptions = {},
): Promise<ItemPrices> {
  if (asOf === null) {
    const rows = await priceRows(db, [itemId], { fromDay });
    return { ...pricesIn(rows, itemId), day: rows.last?.day ?? null, asOf, earlier: rows.published.earlier };
  }
  return await onDay(db, asOf, async (sql, earlier) => {
    const rows = await priceRows(sql, [itemId], { fromDay, asOf });
    return { ...pricesIn(rows, itemId), day: asOf, asOf, earlier };
  });
}

function pricesIn(rows: PriceRows, itemId: string) {
  const series = seriesIn(rows, { provisional: true });
  const closed = seriesIn(rows, { provisional: false });
  const { version = MODEL_VERSION, recordedAtMs = null } = rows.last ?? {};
  return { itemId, series, closed, quotes: series.map(quoteOf), lines: new Map(), version, recordedAtMs };
}

/** A point of the line, and the version of the model that published it. */
export type PublishedPoint = DailyPoint & { version: string };

/**
 * The daily line of a grade: one point for each day from `fromDay` to `toDay` that is closed; nulls where it had no price.
 * Empty for a series that no close has priced. A day stays as the version of its time published it.
 */
export async function lineOfPrices(
  db: PricedDb,
  prices: ItemPrices,
  gradeKey: string,
  fromDay: number,
  toDay: number,
): Promise<PublishedPoint[]> {
  const points: PublishedPoint[] = [];
  for (const { past, ...days } of stretchesOf(prices.earlier, fromDay, toDay)) {
    if (past === null) {
      points.push(...closedPoints(prices, gradeKey, days.from, days.to));
      continue;
    }
    const series = await onVersion(db, past, (sql) => seriesOfItems(sql, [prices.itemId], { fromDay: days.from }));
    points.push(...pointsOf(series, gradeKey, days, past.version));
  }
  return points;
}

/** The same of some days only, in any order, each once. */
export async function pointsOnDays(
  db: PricedDb,
  prices: ItemPrices,
  gradeKey: string,
  days: ReadonlySet<number>,
): Promise<PublishedPoint[]> {
  const points: PublishedPoint[] = [];
  for (const { past, from, to } of stretchesOf(prices.earlier, Math.min(...days), Math.max(...days))) {
    const ofStretch = [...days].filter((day) => day >= from && day <= to);
    if (past === null) points.push(...ofStretch.flatMap((day) => closedPoints(prices, gradeKey, day, day)));
    else if (ofStretch.length > 0)
      points.push(...(await lineOfPrices(db, prices, gradeKey, from, to)).filter(({ day }) => days.has(day)));
  }
  return points;
}

/** Those of the last version. A page shows several parts of one line. */
function closedPoints({ closed, lines, version, day }: ItemPrices, gradeKey: string, from: number, toDay: number) {
  const to = Math.min(toDay, day ?? toDay);
  if (from > to) return [];
  const known = lines.get(gradeKey) ?? [];
  const first = known[0]?.day ?? Number.POSITIVE_INFINITY;
  if (first <= from && to < first + known.length) return known.slice(from - first, to - first + 1);
  const points = pointsOf(closed, gradeKey, { from, to }, version);
  if (points.length > known.length) lines.set(gradeKey, points);
  return points;
}

/** The same of a series whose prices nothing else is read of; as of a day, as its close published it. */
export async function dailyLine(
  db: PricedDb,
  itemId: string,
  gradeKey: string,
  fromDay: number,
  toDay: number,
  asOf: number | null = null,
): Promise<PublishedPoint[]> {
  return await lineOfPrices(db, await readItemPrices(db, itemId, { fromDay, asOf }), gradeKey, fromDay, toDay);
}

function pointsOf(
  all: readonly Series[],
  gradeKey: string,
  { from, to }: { from: number; to: number },
  version: string,
): PublishedPoint[] {
  const series = all.find((one) => one.gradeKey === gradeKey);
  if (!series?.world || series.day === null) return [];
  // No close has priced a grade whose first sales still wait for theirs.
  if (series.own === null && !series.item.certified.includes(gradeKey)) return [];
  const line = lineOf(series.snapshots, from, Math.min(to, series.day), series.world);
  return line.map((point) => Object.assign(point, { version }));
}
