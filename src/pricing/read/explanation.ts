import type { Sql } from '../../db/client.ts';
import { percent } from '../../lib/money.ts';
import type { SaleType } from '../../sales/sale.ts';
import { snapshotOn } from '../model/daily-line.ts';
import { type Influence, influencesOn } from '../model/influence.ts';
import { centsOf } from '../model/quote.ts';
import type { PendingSale } from '../store/item-rows.ts';
import { DUE_DAY, SALE_TAKEN } from '../store/ledger-sales.ts';
import { decodeUpdates } from '../store/snapshot-bytes.ts';
import type { ItemPrices } from './item-prices.ts';
import { pricedOn, type Series } from './price-series.ts';

/** What a price is made of (docs/methodology/pricing.md, section 3). */
export type Explanation = {
  /** The largest share. */
  basis: 'own_sales' | 'other_grades' | 'set_and_game';
  /** Of influence; they add up to 1. */
  shares: { ownSales: number; otherGrades: number; setAndGame: number };
  /** The newest sale of the series that counts; null without one. */
  lastOwnSale: { soldAtMs: number; priceUsdCents: number } | null;
  /** Of the game's market since the close of the series' last sale, a plain percent; null without one. */
  marketSinceLastSalePct: number | null;
  /** Those with the largest influence, largest first. */
  sales: InfluentialSale[];
};

/** A sale with what it does to a price. */
type InfluentialSale = {
  gradeKey: string;
  soldAtMs: number;
  priceUsdCents: number;
  source: string;
  displayName: string;
  saleType: SaleType;
  sourceUrl: string | null;
  /** In (0, 1]; 1 for one that waits for its close. */
  weight: number;
  /** By how many percent the price would be higher, had this sale been one percent higher. */
  influence: number;
  /** Since the last close: the next one takes it out. */
  voided: boolean;
  /** Of its own grade, on the day before its close; null without a price. */
  priceBeforeUsdCents: number | null;
};

const SALES_SHOWN = 5;

/** What the price of a grade is made of; null without a price, and on days of version 2. `prices` reach back to the first sale. */
export async function explanationOf(
  sql: Sql,
  { series: all }: ItemPrices,
  gradeKey: string,
): Promise<Explanation | null> {
  const series = all.find((one) => one.gradeKey === gradeKey);
  if (!series?.world || series.day === null || pricedOn(series, series.day) === null) return null;
  const { day, grade, item, own, world } = series;
  const byGrade = new Map(all.map((one) => [one.grade, one]));
  const updates = [...decodeUpdates(item.snapshotBytes), ...waitingUpdates(item)];
  const termsOn = (one: number, on: number, level: number) => byGrade.get(one)!.termsOn!(on, level);
  const { cardLevel } = snapshotOn(series.snapshots, day)!;
  const influences = influencesOn(updates, { grade: grade!, day, cardLevel }, termsOn, world.params);
  // Snapshots of version 2 have no updates.
  if (influences.length === 0) return null;
  const sumOf = (list: readonly Influence[]) => fourDecimals(list.reduce((sum, { influence }) => sum + influence, 0));
  const ownSales = sumOf(influences.filter(({ update }) => update.grade === grade));
  const otherGrades = sumOf(influences.filter(({ update }) => update.grade !== grade));
  const shares = { ownSales, otherGrades, setAndGame: fourDecimals(1 - ownSales - otherGrades) };
  const marketOn = (one: number) => world.contextOn(one).marketLevel;
  const { last, sales } = await influentialSales(sql, series, influences, byGrade);
  const pending = item.pending.filter((sale) => sale.gradeKey === gradeKey);
  return {
    basis: basisOf(shares),
    shares,
    lastOwnSale: newestOf(last, pending),
    marketSinceLastSalePct: own === null ? null : percent(Math.exp(marketOn(day) - marketOn(own.lastDay)) - 1),
    sales,
  };
}

function waitingUpdates(item: Series['item']) {
  return 'updates' in item ? item.updates : [];
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function basisOf({ ownSales, otherGrades, setAndGame }: Explanation['shares']): Explanation['basis'] {
  if (ownSales >= otherGrades && ownSales >= setAndGame) return 'own_sales';
  return otherGrades >= setAndGame ? 'other_grades' : 'set_and_game';
}

/** The newest sale of a series: of those that closes have taken in, or of those that wait for theirs, the oldest id first. */
function newestOf(taken: Explanation['lastOwnSale'], pending: readonly PendingSale[]): Explanation['lastOwnSale'] {
  let newest = taken;
  for (const sale of pending) if (newest === null || sale.soldAtMs >= newest.soldAtMs) newest = sale;
  return newest && { soldAtMs: newest.soldAtMs, priceUsdCents: newest.priceUsdCents };
}

/** The sales behind the updates with the largest influence; `last`: the newest sale of the series that a close has taken in. */
async function influentialSales(
  sql: Sql,
  { item, gradeKey, day }: Series,
  influences: readonly Influence[],
  byGrade: ReadonlyMap<number | null, Series>,
): Promise<{ last: TakenSale | null; sales: InfluentialSale[] }> {
  const largestOf = ({ update, influence }: Influence) => Math.abs(influence) * Math.max(...update.shares);
  const largest = influences.toSorted((a, b) => largestOf(b) - largestOf(a)).slice(0, SALES_SHOWN);
  const isWaiting = ({ update }: Influence) => waitingUpdates(item).includes(update);
  const days = largest.filter((one) => !isWaiting(one)).map(({ update }) => update.day);
  const { last, taken } = await takenSales(sql, { itemId: item.itemId, gradeKey, days, shownDay: day! });
  const waiting = largest.some(isWaiting) ? await waitingSales(sql, item) : [];
  const sales = largest.flatMap((one): InfluentialSale[] => {
    const { update, influence } = one;
    const series = byGrade.get(update.grade)!;
    const before = pricedOn(series, update.day - 1);
    const ofDay = isWaiting(one) ? waiting : taken.filter(({ closedDay }) => closedDay === update.day);
    const ofUpdate = ofDay.filter(({ gradeKey }) => gradeKey === series.gradeKey);
    return ofUpdate.map(({ closedDay: _day, ...sale }, i) => ({
      ...sale,
      influence: fourDecimals(influence * (update.shares[i] ?? 0)),
      priceBeforeUsdCents: before && centsOf(before.mean),
    }));
  });
  sales.sort((a, b) => Math.abs(b.influence) - Math.abs(a.influence));
  return { last, sales: sales.slice(0, SALES_SHOWN) };
}

/** A sale that an update took in, and the day of that close. */
type TakenSale = Omit<InfluentialSale, 'influence' | 'priceBeforeUsdCents'> & { closedDay: number };

const COLUMNS = `s.grade_key as "gradeKey", floor(date_part('epoch', s.sold_at) * 1000)::int8 as "soldAtMs",
  s.price_usd_cents as "priceUsdCents", s.source, s.url as "sourceUrl",
  s.sale_type as "saleType",
  (select display_name from sources where id = s.source) as "displayName"`;
// As `saleOrder` has the sales of a series: those that differ in their source alone have equal shares.
const ORDER = 'order by s.sold_day, s.price_usd_cents, s.sale_type collate "C", s.id';

const takenWhere = (condition: string) => `${SALE_TAKEN.from()}
  and s.item_id = $1 and ${condition} and (u.voided_day is null or u.voided_day > $3)`;
const TAKEN = `s.*, coalesce(u.weight, 1) as use_weight, ${SALE_TAKEN.day} as closed_day,
  u.voided_day is null and exists (select from sale_voids v where v.sale_id = s.id) as voided`;
const TAKEN_SALES = `
  select ${COLUMNS}, s.use_weight as weight, s.voided, s.closed_day as "closedDay", is_last as "isLast" from (
    -- Apart from those taken in later than due, which are few: a card has thousands of others.
    (select ${TAKEN}, false as is_last from ${takenWhere(`${DUE_DAY} = any($2) and ${SALE_TAKEN.day} = any($2)`)})
    union all
    (select ${TAKEN}, false from ${takenWhere(`${DUE_DAY} <> all($2) and u.closed_day = any($2)`)})
    union all
    (select ${TAKEN}, true from ${takenWhere(`s.grade_key = $4 and ${SALE_TAKEN.day} <= $3`)}
     order by s.sold_day desc, s.sold_at desc, s.id desc limit 1)
  ) s ${ORDER}`;

/**
 * Those that the closes of these days took in, but those that were taken out again by the close of `shownDay`; `last`: the
 * newest sale of a grade at that close.
 */
async function takenSales(
  sql: Sql,
  { itemId, gradeKey, days, shownDay }: { itemId: string; gradeKey: string; days: readonly number[]; shownDay: number },
): Promise<{ last: TakenSale | null; taken: TakenSale[] }> {
  const rows = await sql.prepared<TakenSale & { isLast: boolean }>('pricing_taken_sales', TAKEN_SALES, [
    itemId,
    days,
    shownDay,
    gradeKey,
  ]);
  const sales = rows.map(({ isLast: _, ...sale }) => sale);
  return {
    last: sales[rows.findIndex(({ isLast }) => isLast)] ?? null,
    taken: sales.filter((_, at) => !rows[at]!.isLast),
  };
}

/** Those that wait for their close. */
async function waitingSales(sql: Sql, { pending }: Series['item']): Promise<TakenSale[]> {
  return await sql.prepared<TakenSale>(
    'pricing_waiting_sales',
    `select ${COLUMNS}, 1 as weight, false as voided, 0 as "closedDay" from sales s where s.id = any($1) ${ORDER}`,
    [pending.map(({ id }) => id)],
  );
}
