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
export const USUAL_WINDOW: ChartWindow = '365';

/** The window that a query names; throws for one that is not offered. */
export function chartWindowOf(query: URLSearchParams, offered: readonly ChartWindow[]): ChartWindow {
  const text = query.get('window') ?? USUAL_WINDOW;
  const window = offered.find((one) => one === text);
  if (window === undefined) throw invalidValue('window', `one of ${offered.join(', ')}`, text);
  return window;
}

export function daysOf(window: ChartWindow): number {
  return window === 'all' ? ALL_DAYS : Number(window);
}
