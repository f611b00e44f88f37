import { median } from '../lib/stats.ts';

/** The simple rules that the model must beat, each from the earlier sales of one series. */

export const BASELINES = ['lastSale', 'meanOf3', 'medianOf5', 'median30Days', 'ewma'] as const;
export type Baseline = (typeof BASELINES)[number];

/** Earlier sales of a series in order, prices in dollars. */
export type SeriesHistory = { days: number[]; prices: number[]; smoothed: number };

const SMOOTHING = 0.3;
const WINDOW_DAYS = 30;

/** Forecasts in dollars on `day`. Without a sale in 30 days their median falls back on the last sale. */
export function baselinesOf({ days, prices, smoothed }: SeriesHistory, day: number): Record<Baseline, number> {
  const last = prices.at(-1)!;
  const threePrices = prices.slice(-3);
  const month: number[] = [];
  for (let i = prices.length - 1; i >= 0 && days[i]! >= day - WINDOW_DAYS; i--) month.push(prices[i]!);
  return {
    lastSale: last,
    meanOf3: threePrices.reduce((sum, price) => sum + price, 0) / threePrices.length,
    medianOf5: median(prices.slice(-5)),
    median30Days: month.length > 0 ? median(month) : last,
    ewma: smoothed,
  };
}

/** Adds a sale to its series; the first one starts it. */
export function remember(histories: Map<string, SeriesHistory>, series: string, day: number, priceUsd: number): void {
  const history = histories.get(series);
  if (history === undefined) {
    histories.set(series, { days: [day], prices: [priceUsd], smoothed: priceUsd });
    return;
  }
  history.days.push(day);
  history.prices.push(priceUsd);
  history.smoothed += SMOOTHING * (priceUsd - history.smoothed);
}
