import { readDay } from '../../http/parameters.ts';
import { invalidValue } from '../../http/problem.ts';
import { minorDigits } from '../../lib/money.ts';

/** The currency of a quote, `?currency=`: US dollars by default. Throws `invalid_parameter`. */
export function currencyOf(query: URLSearchParams): string {
  const given = query.get('currency') ?? '';
  if (given === '') return 'USD';
  const code = given.toUpperCase();
  if (minorDigits(code) === null) throw invalidValue('currency', 'a code such as EUR', given);
  return code;
}

/** A day that the address names; null where it names none. Throws `invalid_parameter`. */
export function dayParameter(query: URLSearchParams, name: 'from' | 'to'): number | null {
  const given = query.get(name) ?? '';
  return given === '' ? null : readDay(name, given);
}
