/** JSON that has one spelling only (RFC 8785): what is hashed and signed. */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * The canonical text of a value: names sorted by UTF-16 code units, no spaces, numbers and strings as ECMAScript writes them.
 * @throws RangeError for what JSON does not have: numbers that are not finite, lone surrogates.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} is not a JSON number`);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(canonicalJson).join(',')}]`;
  const members = value as { readonly [name: string]: JsonValue };
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${canonicalString(name)}:${canonicalJson(members[name]!)}`).join(',')}}`;
}

/** Texts whose JSON is themselves in quotes: by far the most, and several times as fast. */
const PLAIN = /^[ !#-[\]-~]*$/;

function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (/\p{Surrogate}/u.test(text)) throw new RangeError('a text has half of a surrogate pair');
  return JSON.stringify(text);
}
