import { fmvSeries } from '../../items/fmv-series.ts';
import type { Located } from '../../items/locate.ts';
import { series } from '../../items/series.ts';
import { newestTrades } from '../../items/trades/trades.ts';
import { dayOf } from '../../lib/day.ts';
import type { TradeRow } from '../../sales/ledger.ts';
import type { DayRange, DayValue } from '../chart/chart-shape.ts';
import { type ChartWindow, daysOf } from '../chart/chart-window.ts';
import type { WebContext } from '../context.ts';
import { standingOf } from './card-words.ts';

/** Windows that a card offers. */
export const WINDOWS: readonly ChartWindow[] = ['30', '90', '365', '1095', 'all'];

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
  sales: readonly DayValue[];
  rejected: readonly (DayValue & { reason: string })[];
  /** Mean asking price of each day. */
  listings: readonly DayValue[];
};
/** `next`: the range of the next sale, where that day's version of the model had one. */
export type PricePoint = DayValue & DayRange & { next: Omit<DayRange, 'day'> | null };

export type CardHistory = {
  chart: PriceHistory;
  /** Newest first, as many as a chart has room for, whatever the window; `total` counts them all. */
  recorded: { trades: TradeRow[]; total: number };
  /** Completed sales of the last 30 closed days. */
  soldIn30Days: number;
};

/** A card's history at one grade, from the views of the API. */
export async function historyOf(context: WebContext, located: Located, window: ChartWindow): Promise<CardHistory> {
  const days = daysOf(window);
  const [{ body: model }, { body: averages }, recorded] = await Promise.all([
    fmvSeries.view(context, located, { window: days }),
    series.view(context, located, { window: days }),
    newestTrades(context, located, 'grade', CHART_SALES),
  ]);
  const toDay = dayOf(context.clock());
  const from = toDay - days + 1;
  const known = pricePoints(model.points.map(({ t, ...price }) => ({ day: dayOf(Date.parse(t)), ...price })));
  const stepDays = known.length <= LINE_POINTS ? 1 : 7 * Math.ceil(known.length / 7 / LINE_POINTS);
  const newest = known.at(-1)?.day ?? 0;
  const dots = recorded.trades.flatMap((trade) => {
    const day = dayOf(Date.parse(trade.observedAt));
    const isRejected = trade.disposition === 'refused';
    if (trade.priceUsdCents === null || day < from) return [];
    return [{ day, value: trade.priceUsdCents, isRejected, reason: standingOf(trade) }];
  });
  const data = {
    // Steps count back from the newest close, which is always drawn.
    line: known.filter(({ day }) => (newest - day) % stepDays === 0),
    stepDays,
    sales: dots.filter(({ isRejected }) => !isRejected),
    rejected: dots.filter(({ isRejected }) => isRejected),
    listings: averages.points
      .filter(({ kind }) => kind === 'listing')
      .map(({ t, usdCents }) => ({ day: dayOf(Date.parse(t)), value: usdCents })),
  };
  const fromDay = Math.max(from, firstDayOf([...data.line, ...dots, ...data.listings], toDay));
  const chart = { ...data, fromDay, toDay };
  // Every window has these days, and a point for each of them.
  const soldIn30Days = model.points.slice(-30).reduce((sum, { n }) => sum + n, 0);
  return { chart, recorded, soldIn30Days };
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

export function isEmpty({ line, sales, rejected, listings }: PriceHistory): boolean {
  return line.length + sales.length + rejected.length + listings.length === 0;
}
