import { dayOf, dayStartMs } from '../../lib/day.ts';

/** From here on the axis names months. */
const LONG_DAYS = 150;
const DAY_TICKS = 4;
/** More names do not fit side by side on a phone. */
const MOST_MONTHS = 5;
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120] as const;
/** The share of the width at either end that is too narrow for a name. */
const EDGE = 0.08;

/** True where the axis names months; both ends are UTC day numbers. */
export function namesMonths(fromDay: number, toDay: number): boolean {
  return toDay - fromDay > LONG_DAYS;
}

/** UTC day numbers, rising: the first days of months in a long period, else days at even distances. */
export function namedDays(fromDay: number, toDay: number): number[] {
  const span = toDay - fromDay;
  if (span === 0) return [fromDay];
  if (namesMonths(fromDay, toDay)) return firstsOfMonths(fromDay + EDGE * span, toDay - EDGE * span);
  return Array.from({ length: DAY_TICKS }, (_, at) => Math.round(fromDay + (span * (at + 0.5)) / DAY_TICKS));
}

/** The first of every month, or of every second, third … of a year, within two days. */
function firstsOfMonths(fromDay: number, toDay: number): number[] {
  const months: number[] = [];
  for (let month = monthOf(fromDay); firstOf(month) <= toDay; month++)
    if (firstOf(month) >= fromDay) months.push(month);
  for (const step of MONTH_STEPS) {
    const named = months.filter((month) => month % step === 0);
    if (named.length <= MOST_MONTHS) return named.map(firstOf);
  }
  return [];
}

/** Months since January of the year 0. */
function monthOf(day: number): number {
  const date = new Date(dayStartMs(Math.floor(day)));
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

function firstOf(month: number): number {
  return dayOf(Date.UTC(Math.floor(month / 12), month % 12));
}

/** Round values that enclose a range of numbers, evenly spaced and rising: `atMost` steps of 1, 2, 2.5 or 5 × 10ⁿ. */
export function ticksOf(low: number, high: number, atMost = 5): number[] {
  const least = Math.max(1e-6, (high - low || Math.abs(high) || 1) / atMost);
  const power = 10 ** Math.floor(Math.log10(least));
  let step = power * ([1, 2, 2.5, 5].find((one) => one * power >= least) ?? 10);
  for (;;) {
    const first = Math.floor(low / step);
    const steps = Math.max(1, Math.ceil(high / step) - first);
    // Rounding outwards may need one more step.
    if (steps <= atMost) return Array.from({ length: steps + 1 }, (_, at) => (first + at) * step);
    step *= 2;
  }
}
