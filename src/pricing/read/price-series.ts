import { type LineWorld, quoteOn } from '../model/daily-line.ts';
import { isPriced, type LogQuote, type Snapshot } from '../model/quote.ts';
import { onCurve } from '../model/snapshot.ts';
import { type ItemRows, itemRows, type LastClose, type OwnSales } from '../store/item-rows.ts';
import { closeMomentOf, itemRowsAsOf } from '../store/item-rows-as-of.ts';
import { editionOf } from '../store/past-versions.ts';
import { type ProvisionalRows, withPending } from './provisional.ts';
import { deltasOfSets, lineWorld, type PricedSql, type Published, publishedAt, type SetDeltas } from './published.ts';

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
  /** Null where nothing can be quoted: no sale of the card in any grade, or its price is withheld. */
  world: LineWorld | null;
  /** The grade's terms, also where its price is withheld: its sales are a part of what other grades' prices are made of. */
  termsOn: LineWorld['termsOn'] | null;
  /** Its sales may be those of another card: it has no price until that is decided. */
  isWithheld: boolean;
};

type RowsOptions = {
  /** Snapshots reach back to the one in force on this day. */
  fromDay?: number | null;
  /** As of the close of this day, which is closed; of the last one where it is null. */
  asOf?: number | null;
};

/** Rows of items with the close that they are of, null before the first one, and what prices share: of all items, and of a set. */
export type PriceRows = {
  last: LastClose | null;
  items: ItemRows[];
  published: Published;
  deltas: ReadonlyMap<number, SetDeltas>;
};

/** Everything that series of items are made of. One round trip; the first one after a close also loads the markets and the sets. */
export async function priceRows(
  sql: PricedSql,
  itemIds: readonly string[],
  { fromDay = null, asOf = null }: RowsOptions = {},
): Promise<PriceRows> {
  const rows = await (asOf === null ? rowsOfLast(sql, itemIds, fromDay) : rowsAsOf(sql, itemIds, fromDay, asOf));
  const priced = rows.items.filter(({ card }) => card !== null);
  return { ...rows, deltas: await deltasOfSets(sql, rows.published, new Set(priced.map(({ setId }) => setId))) };
}

/** The tracked series of items, read for them alone. */
export async function seriesOfItems(
  sql: PricedSql,
  itemIds: readonly string[],
  { provisional = false, ...options }: RowsOptions & { provisional?: boolean } = {},
): Promise<Series[]> {
  return seriesIn(await priceRows(sql, itemIds, options), { provisional });
}

/**
 * The tracked series in rows: those that sold, whose first sale waits for its close, or that have a registered cert. As
 * of the close of the rows; `provisional`: with the sales that have become known since.
 */
export function seriesIn(rows: PriceRows, { provisional }: { provisional: boolean }): Series[] {
  const { last, items, published } = rows;
  return items.flatMap((closed) => {
    const deltas = closed.card === null ? [] : rows.deltas.get(closed.setId)!;
    const item = provisional && closed.pending.length > 0 ? withPending(published, closed, last) : closed;
    const keys = new Set(item.card?.grades.map(({ grade }) => published.model.gradeKeys[grade]!));
    for (const { gradeKey } of item.pending) keys.add(gradeKey);
    for (const gradeKey of item.certified) keys.add(gradeKey);
    const moment = momentOf(item, last);
    return [...keys].map((gradeKey) => oneSeries(item, gradeKey, moment, published, deltas));
  });
}

type ReadRows = Omit<PriceRows, 'deltas'>;

async function rowsOfLast(sql: PricedSql, itemIds: readonly string[], fromDay: number | null): Promise<ReadRows> {
  const { last, items } = await itemRows(sql, itemIds, fromDay);
  return { last, items, published: await publishedAt(sql, last?.day ?? null, last?.edition) };
}

async function rowsAsOf(
  sql: PricedSql,
  itemIds: readonly string[],
  fromDay: number | null,
  day: number,
): Promise<ReadRows> {
  const published = await publishedAt(sql, day, await editionOf(sql));
  const [items, moment] = await Promise.all([
    itemRowsAsOf(sql, itemIds, fromDay, day, published.model),
    closeMomentOf(sql, day),
  ]);
  const { version, edition } = published;
  return { last: { day, version, edition, ...moment }, items, published };
}

type Moment = Pick<Series, 'day' | 'computedAtMs'>;

function momentOf(item: ItemRows | ProvisionalRows, last: LastClose | null): Moment {
  if (!('recordedAtMs' in item)) return { day: last?.day ?? null, computedAtMs: last?.atMs ?? null };
  // Also a sale that was recorded before the close ran: the moment of the close is that of the prices that it published.
  return { day: item.day, computedAtMs: Math.max(item.recordedAtMs, (last?.atMs ?? 0) + 1) };
}

function oneSeries(
  item: ItemRows,
  gradeKey: string,
  { day, computedAtMs }: Moment,
  published: Published,
  deltas: SetDeltas,
): Series {
  const grade = published.model.gradeIndex.get(gradeKey) ?? null;
  const isWithheld = item.withheld.length > 0 && item.withheld.some((key) => key === '*' || key === gradeKey);
  const named = { item, gradeKey, grade, day, computedAtMs, isWithheld };
  if (item.card === null || grade === null) return { ...named, own: null, snapshots: [], world: null, termsOn: null };
  const own = item.card.grades.find((one) => one.grade === grade) ?? null;
  const world = lineWorld(published, item.game, deltas, grade);
  return {
    ...named,
    own,
    snapshots: own === null ? unsoldSnapshots(item, gradeKey, published) : snapshotsOf(item, grade),
    world: isWithheld ? null : world,
    termsOn: world.termsOn,
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
export function pricedOn({ snapshots, world }: Pick<Series, 'snapshots' | 'world'>, day: number): LogQuote | null {
  const quote = world === null ? null : quoteOn(snapshots, day, world);
  return quote !== null && isPriced(quote, world!.params) ? quote : null;
}
