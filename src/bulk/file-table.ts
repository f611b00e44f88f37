import { formatDay } from '../lib/day.ts';

/**
 * Values of a file's row, in the order of its columns: a `day` as its number, an `instant` in milliseconds since the epoch.
 * Null where a column may be empty.
 */
export type FileRow = readonly (string | number | boolean | null)[];

/** A column of a bulk file, under one name in every format. */
export type FileColumn = {
  name: string;
  type: 'text' | 'integer' | 'real' | 'boolean' | 'day' | 'instant';
  /** It may be empty. */
  optional?: true;
};

/** What a file is a list of: one row a card, a price, a day of a price, a sale. */
export type FileTable = {
  kind: 'items' | 'prices' | 'series' | 'sales';
  columns: readonly FileColumn[];
  /** The first columns that name a row, in the order of which its rows come. */
  key: readonly string[];
};

const days = new Map<number, string>();
/** More days than a month has, so that a file repeats few. */
const KEPT_DAYS = 1_000;

/** A value as text formats write it: days as `YYYY-MM-DD`, instants as ISO 8601. */
export function plainValue({ type }: FileColumn, value: FileRow[number]): string | number | boolean | null {
  if (value === null) return null;
  if (type === 'day') return dayText(value as number);
  return type === 'instant' ? new Date(value as number).toISOString() : value;
}

function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= KEPT_DAYS) days.clear();
  const text = formatDay(day);
  days.set(day, text);
  return text;
}
