import { shuffle, uniformOf } from '../lib/seeded.ts';

/** The simple rules that the model must beat, each from the earlier sales of one series. */

export const BASELINES = ['lastSale', 'meanOf3', 'medianOf5', 'median30Days', 'ewma'] as const;
export type Baseline = (typeof BASELINES)[number];

/**
 * Earlier sales of a series in order: the day that each became known, its price in cents. At least the newest
 * KEPT_SALES and those of the last WINDOW_DAYS; older ones may be missing.
 */
export type SeriesHistory = { days: number[]; prices: number[] };

/** Days at the beginning of a ledger that the model learns from without being measured. */
export const WARM_UP_DAYS = 31;

const SMOOTHING = 0.3;
export const WINDOW_DAYS = 30;
/** The weighted mean is of so many sales: older ones would have a weight of 2e-8. */
export const KEPT_SALES = 50;

/** Forecasts on `day`, in cents. Without a sale in 30 days their median falls back on the last sale. */
export function baselinesOf({ days, prices }: SeriesHistory, day: number): Record<Baseline, number> {
  const count = prices.length;
  let sum = 0;
  for (let i = Math.max(0, count - 3); i < count; i++) sum += prices[i]!;
  let month = count;
  while (month > 0 && days[month - 1]! >= day - WINDOW_DAYS) month--;
  return {
    lastSale: prices[count - 1]!,
    meanOf3: sum / Math.min(3, count),
    medianOf5: medianFrom(prices, Math.max(0, count - 5)),
    median30Days: month < count ? medianFrom(prices, month) : prices[count - 1]!,
    ewma: smoothed(prices),
  };
}

/** Reused: a close has as many medians as series that sold. */
let scratch = new Float64Array(256);
/** Longer lists are sorted faster by the runtime. */
const SHORT = 24;

/** The median of the prices from a place on. */
function medianFrom(prices: readonly number[], from: number): number {
  const count = prices.length - from;
  if (count > scratch.length) scratch = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const price = prices[from + i]!;
    let place = i;
    for (; count <= SHORT && place > 0 && scratch[place - 1]! > price; place--) scratch[place] = scratch[place - 1]!;
    scratch[place] = price;
  }
  if (count > SHORT) scratch.subarray(0, count).sort();
  const middle = count >> 1;
  return count % 2 === 1 ? scratch[middle]! : (scratch[middle - 1]! + scratch[middle]!) / 2;
}

function smoothed(prices: readonly number[]): number {
  let i = Math.max(0, prices.length - KEPT_SALES);
  let mean = prices[i]!;
  for (i++; i < prices.length; i++) mean += SMOOTHING * (prices[i]! - mean);
  return mean;
}

/**
 * Adds the sales of a day to the history of a series. Their order depends on the day and the prices alone, not on how they are
 * listed: files list them by price, which would make the last sale the highest one.
 */
export function rememberDay(history: SeriesHistory, day: number, prices: readonly number[]): void {
  if (prices.length === 1) add(history, day, prices[0]!);
  else {
    const ordered = [...prices].sort((a, b) => a - b);
    shuffle(ordered, uniformOf(`${day} ${ordered.join(' ')}`));
    for (const price of ordered) add(history, day, price);
  }
  forgetOld(history, day);
}

function add({ days, prices }: SeriesHistory, day: number, price: number): void {
  days.push(day);
  prices.push(price);
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
