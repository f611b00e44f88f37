/** What format readers need to take text out of untyped source data. */

export type Json = { [key: string]: unknown };

/** True for a JSON object (no array, no null). */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object that a text is, or null. */
export function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The objects of a JSON array; anything else counts as none. */
export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const MAX_CHARS = 300;

/**
 * Text as it may enter the catalog: a string or finite number, NFC, control and bidirectional-override characters and
 * halves of a surrogate pair removed, white space runs one space, trimmed, at most 300 characters; null when nothing is
 * left.
 */
export function cleanText(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return null;
  const clean = text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim();
  if (clean === '') return null;
  return clean.length > MAX_CHARS ? clean.slice(0, MAX_CHARS).replace(/\p{Cs}$/u, '') : clean;
}

/** The clean texts of a JSON array of strings. */
export function cleanTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(cleanText).filter((text) => text !== null) : [];
}

/** The year in `1999-01-09`, `1999/01/09`, `January 29th, 2021`, `2018-19` (its first), or null. */
export function yearOf(value: unknown): number | null {
  const match = /\b(1[89]\d\d|20\d\d)\b/.exec(typeof value === 'number' ? String(value) : (cleanText(value) ?? ''));
  return match ? Number(match[1]) : null;
}

/** A text with its first letter in upper case. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Joins the words of a variation; null when there are none. */
export function variationOfWords(...words: (string | null)[]): string | null {
  return words.filter((word) => word !== null && word !== '').join(' ') || null;
}

/** An http(s) address, or null: pages put it into `src`. */
export function imageAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\/[^\s"'<>\p{Cc}\p{Cs}]{1,500}$/u.test(value) ? value : null;
}

/** The texts that a record must have, cleaned; or what is wrong, to be put behind `a card`: `without name`. */
export function neededTexts<Key extends string>(value: unknown, keys: readonly Key[]): Record<Key, string> | string {
  if (!isObject(value)) return 'that is not an object';
  const texts = {} as Record<Key, string>;
  for (const key of keys) {
    const text = cleanText(value[key]);
    if (text === null) return `without ${key}`;
    texts[key] = text;
  }
  return texts;
}

/** What a table of words has for a key; nothing that every object has (`constructor`). */
export function wordOf<Word>(table: Readonly<Record<string, Word>>, key: string): Word | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
