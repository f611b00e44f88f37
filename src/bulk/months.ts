import { dayOf, dayStartMs, formatDay } from '../lib/day.ts';

/** The days of a month, UTC day numbers, both included. */
export type MonthSpan = { month: string; fromDay: number; toDay: number };

/**
 * The last `count` months through that of `day`, rising, without those before `first`. `series` end with `day`, `sales` with
 * their month, since sales are recorded after a close too.
 */
export function monthsOf(
  day: number,
  count: number,
  first: { series: number; sales: number },
): { series: MonthSpan[]; sales: MonthSpan[] } {
  const date = new Date(dayStartMs(day));
  const all = Array.from({ length: count }, (_, i) => {
    const startOf = (ahead: number) =>
      dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count + 1 + i + ahead, 1));
    const [fromDay, toDay] = [startOf(0), startOf(1) - 1];
    return { month: formatDay(fromDay).slice(0, 7), fromDay, toDay };
  });
  const series = all
    .filter(({ toDay }) => toDay >= first.series)
    .map((one) => ({ ...one, toDay: Math.min(one.toDay, day) }));
  return { series, sales: all.filter(({ toDay }) => toDay >= first.sales) };
}
