import { basename, dirname } from 'node:path';
import { type ExternalId, statedIds } from '../external-ids.ts';
import type { CatalogEntry } from '../record.ts';
import { readLines } from './files.ts';
import { readJsonItems } from './json-items.ts';
import { broken, type FoundFacts, readWhole } from './source-files.ts';
import { cleanText, isObject, type Json, objects, parseObject, yearOf } from './text.ts';
import { ygoFacts } from './ygo-words.ts';

/** What YGOJSON's sets need to know of a card: kept for all cards at once, so no more than that. */
export type YgoCard = {
  names: Map<string, string>;
  facts: FoundFacts;
  imageUrl: string | null;
  /** Of the card, so of each of its printings. */
  externalIds: ExternalId[];
};

/** Which of YGOJSON's files this is, by its name; its content is checked when it is read. */
export function ygoFileKind(path: string): 'cards' | 'years' | 'sets' {
  const name = basename(path);
  if (name === 'set-years.json') return 'years';
  return /^cards\.(json|ndjson)$/.test(name) || basename(dirname(path)) === 'cards' ? 'cards' : 'sets';
}

/** Adds the cards of one file (NDJSON, a list, or a single card) to `cards`; yields what could not be read. */
export async function* readYgoCards(path: string, cards: Map<string, YgoCard>): AsyncGenerator<CatalogEntry> {
  for await (const { value, where, problem } of cardsIn(path)) {
    // The repository's own cards.json is a list of ids.
    if (problem === undefined && typeof value === 'string') continue;
    const id = isObject(value) ? cleanText(value.id) : null;
    if (problem !== undefined || !isObject(value) || id === null || !isObject(value.text)) {
      yield broken(problem ?? 'a card without id or text', where);
      continue;
    }
    const names = new Map<string, string>();
    for (const [language, text] of Object.entries(value.text)) {
      const name = isObject(text) ? cleanText(text.name) : null;
      if (name !== null) names.set(language, name);
    }
    // Pictures with a password are of the English card; others are of any printing, often Japanese.
    const picture = objects(value.images).find((image) => image.password !== undefined && image.card !== undefined);
    const { ygoprodeck } = isObject(value.externalIDs) ? value.externalIDs : ({} as Json);
    const externalIds = statedIds({ ygoprodeck: isObject(ygoprodeck) ? ygoprodeck.id : null });
    cards.set(id, { names, facts: ygoFacts(value), imageUrl: cleanText(picture?.card), externalIds });
  }
}

type FieldValue = { value?: unknown; where: string; problem?: string };

async function* cardsIn(path: string): AsyncGenerator<FieldValue> {
  if (path.endsWith('.ndjson')) {
    for await (const line of readLines(path)) {
      const where = `${path} line ${line.number}`;
      if (line.text === null) yield { where, problem: line.problem };
      else if (line.text.trim() !== '') yield { where, value: parseObject(line.text) };
    }
  } else if (basename(path) === 'cards.json') {
    for await (const item of readJsonItems(path)) yield { ...item, where: `${path}[${item.position - 1}]` };
  } else {
    const file = await readWhole(path);
    yield 'kind' in file ? { where: path, problem: file.message } : { where: path, value: file.value };
  }
}

/** Adds the years of `set-years.json` (`[{name, year}]`, names with the game's name before them) by set name. */
export async function* readYgoYears(path: string, years: Map<string, number>): AsyncGenerator<CatalogEntry> {
  for await (const item of readJsonItems(path)) {
    const entry = 'value' in item && isObject(item.value) ? item.value : {};
    const name = cleanText(entry.name)?.replace(/^Yu-Gi-Oh! /, '');
    const year = yearOf(entry.year);
    if (name && year !== null) years.set(name, year);
    else {
      const message = 'problem' in item ? item.problem : 'no name and year of a set';
      yield broken(message, `${path}[${item.position - 1}]`);
    }
  }
}
