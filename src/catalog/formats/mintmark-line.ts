import { type ExternalId, ID_SPACE, MAX_EXTERNAL_IDS, MAX_ID_CHARS } from '../external-ids.ts';
import { isGame } from '../games.ts';
import { isLanguage } from '../languages.ts';
import type { CardFacts, CatalogRecord, SourceSet } from '../record.ts';
import { cleanText, isObject, type Json } from './text.ts';

/** A line that breaks a rule of the format; the message names the key. */
export class InvalidLine extends Error {
  override name = 'InvalidLine';
}

const MAX_TEXT = 300;
const MAX_URL = 2000;
const MAX_LIST = 50;

const LINE_KEYS = [
  'source',
  'id',
  'game',
  'set',
  'number',
  'name',
  'printedName',
  'language',
  'variation',
  'rarity',
  'year',
  'imageUrl',
  'imageUrlThumb',
  'facts',
  'ids',
  'externalIds',
];
const SET_KEYS = ['key', 'name', 'code', 'year'];
const FACT_TEXTS = ['artist', 'team', 'cardKind'] as const;
const FACT_LISTS = ['characters', 'types', 'colors'] as const;

/** The record a line of the Mintmark format states. Throws InvalidLine for the first rule it breaks. */
export function recordOfLine(line: Json): CatalogRecord {
  rejectUnknownKeys(line, LINE_KEYS, '');
  const game = requiredText(line, 'game', '');
  if (!isGame(game)) throw new InvalidLine(`game: "${game}" is not one of the nine games`);
  const language = optionalText(line, 'language', '') ?? 'English';
  if (!isLanguage(language)) throw new InvalidLine(`language: "${language}" is not in the list of languages`);
  const set = setOf(line.set);
  const number = optionalText(line, 'number', '');
  const name = requiredText(line, 'name', '');
  const printedName = optionalText(line, 'printedName', '');
  const variation = optionalText(line, 'variation', '');
  const source = optionalText(line, 'source', '') ?? 'mintmark';
  if (!ID_SPACE.test(source))
    throw new InvalidLine('source: must be 1 to 40 of a-z, 0-9 and -, beginning with a letter or digit');
  // Without an id of its own a printing is known by what distinguishes it from all others.
  const id = optionalText(line, 'id', '') ?? JSON.stringify([game, set.key, number, name, language, variation]);
  return {
    game,
    ids: [[source, id], ...otherIds(line.ids, source)],
    ...(line.externalIds == null ? {} : { externalIds: externalIdsOf(line.externalIds) }),
    set,
    number,
    name,
    printedName: printedName === name ? null : printedName,
    language,
    variation,
    rarity: optionalText(line, 'rarity', ''),
    year: optionalYear(line, '') ?? set.year,
    imageUrl: optionalUrl(line, 'imageUrl'),
    imageUrlThumb: optionalUrl(line, 'imageUrlThumb'),
    facts: factsOf(line.facts),
  };
}

function setOf(value: unknown): SourceSet {
  if (!isObject(value)) throw new InvalidLine('set: must be an object with key and name');
  rejectUnknownKeys(value, SET_KEYS, 'set.');
  return {
    key: requiredText(value, 'key', 'set.'),
    name: requiredText(value, 'name', 'set.'),
    code: optionalText(value, 'code', 'set.'),
    year: optionalYear(value, 'set.'),
  };
}

function factsOf(value: unknown): CardFacts {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new InvalidLine('facts: must be an object');
  rejectUnknownKeys(value, [...FACT_TEXTS, ...FACT_LISTS], 'facts.');
  const facts: CardFacts = {};
  for (const key of FACT_TEXTS) {
    const text = optionalText(value, key, 'facts.');
    if (text !== null) facts[key] = text;
  }
  for (const key of FACT_LISTS) {
    const list = value[key];
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list) || list.length > MAX_LIST)
      throw new InvalidLine(`facts.${key}: must be a list of at most ${MAX_LIST} texts`);
    facts[key] = list.map((text, i) => checkedText(text, `facts.${key}[${i}]`));
  }
  return facts;
}

function otherIds(value: unknown, source: string): [string, string][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw new InvalidLine('ids: must be an object of id space and id');
  return Object.keys(value).map((space) => {
    if (!ID_SPACE.test(space) || space === source)
      throw new InvalidLine(`ids: "${space.slice(0, 40)}" is not the name of another id space`);
    return [space, checkedText(value[space], `ids.${space}`)];
  });
}

function externalIdsOf(value: unknown): ExternalId[] {
  if (!isObject(value)) throw new InvalidLine('externalIds: must be an object of id space and id, or a list of ids');
  const ids = Object.entries(value).flatMap(([space, one]) => {
    if (!ID_SPACE.test(space))
      throw new InvalidLine(`externalIds: "${space.slice(0, 40)}" is not the name of an id space`);
    return (Array.isArray(one) ? one : [one]).map((id): ExternalId => [space, checkedText(id, `externalIds.${space}`)]);
  });
  if (ids.length > MAX_EXTERNAL_IDS) throw new InvalidLine(`externalIds: more than ${MAX_EXTERNAL_IDS} ids`);
  const long = ids.find(([, id]) => id.length > MAX_ID_CHARS);
  if (long) throw new InvalidLine(`externalIds.${long[0]}: longer than ${MAX_ID_CHARS} characters`);
  return ids;
}

function rejectUnknownKeys(object: Json, known: readonly string[], prefix: string): void {
  for (const key of Object.keys(object))
    if (!known.includes(key)) throw new InvalidLine(`${prefix}${key.slice(0, 40)}: unknown key`);
}

function requiredText(object: Json, key: string, prefix: string): string {
  if (object[key] === undefined || object[key] === null) throw new InvalidLine(`${prefix}${key}: missing`);
  return checkedText(object[key], prefix + key);
}

function optionalText(object: Json, key: string, prefix: string): string | null {
  if (object[key] === undefined || object[key] === null) return null;
  return checkedText(object[key], prefix + key);
}

function checkedText(value: unknown, key: string): string {
  if (typeof value !== 'string') throw new InvalidLine(`${key}: must be a text`);
  if (value.length > MAX_TEXT) throw new InvalidLine(`${key}: longer than ${MAX_TEXT} characters`);
  if (/[\p{Cc}\p{Cs}]/u.test(value)) throw new InvalidLine(`${key}: has control characters or broken Unicode`);
  const clean = cleanText(value);
  if (clean === null) throw new InvalidLine(`${key}: is empty`);
  return clean;
}

function optionalYear(object: Json, prefix: string): number | null {
  const year = object.year;
  if (year === undefined || year === null) return null;
  if (typeof year !== 'number' || !Number.isInteger(year) || year < 1800 || year > 2100)
    throw new InvalidLine(`${prefix}year: must be a whole number from 1800 to 2100`);
  return year;
}

/** An http(s) address, or a site-relative path for art that this service itself serves. */
function optionalUrl(object: Json, key: string): string | null {
  const url = object[key];
  if (url === undefined || url === null) return null;
  if (
    typeof url !== 'string' ||
    url.length > MAX_URL ||
    !/^(https?:\/\/(?!\/|$)|\/(?!\/))[^\s"'<>\\\p{Cc}\p{Cs}]*$/u.test(url)
  )
    throw new InvalidLine(`${key}: must be an http(s) address or a path that begins with /`);
  return url;
}
