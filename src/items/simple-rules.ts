import { dayIso } from '../lib/day.ts';
import { roundHalfUp } from '../lib/money.ts';
import { mean, median } from '../lib/stats.ts';

/** The three plain averages of recent sales that are published with the model's line. Pure. */

export const SIMPLE_RULE_DAYS = 7;

/** Accepted prices of one day, US cents. */
type DayPrices = { day: number; prices: readonly number[] };

const RULES = [
  { method: 'median', label: 'Median sale', centsOf: (days) => median(days.flat()) },
  { method: 'mean', label: 'Mean of daily means', centsOf: (days) => mean(days.map(mean)) },
  { method: 'vwap', label: 'Volume-weighted mean', centsOf: (days) => mean(days.flat()) },
] as const satisfies readonly { method: string; label: string; centsOf(days: number[][]): number }[];

/** Each rule's line over `days`, rising without gaps: null where the seven days up to a day have no sale. */
export function simpleSeries(days: readonly number[], sales: readonly DayPrices[]) {
  const pricesOn = new Map(sales.map(({ day, prices }) => [day, [...prices]]));
  const windows = days.map((day) => {
    const window = Array.from({ length: SIMPLE_RULE_DAYS }, (_, back) => pricesOn.get(day - back));
    return { t: dayIso(day), sold: window.filter((prices) => prices !== undefined) };
  });
  return RULES.map(({ method, label, centsOf }) => ({
    method,
    scorerVersion: `${SIMPLE_RULE_DAYS}d`,
    label: `${label}, ${SIMPLE_RULE_DAYS} days`,
    points: windows.map(({ t, sold }) => ({
      t,
      usdCents: sold.length === 0 ? null : Math.max(1, roundHalfUp(centsOf(sold))),
    })),
  }));
}
