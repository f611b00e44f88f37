import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CatalogEntry, CatalogFormat, CatalogRecord } from '../../../src/catalog/record.ts';
import { folderOfRun } from '../../support/database/run-folder.ts';

/** A new folder with these files; a value that is not a string is written as JSON. */
export async function folderOf(files: Record<string, unknown>): Promise<string> {
  const folder = folderOfRun();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** The parsed JSON files of a folder whose names match. */
export function jsonIn<Value>(folder: string, names = /\.json$/): Value[] {
  const files = readdirSync(folder).filter((name) => names.test(name));
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Value);
}

export type Reading = {
  records: CatalogRecord[];
  /** Counts of what made no record, by reason. */
  dropped: Record<string, number>;
  broken: { message: string; where: string }[];
};

export async function readAll(format: CatalogFormat, ...paths: string[]): Promise<Reading> {
  const reading: Reading = { records: [], dropped: {}, broken: [] };
  for await (const entry of format.read(paths)) note(reading, entry);
  return reading;
}

/** What a format reads from these files alone. */
export async function readFiles(format: CatalogFormat, files: Record<string, unknown>): Promise<Reading> {
  return readAll(format, await folderOf(files));
}

/** What a format reads from real files, its counts printed on the console. */
export async function readReal(format: CatalogFormat, ...paths: string[]): Promise<Reading> {
  const reading = await readAll(format, ...paths);
  const { records, dropped, broken } = reading;
  console.info(
    `${format.name}: ${records.length} records, dropped ${JSON.stringify(dropped)}, ${broken.length} broken`,
  );
  return reading;
}

/** Where broken entries are, without the folder. */
export function placesOf(broken: Reading['broken']): string[] {
  return broken.map(({ where }) => where.replace(/^.*[\\/]/, ''));
}

export function variationsOf(records: readonly CatalogRecord[]): (string | null)[] {
  return records.map((record) => record.variation);
}

function note(reading: Reading, entry: CatalogEntry): void {
  if (entry.kind === 'record') reading.records.push(entry.record);
  else if (entry.kind === 'broken') reading.broken.push({ message: entry.message, where: entry.where });
  else reading.dropped[entry.reason] = (reading.dropped[entry.reason] ?? 0) + 1;
}

/** What is wrong with the records of a source: printings not distinguished or of one id, cards without one plain printing. */
export function faultsIn(records: readonly CatalogRecord[]): string[] {
  return [...confusedIn(records), ...notOnePlain(records)];
}

/** Printings that are not distinguished, or share an id: for sources of cards that have no plain printing, or several. */
export function confusedIn(records: readonly CatalogRecord[]): string[] {
  return [...indistinct(records), ...repeatedIds(records)];
}

/** Printings that no (set, number, name, language, variation) distinguishes. */
function indistinct(records: readonly CatalogRecord[]): string[] {
  const seen = new Set<string>();
  return records.map(printingKey).filter((key) => seen.size === seen.add(key).size);
}

/** Cards, as (set, number, name, language), that have no plain printing or several. */
function notOnePlain(records: readonly CatalogRecord[]): string[] {
  const plain = new Map<string, number>();
  for (const record of records) {
    const key = [record.set.key, record.number, record.name, record.language].join(' | ');
    plain.set(key, (plain.get(key) ?? 0) + (record.variation === null ? 1 : 0));
  }
  return [...plain].filter(([, count]) => count !== 1).map(([key]) => key);
}

export function printingKey(record: CatalogRecord): string {
  return [record.set.key, record.number, record.name, record.language, record.variation].join(' | ');
}

/** Own ids that two records share. */
function repeatedIds(records: readonly CatalogRecord[]): string[] {
  const seen = new Set<string>();
  return records.map((record) => record.ids[0]!.join(' ')).filter((id) => seen.size === seen.add(id).size);
}

export function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
