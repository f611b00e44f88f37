import { type LineWorld, quoteOn } from '../model/daily-line.ts';
import { isPriced, type LogQuote, type Snapshot } from '../model/quote.ts';
import { onCurve } from '../model/snapshot.ts';
import { type ItemRows, itemRows, type LastClose, type OwnSales } from '../store/item-rows.ts';
import { closedAtMs, itemRowsAsOf } from '../store/item-rows-as-of.ts';
import { versionOf } from '../store/past-versions.ts';
import { type ProvisionalRows, withPending } from './provisional.ts';
import { lineWorld, type PricedSql, type Published, publishedAt } from './published.ts';

/** A tracked series with what its quotes are computed from. */
export type Series = {
  item: ItemRows | ProvisionalRows;
  gradeKey: string;
  /** The model's number of the grade; null for one that it does not know. */
  grade: number | null;
  /** The day it is quoted on: the last closed one, or that of provisional rows; null before there is one. */
  day: number | null;
  /** When its quote was computed. */
  computedAtMs: number | null;
  /** Null while no sale of its own has been taken in. */
  own: OwnSales | null;
  snapshots: readonly Snapshot[];
  /** Null where nothing can be quoted: no sale of the card in any grade. */
  world: LineWorld | null;
};

type SeriesOptions = {
  /** Snapshots reach back to the one in force on this day. */
  fromDay?: number | null;
  provisional?: boolean;
  /** As of the close of this day, which is closed; of the last one where it is null. */
  asOf?: number | null;
};

/**
 * The tracked series of items: those that sold, whose first sale waits for its close, or that have a registered cert. As
 * of the last close; `provisional`: with the sales that have become known since.
 */
export async function seriesOfItems(
  sql: PricedSql,
  itemIds: readonly string[],
  { fromDay = null, provisional = false, asOf = null }: SeriesOptions = {},
): Promise<Series[]> {
  const { last, items, published } = await (asOf === null
    ? rowsOfLast(sql, itemIds, fromDay)
    : rowsAsOf(sql, itemIds, fromDay, asOf));
  return items.flatMap((closed) => {
    const item = provisional && closed.pending.length > 0 ? withPending(published, closed, last) : closed;
    const keys = new Set(item.card?.grades.map(({ grade }) => published.model.gradeKeys[grade]!));
    for (const { gradeKey } of item.pending) keys.add(gradeKey);
    for (const gradeKey of item.certified) keys.add(gradeKey);
    return [...keys].map((gradeKey) => ({ ...oneSeries(item, gradeKey, published), ...momentOf(item, last) }));
  });
}

async function rowsOfLast(sql: PricedSql, itemIds: readonly string[], fromDay: number | null) {
  const { last, items } = await itemRows(sql, itemIds, fromDay);
  return { last, items, published: await publishedAt(sql, last?.day ?? null, last?.version) };
}

async function rowsAsOf(sql: PricedSql, itemIds: readonly string[], fromDay: number | null, day: number) {
  const version = await versionOf(sql);
  const published = await publishedAt(sql, day, version);
  const [items, atMs] = await Promise.all([
    itemRowsAsOf(sql, itemIds, fromDay, day, published.model),
    closedAtMs(sql, day),
  ]);
  return { last: { day, atMs, version }, items, published };
}

function momentOf(item: ItemRows | ProvisionalRows, last: LastClose | null): Pick<Series, 'day' | 'computedAtMs'> {
  if (!('recordedAtMs' in item)) return { day: last?.day ?? null, computedAtMs: last?.atMs ?? null };
  return { day: item.day, computedAtMs: Math.max(item.recordedAtMs, last?.atMs ?? 0) };
}

function oneSeries(item: ItemRows, gradeKey: string, published: Published): Omit<Series, 'day' | 'computedAtMs'> {
  const grade = published.model.gradeIndex.get(gradeKey) ?? null;
  if (item.card === null || grade === null) return { item, gradeKey, grade, own: null, snapshots: [], world: null };
  const own = item.card.grades.find((one) => one.grade === grade) ?? null;
  const world = lineWorld(published, item.game, item.setDeltas, grade);
  return {
    item,
    gradeKey,
    grade,
    own,
    snapshots: own === null ? unsoldSnapshots(item, gradeKey, published) : snapshotsOf(item, grade),
    world,
  };
}

function snapshotsOf(item: ItemRows, grade: number): Snapshot[] {
  return item.snapshots.get(grade) ?? [];
}

/** A grade without a sale of its own is on the curve of its card, as the grade that sold first states it. */
function unsoldSnapshots(item: ItemRows, gradeKey: string, { model }: Published): Snapshot[] {
  const other = item.card!.grades[0]!.grade;
  return snapshotsOf(item, other).map((snapshot) => onCurve(snapshot, model.gradeKeys[other]!, gradeKey));
}

/** The series' quote in logs at the close of a day, or null when it had no price then. */
export function pricedOn({ snapshots, world }: Series, day: number): LogQuote | null {
  const quote = world === null ? null : quoteOn(snapshots, day, world);
  return quote !== null && isPriced(quote, world!.params) ? quote : null;
}
