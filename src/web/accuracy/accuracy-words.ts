import type { AccuracyBody, AccuracyQuery, GroupBody } from '../../pricing/accuracy/accuracy-routes.ts';
import { briefDay, count, percentOf } from '../format.ts';

/** Names of what accuracy figures are grouped by; the page and its Markdown form share them. */

export const METHOD_NAMES: Record<NonNullable<GroupBody['methods']>[number]['method'], string> = {
  model: 'Reference price',
  lastSale: 'Last sale',
  meanOf3: 'Mean of 3 sales',
  medianOf5: 'Median of 5 sales',
  median30Days: '30-day median',
  ewma: 'Weighted mean',
};

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
  return GROUP_NAMES[name] ?? name;
}

export const GROUPINGS = [
  ['density', 'By earlier sales of the same card and grade'],
  ['priceBucket', 'By price'],
  ['age', 'By days since the sale before it'],
  ['gradingCompany', 'By grading company'],
] as const;

export function enough({ all }: AccuracyBody): boolean {
  return all.methods !== null;
}

export function modelOf({ methods }: GroupBody) {
  return methods?.find(({ method }) => method === 'model') ?? null;
}

/** The rule with the smallest median error. */
export function bestRule({ methods }: GroupBody) {
  const rules = (methods ?? []).filter(({ method }) => method !== 'model');
  return rules.length === 0 ? null : rules.reduce((best, one) => (one.mdApePct < best.mdApePct ? one : best));
}

/** The result in a sentence. */
export function resultOf(body: AccuracyBody): string {
  const { all, from, to, days, leastSales } = body;
  const known = `${all.sales === 1 ? 'One scored sale' : `${count(all.sales)} scored sales`} in the ${days} days`;
  const until = to === null ? '' : ` to ${briefDay(to)}`;
  const model = modelOf(all);
  if (model === null) return `${known}${until}: fewer than ${leastSales}, so we know too little to publish an error.`;
  return `Half of the ${count(all.sales)} sales from ${briefDay(from!)} to ${briefDay(to!)} were within ${percentOf(model.mdApePct)} of the price we had before them.`;
}

/** The query of an address that selects the same. */
export function searchOf(query: AccuracyQuery): string {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
