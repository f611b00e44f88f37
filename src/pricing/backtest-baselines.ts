import { shuffle, uniformOf } from '../lib/seeded.ts';
import { median } from '../lib/stats.ts';

/** The simple rules that the model must beat, each from the earlier sales of one series. */

export const BASELINES = ['lastSale', 'meanOf3', 'medianOf5', 'median30Days', 'ewma'] as const;
export type Baseline = (typeof BASELINES)[number];

/**
 * Earlier sales of a series in order: the day that each became known, its price in any one unit. At least the newest
 * KEPT_SALES and those of the last WINDOW_DAYS; older ones may be missing.
 */
export type SeriesHistory = { days: number[]; prices: number[] };

/** Days at the beginning of a ledger that the model learns from without being measured. */
export const WARM_UP_DAYS = 31;

const SMOOTHING = 0.3;
export const WINDOW_DAYS = 30;
/** The weighted mean is of so many sales: older ones would have a weight of 2e-8. */
export const KEPT_SALES = 50;

/** Forecasts on `day`, in the unit of the prices. Without a sale in 30 days their median falls back on the last sale. */
export function baselinesOf({ days, prices }: SeriesHistory, day: number): Record<Baseline, number> {
  const last = prices.at(-1)!;
  const threePrices = prices.slice(-3);
  const month: number[] = [];
  for (let i = prices.length - 1; i >= 0 && days[i]! >= day - WINDOW_DAYS; i--) month.push(prices[i]!);
  return {
    lastSale: last,
    meanOf3: threePrices.reduce((sum, price) => sum + price, 0) / threePrices.length,
    medianOf5: median(prices.slice(-5)),
    median30Days: month.length > 0 ? median(month) : last,
    ewma: smoothed(prices),
  };
}

function smoothed(prices: readonly number[]): number {
  let i = Math.max(0, prices.length - KEPT_SALES);
  let mean = prices[i]!;
  for (i++; i < prices.length; i++) mean += SMOOTHING * (prices[i]! - mean);
  return mean;
}

/**
 * Adds the sales of a day to the history of a series. Their order depends on the day, the name of the series and the prices
 * alone, not on how they are listed: files list them by price, which would make the last sale the highest one.
 */
export function rememberDay(history: SeriesHistory, series: string, day: number, prices: readonly number[]): void {
  let ordered = prices;
  if (prices.length > 1) {
    const sorted = [...prices].sort((a, b) => a - b);
    shuffle(sorted, uniformOf(`${day} ${series}`));
    ordered = sorted;
  }
  for (const price of ordered) {
    history.days.push(day);
    history.prices.push(price);
  }
  forgetOld(history, day);
}

/** Drops the oldest sales that no rule can need any more, many at a time. */
function forgetOld({ days, prices }: SeriesHistory, day: number): void {
  const most = days.length - KEPT_SALES;
  if (most < KEPT_SALES) return;
  let old = 0;
  while (old < most && days[old]! < day - WINDOW_DAYS) old++;
  if (old < KEPT_SALES) return;
  days.splice(0, old);
  prices.splice(0, old);
}
