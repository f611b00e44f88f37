import type { Sql } from '../../db/client.ts';
import { percent } from '../../lib/money.ts';
import { snapshotOn } from '../model/daily-line.ts';
import { type Influence, influencesOn } from '../model/influence.ts';
import { centsOf } from '../model/quote.ts';
import { SALE_TAKEN } from '../store/ledger-sales.ts';
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
  sourceUrl: string | null;
  /** In (0, 1]; 1 for one that waits for its close. */
  weight: number;
  /** By how many percent the price would be higher, had this sale been one percent higher. */
  influence: number;
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
  const termsOn = (one: number, on: number, level: number) => byGrade.get(one)!.world!.termsOn(on, level);
  const { cardLevel } = snapshotOn(series.snapshots, day)!;
  const influences = influencesOn(updates, { grade: grade!, day, cardLevel }, termsOn, world.params);
  // Snapshots of version 2 have no updates.
  if (influences.length === 0) return null;
  const sumOf = (list: readonly Influence[]) => fourDecimals(list.reduce((sum, { influence }) => sum + influence, 0));
  const ownSales = sumOf(influences.filter(({ update }) => update.grade === grade));
  const otherGrades = sumOf(influences.filter(({ update }) => update.grade !== grade));
  const shares = { ownSales, otherGrades, setAndGame: fourDecimals(1 - ownSales - otherGrades) };
  const marketOn = (one: number) => world.contextOn(one).marketLevel;
  const [last, sales] = await Promise.all([
    lastOwnSale(sql, item, gradeKey, day),
    influentialSales(sql, item, influences, byGrade, day),
  ]);
  return {
    basis: basisOf(shares),
    shares,
    lastOwnSale: last,
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

/** The sales behind the updates with the largest influence. */
async function influentialSales(
  sql: Sql,
  item: Series['item'],
  influences: readonly Influence[],
  byGrade: ReadonlyMap<number | null, Series>,
  shownDay: number,
): Promise<InfluentialSale[]> {
  const largestOf = ({ update, influence }: Influence) => Math.abs(influence) * Math.max(...update.shares);
  const largest = influences.toSorted((a, b) => largestOf(b) - largestOf(a)).slice(0, SALES_SHOWN);
  const isWaiting = ({ update }: Influence) => waitingUpdates(item).includes(update);
  const days = largest.filter((one) => !isWaiting(one)).map(({ update }) => update.day);
  const taken = days.length === 0 ? [] : await takenSales(sql, item.itemId, days, shownDay);
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
  return sales.sort((a, b) => Math.abs(b.influence) - Math.abs(a.influence)).slice(0, SALES_SHOWN);
}

/** A sale that an update took in, and the day of that close. */
type TakenSale = Omit<InfluentialSale, 'influence' | 'priceBeforeUsdCents'> & { closedDay: number };

const COLUMNS = `s.grade_key as "gradeKey", floor(date_part('epoch', s.sold_at) * 1000)::int8 as "soldAtMs",
  s.price_usd_cents as "priceUsdCents", s.source, s.url as "sourceUrl",
  (select display_name from sources where id = s.source) as "displayName"`;
// As `saleOrder` has the sales of a series: those that differ in their source alone have equal shares.
const ORDER = 'order by s.sold_day, s.price_usd_cents, s.sale_type collate "C", s.id';

/** Those that the closes of these days took in, but those that were taken out again by the close of `shownDay`. */
async function takenSales(sql: Sql, itemId: string, days: readonly number[], shownDay: number): Promise<TakenSale[]> {
  return await sql.prepared<TakenSale>(
    'pricing_taken_sales',
    `select ${COLUMNS}, coalesce(u.weight, 1) as weight, ${SALE_TAKEN.day} as "closedDay" from ${SALE_TAKEN.from}
       and s.item_id = $1 and ${SALE_TAKEN.day} = any($2) and (u.voided_day is null or u.voided_day > $3) ${ORDER}`,
    [itemId, days, shownDay],
  );
}

/** The newest sale of a series at the close of a day, or of those that wait for theirs. */
async function lastOwnSale(sql: Sql, { itemId, pending }: Series['item'], gradeKey: string, day: number) {
  const [last] = await sql.prepared<NonNullable<Explanation['lastOwnSale']>>(
    'pricing_last_sale',
    `select floor(date_part('epoch', sold_at) * 1000)::int8 as "soldAtMs", cents as "priceUsdCents" from (
       select s.id, s.sold_at, s.price_usd_cents as cents from ${SALE_TAKEN.from}
         and s.item_id = $1 and s.grade_key = $2 and ${SALE_TAKEN.day} <= $3 and (u.voided_day is null or u.voided_day > $3)
       union all
       select id, sold_at, price_usd_cents from sales where id = any((select $4::bigint[])::bigint[]) and grade_key = $2
     ) known order by sold_at desc, id desc limit 1`,
    [itemId, gradeKey, day, pending.map(({ id }) => id)],
  );
  return last ?? null;
}

/** Those that wait for their close. */
async function waitingSales(sql: Sql, { pending }: Series['item']): Promise<TakenSale[]> {
  return await sql.prepared<TakenSale>(
    'pricing_waiting_sales',
    `select ${COLUMNS}, 1 as weight, 0 as "closedDay" from sales s where s.id = any($1) ${ORDER}`,
    [pending.map(({ id }) => id)],
  );
}
