import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogEntry, CatalogFormat, CatalogRecord } from '../../../src/catalog/record.ts';

/** Everything a reader yields, sorted by kind, with drops counted by reason. */
export type Told = {
  records: CatalogRecord[];
  dropped: Record<string, number>;
  broken: Extract<CatalogEntry, { kind: 'broken' }>[];
};

export async function tellAll(format: CatalogFormat, ...paths: string[]): Promise<Told> {
  const told: Told = { records: [], dropped: {}, broken: [] };
  for await (const entry of format.read(paths)) {
    if (entry.kind === 'record') told.records.push(entry.record);
    else if (entry.kind === 'broken') told.broken.push(entry);
    else told.dropped[entry.reason] = (told.dropped[entry.reason] ?? 0) + 1;
  }
  return told;
}

/** How many records share set, number, name, language and variation, or a source id, with an earlier one. */
export function repeatsIn(records: CatalogRecord[]): number {
  const printings = new Set(records.map((r) => JSON.stringify([r.set.key, r.number, r.name, r.language, r.variation])));
  const ids = new Set(records.map((r) => r.ids[0]!.join(' ')));
  return records.length * 2 - printings.size - ids.size;
}

/** A new folder with the given files. */
export function folderOf(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-sports-'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

export function variationsOf(records: CatalogRecord[]): (string | null)[] {
  return records.map((record) => record.variation);
}
