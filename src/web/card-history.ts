import type { Context } from '../http/context.ts';
import { fmvSeries } from '../items/fmv-series.ts';
import type { Located } from '../items/locate.ts';
import { series } from '../items/series.ts';
import type { trades } from '../items/trades.ts';
import { windowDaysOf } from '../items/window.ts';
import { dayOf } from '../lib/day.ts';
import { standingOf } from './card-words.ts';
import type { ChartData, LinePoint } from './chart-shape.ts';

/** Windows of the chart: days back, or everything. */
export const WINDOWS = ['30', '90', '365', '1095', 'all'] as const;
export type Window = (typeof WINDOWS)[number];
export const USUAL_WINDOW: Window = '365';

/** The window of a query, null for one that there is not. */
export function windowOf(text: string | null): Window | null {
  return text === null ? USUAL_WINDOW : (WINDOWS.find((one) => one === text) ?? null);
}

/** Sales that a chart has room for, the newest ones. */
export const CHART_SALES = 1000;
/** A line of more days is told by week, or by what it takes to stay below twice this. */
const LINE_POINTS = 400;
const MIN_DAYS = 30;

type TradesBody = Awaited<ReturnType<typeof trades.view>>['body'];

/** What the chart of a card at one grade shows: the lines of the API's views, and the newest of its sales. */
export async function historyOf(
  context: Context,
  located: Located,
  window: Window,
  recorded: TradesBody,
): Promise<ChartData> {
  const [model, averages] = await Promise.all([
    fmvSeries.view(context, located, { window }),
    series.view(context, located, { window }),
  ]);
  const toDay = dayOf(context.clock());
  const from = toDay - windowDaysOf(window) + 1;
  const known = model.body.points.flatMap(({ t, usdCents, lowUsdCents, highUsdCents }): LinePoint[] =>
    usdCents === null || lowUsdCents === null || highUsdCents === null
      ? []
      : [{ day: dayOf(Date.parse(t)), usdCents, lowUsdCents, highUsdCents }],
  );
  const stepDays = known.length <= LINE_POINTS ? 1 : 7 * Math.ceil(known.length / 7 / LINE_POINTS);
  const last = known.at(-1)?.day ?? 0;
  const dots = recorded.trades.flatMap((trade) => {
    const day = dayOf(Date.parse(trade.observedAt));
    return trade.priceUsdCents === null || day < from ? [] : [{ day, usdCents: trade.priceUsdCents, trade }];
  });
  const data = {
    // The newest close stays.
    line: known.filter(({ day }) => (last - day) % stepDays === 0),
    stepDays,
    sales: dots.filter((dot) => dot.trade.disposition !== 'refused').map(({ day, usdCents }) => ({ day, usdCents })),
    refused: dots
      .filter((dot) => dot.trade.disposition === 'refused')
      .map(({ day, usdCents, trade }) => ({ day, usdCents, reason: standingOf(trade) })),
    listings: averages.body.points
      .filter(({ kind }) => kind === 'listing')
      .map(({ t, usdCents }) => ({ day: dayOf(Date.parse(t)), usdCents })),
  };
  const first = Math.min(...[...data.line, ...data.sales, ...data.refused, ...data.listings].map(({ day }) => day));
  return { ...data, fromDay: Math.max(from, Math.min(first, toDay - MIN_DAYS)), toDay };
}

export function isEmpty({ line, sales, refused, listings }: ChartData): boolean {
  return line.length + sales.length + refused.length + listings.length === 0;
}
