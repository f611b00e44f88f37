import { lowAndHigh } from '../../../items/summary.ts';
import { dayOf, MS_PER_DAY } from '../../../lib/day.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { type ItemPrices, lineOfPrices, type PublishedPoint, pointsOnDays } from '../../../pricing/read/item-prices.ts';
import type { PricedDb } from '../../../pricing/read/quotes.ts';
import { newestTrades, type TradeRow } from '../../../sales/ledger.ts';
import { type LiveListings, listingsOfSeries } from '../../../sales/listings-of-series.ts';
import { acceptedSalesOf } from '../../../sales/sales-by-day.ts';
import type { DayRange, DayValue } from '../../chart/chart-shape.ts';
import { type ChartWindow, daysOf, windowWithSales } from '../../chart/chart-window.ts';
import type { WebContext } from '../../context.ts';
import { type PriceEvent, priceEvents } from './price-events.ts';

/** The most sales drawn in a chart, the newest ones. */
const CHART_SALES = 1000;
/** A line of more days is drawn in steps of several: a chart is as wide as this on most screens. */
const LINE_POINTS = 200;
const MIN_DAYS = 30;
/** A listing that was not seen for longer may have ended. */
export const LISTED_DAYS = 30;

/** Prices of a window in US cents. */
export type PriceHistory = {
  fromDay: number;
  toDay: number;
  /** In order; a day without a price leaves a gap. */
  line: readonly PricePoint[];
  /** Days from one point of the line to the next. */
  stepDays: number;
  /** In order, rejected ones too. */
  sales: readonly ChartSale[];
  /** Mean asking price of each day. */
  listings: readonly DayValue[];
  events: readonly PriceEvent[];
};
/** A sale in a chart, with its row where there is one. */
export type ChartSale = DayValue & { disposition: TradeRow['disposition']; trade?: TradeRow };
/** `next`: the range of the next sale, where that day's version of the model had one. */
export type PricePoint = DayValue & DayRange & { next: Omit<DayRange, 'day'> | null };

export type CardHistory = {
  chart: PriceHistory;
  window: ChartWindow;
  /** The window of the bare address: the shortest with a few sales. */
  usual: ChartWindow;
  /** Newest first, as many as a chart has room for, whatever the window; `total` counts them all. */
  recorded: { trades: TradeRow[]; total: number };
  /** Asks that were seen in the last LISTED_DAYS. */
  live: LiveListings | null;
  /** Accepted sales of the last 30 closed days; null where `recorded` does not reach back so far. */
  soldIn30Days: number | null;
};

/**
 * A card's history at one grade, as the API has it; without a window in the one that shows a few sales. `reading`: the prices of
 * the item, which may still be read.
 */
export async function historyOf(
  { db, clock, fingerprint }: WebContext,
  { itemId, gradeKey }: { itemId: string; gradeKey: string },
  named: ChartWindow | null,
  reading: ItemPrices | Promise<ItemPrices>,
): Promise<CardHistory> {
  const [recorded, prices] = await Promise.all([
    newestTrades(db, { itemId, gradeKey, limit: CHART_SALES }, fingerprint),
    reading,
  ]);
  const toDay = dayOf(clock());
  const sold = recorded.trades.flatMap(salesOfTrade).toReversed();
  const usual = windowWithSales(
    sold.map(({ day }) => day),
    toDay,
  );
  const window = named ?? usual;
  const days = daysOf(window);
  const from = toDay - days + 1;
  const [points, listings] = await Promise.all([
    closedLine(db, prices, gradeKey, days),
    listingsOfSeries(db, { itemId, gradeKey, fromDay: from, toDay, sinceMs: clock() - LISTED_DAYS * MS_PER_DAY }),
  ]);
  const known = pricePoints(points.filter(({ day }) => day >= from));
  const stepDays = Math.max(1, Math.ceil(known.length / LINE_POINTS));
  const newest = known.at(-1)?.day ?? 0;
  const soldOn = groupBy(recorded.trades.filter(isAccepted), ({ observedAt }) => dayOf(Date.parse(observedAt)));
  const data = {
    // Steps count back from the newest close, which is always drawn.
    line: known.filter(({ day }) => (newest - day) % stepDays === 0),
    stepDays,
    sales: sold.filter(({ day }) => day >= from),
    listings: listings.days.map(({ day, usdCents }) => ({ day, value: usdCents })),
    events: priceEvents(
      points.map(({ day, usdCents }) => ({ day, usdCents, n: soldOn.get(day)?.length ?? 0 })),
      from,
    ),
  };
  const fromDay = Math.max(from, firstDayOf([...data.line, ...data.sales, ...data.listings], toDay));
  const chart = { ...data, fromDay, toDay };
  const { live } = listings;
  return { chart, window, usual, recorded, live, soldIn30Days: soldIn30DaysOf(recorded, prices.day ?? 0) };
}

/** The line of the closed days of a window, from the first that can have a price: earlier versions may have had one before. */
async function closedLine(db: PricedDb, prices: ItemPrices, gradeKey: string, days: number) {
  const { day, closed, earlier } = prices;
  if (day === null) return [];
  const first = closed.find((one) => one.gradeKey === gradeKey)?.snapshots[0]?.day ?? day;
  const from = day - days + 1;
  return await lineOfPrices(db, prices, gradeKey, earlier.length > 0 ? from : Math.max(from, first), day);
}

/** Accepted sales of the last 30 closed days; null where the newest trades do not reach back so far. */
export function soldIn30DaysOf({ trades, total }: CardHistory['recorded'], closedDay: number): number | null {
  const first = closedDay - 29;
  const dayAt = ({ observedAt }: TradeRow) => dayOf(Date.parse(observedAt));
  if (trades.length < total && dayAt(trades.at(-1)!) >= first) return null;
  return trades.filter((one) => isAccepted(one) && dayAt(one) >= first && dayAt(one) <= closedDay).length;
}

function isAccepted({ disposition }: Pick<TradeRow, 'disposition'>): boolean {
  return disposition !== 'refused';
}

/** The accepted sales and the price of one series over some days up to the last close, read for a small chart. */
export async function readSeriesHistory(
  db: PricedDb,
  prices: ItemPrices,
  gradeKey: string,
  days: number,
): Promise<PriceHistory> {
  const { itemId } = prices;
  const toDay = prices.day ?? 0;
  const fromDay = toDay - days + 1;
  const [daily, accepted] = await Promise.all([
    lineOfPrices(db, prices, gradeKey, fromDay, toDay),
    acceptedSalesOf(db, { itemId, gradeKey, fromDay, toDay }),
  ]);
  const line = pricePoints(daily);
  const sales = accepted.map(({ day, usdCents, isDownweighted }) => ({
    day,
    value: usdCents,
    disposition: isDownweighted ? ('downweighted' as const) : ('used' as const),
  }));
  return { fromDay, toDay, line, sales, stepDays: 1, listings: [], events: [] };
}

function salesOfTrade(trade: TradeRow): ChartSale[] {
  const { priceUsdCents, observedAt, disposition } = trade;
  return priceUsdCents === null
    ? []
    : [{ day: dayOf(Date.parse(observedAt)), value: priceUsdCents, disposition, trade }];
}

/** Reference prices at the closes before some sales, US cents by UTC day. */
export async function pricesBefore(
  { db }: WebContext,
  prices: ItemPrices,
  gradeKey: string,
  trades: readonly TradeRow[],
): Promise<Map<number, number>> {
  const days = new Set(trades.map(({ observedAt }) => dayOf(Date.parse(observedAt)) - 1));
  const points = await pointsOnDays(db, prices, gradeKey, days);
  return new Map(points.flatMap(({ day, usdCents }) => (usdCents === null ? [] : [[day, usdCents]])));
}

/** The days of a line that have a price. */
export function pricePoints(line: readonly PublishedPoint[]): PricePoint[] {
  return line.flatMap(({ day, usdCents, lowUsdCents, highUsdCents, nextSaleRange }) =>
    usdCents === null || lowUsdCents === null || highUsdCents === null
      ? []
      : [{ day, value: usdCents, low: lowUsdCents, high: highUsdCents, next: lowAndHigh(nextSaleRange) }],
  );
}

/** Where a chart of these points up to `toDay` begins: a few points are not stretched over its width. */
export function firstDayOf(points: readonly { day: number }[], toDay: number): number {
  return Math.min(toDay - MIN_DAYS, ...points.map(({ day }) => day));
}

export function isEmpty({ line, sales, listings }: PriceHistory): boolean {
  return line.length + sales.length + listings.length === 0;
}
