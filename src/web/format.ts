import { grouped } from '../lib/counted.ts';
import { calendarDay, dayOf } from '../lib/day.ts';

/** How pages write numbers and days: one way each, in English, by UTC. */

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const counts = new Intl.NumberFormat('en-US');
const points = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Three letters each: `Intl` gives September four. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `12,345.60` of hundredths. */
function inHundredths(n: number): string {
  return `${grouped(Math.floor(n / 100))}.${String(n % 100).padStart(2, '0')}`;
}

function isWhole(n: number): boolean {
  return n >= 0 && Number.isSafeInteger(n);
}

/** As pages write a single price: `$1,234.50`; from 10,000 dollars on without cents. */
export function usd(cents: number): string {
  if (cents < 1_000_000) return usdToTheCent(cents);
  return isWhole(cents) ? `$${grouped(Math.floor((cents + 50) / 100))}` : wholeDollars.format(cents / 100);
}

/** `$12,345.60`: in columns, where decimal points align, and in Markdown and feeds, which programs read. */
export function usdToTheCent(cents: number): string {
  return isWhole(cents) ? `$${inHundredths(cents)}` : dollars.format(cents / 100);
}

/** To the cent: `1234.50`, the form of structured data. */
export function plainUsd(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function count(n: number): string {
  return isWhole(n) ? grouped(n) : counts.format(n);
}

/** The level of an index: `10,204.17`. */
export function level(value: number): string {
  const hundredths = Math.round(value * 100);
  return isWhole(hundredths) && hundredths / 100 === value ? inHundredths(hundredths) : points.format(value);
}

/** `+5.3%`, `−0.4%`, `0.0%`; takes plain percent. */
export function percentMove(percent: number, decimals = 1): string {
  const rounded = Math.round(percent * 10 ** decimals) / 10 ** decimals;
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '';
  return `${sign}${Math.abs(rounded).toFixed(decimals)}%`;
}

/** `11.2%`, of plain percent. */
export function percentOf(percent: number, decimals = 1): string {
  return `${percent.toFixed(decimals)}%`;
}

/** `92%`, of a share; `under 1%` of less. */
export function wholePercent(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0) return share > 0 ? 'under 1%' : '0%';
  return `${percent < 0 ? '−' : ''}${Math.abs(percent)}%`;
}

/** Parts of one whole, at least one of them positive, as whole percents that sum to 100; one below zero counts as zero. */
export function wholePercents(shares: readonly number[]): number[] {
  const parts = shares.map((share) => Math.max(0, share));
  const all = parts.reduce((sum, part) => sum + part, 0);
  const exact = parts.map((part) => (100 * part) / all);
  const whole = exact.map(Math.floor);
  const missing = 100 - whole.reduce((sum, one) => sum + one, 0);
  const byRemainder = exact.map((one, at) => ({ at, rest: one - whole[at]! })).sort((a, b) => b.rest - a.rest);
  for (const { at } of byRemainder.slice(0, missing)) whole[at]! += 1;
  return whole;
}

/** `21 Nov 2026`, of an ISO instant. */
export function briefDay(iso: string): string {
  return dayText(dayOf(Date.parse(iso)));
}

/** The same of a UTC day number. */
export function dayText(day: number): string {
  const { year, month, date } = calendarDay(day);
  return `${date} ${MONTHS[month - 1]} ${year}`;
}

/** `21 Nov`, of a time in milliseconds. */
export function dayOfMonth(ms: number): string {
  const at = new Date(ms);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`;
}

/** `Nov 2026`, of a time in milliseconds. */
export function monthName(ms: number): string {
  return monthOf(new Date(ms));
}

function monthOf(at: Date): string {
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** `today`, `yesterday`, `12 days ago`, `3 months ago`. Of a day, so it is right for as long as the day lasts. */
export function ago(iso: string, nowMs: number): string {
  const days = Math.max(0, dayOf(nowMs) - dayOf(Date.parse(iso)));
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  if (days < 60) return `${days} days ago`;
  const months = Math.round(days / 30.44);
  return months < 24 ? `${months} months ago` : `${Math.round(days / 365.25)} years ago`;
}

type Dated = { asOf: string | null; updatedAt: string | null };

/**
 * The day of a price: of the close that it is of; of one that sales have moved since, when it was computed. `closedAtMs` is
 * when the last close ran.
 */
export function priceDayOf(
  { asOf, updatedAt }: Dated,
  closedAtMs: number | null,
): { iso: string; isClose: boolean } | null {
  if (asOf === null || updatedAt === null) return null;
  const isClose = Date.parse(updatedAt) === closedAtMs;
  return { iso: isClose ? asOf : updatedAt, isClose };
}

/** The same in words: `close of 24 Nov 2026`; empty without a price. */
export function priceDayText(price: Dated, closedAtMs: number | null): string {
  const day = priceDayOf(price, closedAtMs);
  return day === null ? '' : `${day.isClose ? 'close of' : 'as of'} ${briefDay(day.iso)}`;
}
