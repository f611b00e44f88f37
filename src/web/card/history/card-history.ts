import { fmvSeries } from '../../../items/fmv-series.ts';
import type { Located } from '../../../items/locate/locate.ts';
import { series } from '../../../items/series.ts';
import { lowAndHigh } from '../../../items/summary.ts';
import { newestTrades } from '../../../items/trades/trades.ts';
import { dayOf } from '../../../lib/day.ts';
import { closedDay, dailyLine, type PricedDb } from '../../../pricing/read/quotes.ts';
import { acceptedSalesOf, type TradeRow } from '../../../sales/ledger.ts';
import type { DayRange, DayValue } from '../../chart/chart-shape.ts';
import { type ChartWindow, daysOf, windowWithSales } from '../../chart/chart-window.ts';
import type { WebContext } from '../../context.ts';
import { type PriceEvent, priceEvents } from './price-events.ts';

/** The most sales drawn in a chart, the newest ones. */
const CHART_SALES = 1000;
/** A line of more days is drawn by week, or by as many weeks as keep it below twice this. */
const LINE_POINTS = 400;
const MIN_DAYS = 30;

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
  /** Completed sales of the last 30 closed days. */
  soldIn30Days: number;
};

/** A card's history at one grade, from the views of the API; without a window in the one that shows a few sales. */
export async function historyOf(
  context: WebContext,
  located: Located,
  named: ChartWindow | null,
): Promise<CardHistory> {
  const recorded = await newestTrades(context, located, 'grade', CHART_SALES);
  const toDay = dayOf(context.clock());
  const sold = recorded.trades.flatMap(salesOfTrade).toReversed();
  const usual = windowWithSales(
    sold.map(({ day }) => day),
    toDay,
  );
  const window = named ?? usual;
  const days = daysOf(window);
  const [{ body: model }, { body: averages }] = await Promise.all([
    fmvSeries.view(context, located, { window: days }),
    series.view(context, located, { window: days }),
  ]);
  const from = toDay - days + 1;
  const points = model.points.map(({ t, ...point }) => ({ day: dayOf(Date.parse(t)), ...point }));
  const known = pricePoints(points.filter(({ day }) => day >= from));
  const stepDays = known.length <= LINE_POINTS ? 1 : 7 * Math.ceil(known.length / 7 / LINE_POINTS);
  const newest = known.at(-1)?.day ?? 0;
  const data = {
    // Steps count back from the newest close, which is always drawn.
    line: known.filter(({ day }) => (newest - day) % stepDays === 0),
    stepDays,
    sales: sold.filter(({ day }) => day >= from),
    listings: averages.points
      .filter(({ kind }) => kind === 'listing')
      .map(({ t, usdCents }) => ({ day: dayOf(Date.parse(t)), value: usdCents })),
    events: priceEvents(points, from),
  };
  const fromDay = Math.max(from, firstDayOf([...data.line, ...data.sales, ...data.listings], toDay));
  const chart = { ...data, fromDay, toDay };
  // Every window has these days, and a point for each of them.
  const soldIn30Days = model.points.slice(-30).reduce((sum, { n }) => sum + n, 0);
  return { chart, window, usual, recorded, soldIn30Days };
}

/** The accepted sales and the price of one series over some days up to the last close, read for a small chart. */
export async function readSeriesHistory(
  db: PricedDb,
  { itemId, gradeKey }: { itemId: string; gradeKey: string },
  days: number,
): Promise<PriceHistory> {
  const toDay = (await closedDay(db)) ?? 0;
  const fromDay = toDay - days + 1;
  const [daily, accepted] = await Promise.all([
    dailyLine(db, itemId, gradeKey, fromDay, toDay),
    acceptedSalesOf(db, { itemId, gradeKey, fromDay, toDay }),
  ]);
  const line = pricePoints(
    daily.map(({ nextSaleRange, ...point }) => ({ ...point, nextSaleRangeUsdCents: lowAndHigh(nextSaleRange) })),
  );
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
  itemId: string,
  gradeKey: string,
  trades: readonly TradeRow[],
): Promise<Map<number, number>> {
  const days = trades.map(({ observedAt }) => dayOf(Date.parse(observedAt)) - 1);
  if (days.length === 0) return new Map();
  const line = await dailyLine(db, itemId, gradeKey, Math.min(...days), Math.max(...days));
  return new Map(line.flatMap(({ day, usdCents }) => (usdCents === null ? [] : [[day, usdCents]])));
}

type LinePoint = {
  day: number;
  usdCents: number | null;
  lowUsdCents: number | null;
  highUsdCents: number | null;
  nextSaleRangeUsdCents: PricePoint['next'];
};

/** The days of a line that have a price. */
export function pricePoints(line: readonly LinePoint[]): PricePoint[] {
  return line.flatMap(({ day, usdCents, lowUsdCents, highUsdCents, nextSaleRangeUsdCents }) =>
    usdCents === null || lowUsdCents === null || highUsdCents === null
      ? []
      : [{ day, value: usdCents, low: lowUsdCents, high: highUsdCents, next: nextSaleRangeUsdCents }],
  );
}

/** Where a chart of these points up to `toDay` begins: a few points are not stretched over its width. */
export function firstDayOf(points: readonly { day: number }[], toDay: number): number {
  return Math.min(toDay - MIN_DAYS, ...points.map(({ day }) => day));
}

export function isEmpty({ line, sales, listings }: PriceHistory): boolean {
  return line.length + sales.length + listings.length === 0;
}
