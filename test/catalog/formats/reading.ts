import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CatalogEntry, CatalogFormat, CatalogRecord } from '../../../src/catalog/record.ts';

/** A new folder with these files; a value that is no string is written as JSON. */
export async function folderOf(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-format-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
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

function note(reading: Reading, entry: CatalogEntry): void {
  if (entry.kind === 'record') reading.records.push(entry.record);
  else if (entry.kind === 'broken') reading.broken.push({ message: entry.message, where: entry.where });
  else reading.dropped[entry.reason] = (reading.dropped[entry.reason] ?? 0) + 1;
}

/** Printings that no (set, number, name, language, variation) tells apart. */
export function indistinct(records: readonly CatalogRecord[]): string[] {
  const seen = new Set<string>();
  return records.map(printingKey).filter((key) => seen.size === seen.add(key).size);
}

/** Cards, as (set, number, name, language), that have no plain printing or several. */
export function notOnePlain(records: readonly CatalogRecord[]): string[] {
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

/** Own ids that stand for two records. */
export function repeatedIds(records: readonly CatalogRecord[]): string[] {
  const seen = new Set<string>();
  return records.map((record) => record.ids[0]!.join(' ')).filter((id) => seen.size === seen.add(id).size);
}

export function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
