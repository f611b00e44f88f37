import { invalidValue } from '../http/problem.ts';

/** What the address of a page chooses. */

/** A parameter with one of some values; null where it is absent or empty, as in a form that leaves it open. Throws `invalid_parameter`. */
export function oneOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | null {
  const given = query.get(name);
  if (given === null || given === '') return null;
  const known = values.find((one) => one === given);
  if (known === undefined) throw invalidValue(name, `one of ${values.join(', ')}`, given);
  return known;
}

/** `page`, from 1. Throws `invalid_parameter`. */
export function pageOf(query: URLSearchParams, maximum: number): number {
  const page = query.get('page') ?? '1';
  if (!/^[1-9][0-9]{0,8}$/.test(page) || Number(page) > maximum)
    throw invalidValue('page', `a whole number from 1 to ${maximum}`, page);
  return Number(page);
}

/** An address with the parameters that are not null or empty. */
export function addressWith(path: string, fields: Record<string, string | null>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
