import { GAME_LABELS, isGame } from '../../catalog/games.ts';
import type { AccuracyFigures, AccuracyQuery, AccuracyRow } from '../../pricing/accuracy/accuracy-routes.ts';
import { briefDay, count, percentOf } from '../format.ts';

/** Names of what accuracy figures are grouped by; the page and its Markdown form share them. */

const RULES = [
  ['last', 'Last sale'],
  ['mean3', 'Mean of 3 sales'],
  ['median5', 'Median of 5 sales'],
  ['median30d', '30-day median'],
  ['ewma', 'Weighted mean'],
] as const;

const GROUP_NAMES: Record<string, string> = {
  '13-up': '13 or more earlier sales',
  '4-12': '4 to 12',
  '1-3': '1 to 3',
  'under-30': 'Below $30',
  '30-100': '$30 to 100',
  '100-300': '$100 to 300',
  '300-1000': '$300 to 1,000',
  '1000-up': '$1,000 and more',
  '0-30': 'Up to 30 days',
  '31-180': '31 to 180 days',
  '181-up': 'More than 180 days',
  RAW: 'Ungraded',
};

export function groupName(name: string): string {
  return GROUP_NAMES[name] ?? (isGame(name) ? GAME_LABELS[name] : name);
}

export const GROUPINGS = [
  ['band', 'By earlier sales of the same card and grade'],
  ['price', 'By price'],
  ['age', 'By days since the sale before it'],
  ['company', 'By grading company'],
  ['game', 'By game'],
  ['month', 'By month'],
] as const;

/** The errors of the price and of the simple rules; empty of too few sales. */
export type MethodRow = { method: string; mdape: number; bias: number; within10: number; within20: number };
export function methodsOf(row: AccuracyRow): MethodRow[] {
  const { baselines } = row;
  if (baselines === null) return [];
  const rules = RULES.map(([name, method]) => ({ method, ...baselines[name] }));
  return [{ method: 'Reference price', ...row }, ...rules] as MethodRow[];
}

/** The ranges with the share of the sales inside; empty of too few sales. */
export function coverageOf({ coverage50, coverage80, coverage95 }: AccuracyRow) {
  const held = [coverage50, coverage80, coverage95];
  return [50, 80, 95].flatMap((rangePct, i) => (held[i] == null ? [] : [{ rangePct, held: held[i] }]));
}

/** The rule with the smallest median error. */
export function bestRule(row: AccuracyRow): MethodRow | null {
  const [, ...rules] = methodsOf(row);
  return rules.length === 0 ? null : rules.reduce((best, one) => (one.mdape < best.mdape ? one : best));
}

/** The result in a sentence. */
export function resultOf(figures: AccuracyFigures): string {
  const { all, from, asOf: to, days, leastSales } = figures;
  const known = `${all.n === 1 ? 'One scored sale' : `${count(all.n)} scored sales`} in the ${days} days`;
  const until = to === null ? '' : ` to ${briefDay(to)}`;
  if (all.mdape === null)
    return `${known}${until}: fewer than ${leastSales}, so we know too little to publish an error.`;
  return `Half of the ${count(all.n)} sales from ${briefDay(from!)} to ${briefDay(to!)} were within ${percentOf(all.mdape)} of the price we had before them.`;
}

/** The query of an address that selects the same. */
export function searchOf(query: AccuracyQuery): string {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
