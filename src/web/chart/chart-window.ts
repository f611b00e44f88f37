import { invalidValue } from '../../http/problem.ts';
import { ALL_DAYS } from '../../items/parameters/window.ts';

/** Windows of charts by their value of `?window=`: a number of days, or everything. */
export const WINDOW_NAMES = {
  '30': '30 days',
  '90': '90 days',
  '365': '1 year',
  '1095': '3 years',
  all: 'All',
} as const;
export type ChartWindow = keyof typeof WINDOW_NAMES;

/** The windows of every chart, the shortest first. */
export const WINDOWS = ['30', '90', '365', '1095', 'all'] as const satisfies ChartWindow[];
export const USUAL_WINDOW: ChartWindow = '365';

/** A chart opens with at least so many sales, if there are as many. */
const SHOWN_SALES = 5;

/** The window that a query names; null where it names none. Throws for one that is not offered. */
export function chartWindowOf(query: URLSearchParams): ChartWindow | null {
  const text = query.get('window');
  if (text === null) return null;
  const window = WINDOWS.find((one) => one === text);
  if (window === undefined) throw invalidValue('window', `one of ${WINDOWS.join(', ')}`, text);
  return window;
}

export function daysOf(window: ChartWindow): number {
  return window === 'all' ? ALL_DAYS : Number(window);
}

/** The shortest window up to `toDay` with five sales, else everything; `saleDays` are UTC day numbers. */
export function windowWithSales(saleDays: readonly number[], toDay: number): ChartWindow {
  return WINDOWS.find((one) => saleDays.filter((day) => day > toDay - daysOf(one)).length >= SHOWN_SALES) ?? 'all';
}
