import { type TObject, Type } from 'typebox';
import { parseDay } from '../lib/day.ts';
import { quoted } from './allowed.ts';
import { invalidParameter } from './problem.ts';

/** The one way to write a whole number in an address: never 1e3, 010, 1.0 or +1. */
const WHOLE_NUMBER = /^(0|[1-9][0-9]{0,14})$/;

/** A whole number from 1 to `maximum` in a query; `byDefault` is what the handler takes without it. */
export function upTo(maximum: number, byDefault: number, meaning: string) {
  return Type.Integer({
    minimum: 1,
    maximum,
    default: byDefault,
    description: `${meaning}: 1 to ${maximum}, ${byDefault} by default.`,
  });
}

/** The day that a parameter names, `YYYY-MM-DD`. Throws `invalid_parameter`. */
export function readDay(name: string, text: string): number {
  const day = parseDay(text);
  if (day === null) throw invalidParameter(name, `${name} must be a calendar day, YYYY-MM-DD; got ${quoted(text)}.`);
  return day;
}

/**
 * Makes numbers of the texts of a query whose schema says `integer`, in place. Other texts stay, and fail validation: a
 * number that is read generously is a number that was not meant.
 */
export function readNumbers(query: Record<string, unknown>, schema: TObject): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = query[name];
    if (typeof value === 'string' && WHOLE_NUMBER.test(value) && takesIntegers(property)) query[name] = Number(value);
  }
}

function takesIntegers(schema: { type?: unknown; anyOf?: readonly object[] }): boolean {
  return schema.type === 'integer' || (schema.anyOf ?? []).some(takesIntegers);
}
