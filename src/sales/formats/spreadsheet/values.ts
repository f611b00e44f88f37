/** Reads prices and days as people write them, exactly, or not at all: what a file leaves open is for the operator to state. */

import { parseDay } from '../../../lib/day.ts';

export type DecimalMark = 'point' | 'comma';
export type DayOrder = 'dmy' | 'mdy';

const MARKS = { point: '.', comma: ',' } as const;
const SIGNS: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  AU$: 'AUD',
  A$: 'AUD',
};
/** A sign or code before or behind the number; spaces and apostrophes group digits in some countries. */
const PRICE = /^(?<before>[A-Z]{0,3}[$€£]|[A-Z]{3})?\s*(?<number>\d[\d.,'’\s]*)\s*(?<after>[$€£]|[A-Z]{3})?$/u;

/** The decimal mark that this price shows by itself; null if it may be read both ways, or has none. */
export function decimalMarkOf(text: string): DecimalMark | null {
  const { before = '', number } = PRICE.exec(text.trim())?.groups ?? {};
  if (number === undefined) return null;
  const marks = number.replace(/[^.,]/g, '');
  if (marks === '') return null;
  const last = marks.at(-1) === '.' ? 'point' : 'comma';
  const other = last === 'point' ? 'comma' : 'point';
  // 1.234,56: the last one. 1.234.567: none of them.
  if (new Set(marks).size === 2) return last;
  if (marks.length > 1) return other;
  if (!/[.,]\d{3}$/.test(number.trim())) return last;
  // $24,500: dollars are grouped by commas.
  return before.endsWith('$') && last === 'comma' ? other : null;
}

/** A price as a plain decimal number and the currency that it names; null if it is not one with this decimal mark. */
export function plainPrice(text: string, mark: DecimalMark): { price: string; currency: string | null } | null {
  const { before, number, after } = PRICE.exec(text.trim())?.groups ?? {};
  if (number === undefined || (before && after)) return null;
  const [whole = '', fraction, ...more] = number.replace(/[\s'’]/g, '').split(MARKS[mark]);
  const group = mark === 'point' ? ',' : '.';
  if (more.length > 0 || !new RegExp(`^(\\d+|\\d{1,3}(\\${group}\\d{3})+)$`).test(whole)) return null;
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return null;
  const sign = before ?? after;
  const currency = sign === undefined || sign === '$' ? null : (SIGNS[sign] ?? (/^[A-Z]{3}$/.test(sign) ? sign : null));
  if (sign !== undefined && sign !== '$' && currency === null) return null;
  const digits = whole.replaceAll(group, '');
  return { price: fraction === undefined ? digits : `${digits}.${fraction}`, currency };
}

/** True for a price with its currency, and for what is not a price: then the currency is not what it lacks. */
export function namesCurrency(text: string): boolean {
  const price = plainPrice(text, 'point') ?? plainPrice(text, 'comma');
  return price === null || price.currency !== null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** 11/18/2026 and 11-18-26; a time of day behind it has no zone and is left out. */
const NUMBERED = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?:[ T,].*)?$/;

/** The order that this day shows by itself; null if it may be read both ways. */
export function dayOrderOf(text: string): DayOrder | null {
  const [, first, mark, second] = NUMBERED.exec(text.trim()) ?? [];
  if (first === undefined || mark === '.') return null;
  if (Number(first) > 12) return 'dmy';
  return Number(second) > 12 ? 'mdy' : null;
}

/** True for a day whose order only the rest of the file can show. */
export function needsDayOrder(text: string): boolean {
  return NUMBERED.exec(text.trim())?.[2] === '/' || NUMBERED.exec(text.trim())?.[2] === '-';
}

/** A day as YYYY-MM-DD; a text that is not understood or names no day, or a time with its zone, is left as it is. */
export function isoDay(text: string, order: DayOrder | null): string {
  const day = numericDay(text, order);
  return parseDay(day) === null ? text : day;
}

/** True for a text in the form of a day that no calendar has, in whichever order it is read: 31.11.2026. */
export function isNoDay(text: string): boolean {
  const days = (['dmy', 'mdy'] as const).map((order) => numericDay(text, order));
  return days.every((day) => /^\d{4}-\d\d-\d\d$/.test(day) && parseDay(day) === null);
}

function numericDay(text: string, order: DayOrder | null): string {
  const day = text.trim();
  const numbered = NUMBERED.exec(day);
  if (numbered !== null) {
    const [, first, mark, second, year] = numbered;
    // Days with dots are written day first everywhere.
    const isDayFirst = mark === '.' || order === 'dmy';
    if (!isDayFirst && order === null) return text;
    return joined(year!, isDayFirst ? second! : first!, isDayFirst ? first! : second!);
  }
  // Nov-18-26, Nov 18, 2026, 18 November 2026.
  const named =
    /^(?<month>[a-z]{3,9})\.?[ -](?<day>\d{1,2})(?:st|nd|rd|th)?,?[ -](?<year>\d{4}|\d{2})(?:[ ,].*)?$/i.exec(day) ??
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?\.?[ -](?<month>[a-z]{3,9})\.?,?[ -](?<year>\d{4}|\d{2})(?:[ ,].*)?$/i.exec(day);
  if (named !== null) {
    const { month, day: dayOfMonth, year } = named.groups!;
    const index = MONTHS.indexOf(month!.slice(0, 3).toLowerCase());
    if (index !== -1) return joined(year!, String(index + 1), dayOfMonth!);
  }
  // 2026-11-18 14:05:00 has no zone: its day is what is known.
  return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(day) ? day.slice(0, 10) : text;
}

function joined(year: string, month: string, day: string): string {
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
