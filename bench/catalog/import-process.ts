/** Imports a catalog in a process of its own, for `catalog-import.ts`: by one message with what to import, answers and ends. */
import type { ClientConfig } from 'pg';
import { importCatalog } from '../../src/catalog/import-catalog.ts';
import { CATALOG_FORMATS } from '../../src/commands/catalog-formats.ts';
import { openDb } from '../../src/db/client.ts';

export type ImportOrder = { connection: ClientConfig; formatName: string; paths: string[] };
export type Imported = { ms: number; records: number; items: number; maxRssBytes: number };

process.once('message', (order: ImportOrder) => void importHere(order));

async function importHere({ connection, formatName, paths }: ImportOrder): Promise<void> {
  const format = CATALOG_FORMATS.find(({ name }) => name === formatName);
  if (format === undefined) throw new Error(`there is no catalog format "${formatName}"`);
  const db = openDb({ connection, poolSize: 4 });
  const begun = performance.now();
  const report = await importCatalog(db, { format, paths });
  const ms = performance.now() - begun;
  await db.close();
  const maxRssBytes = process.resourceUsage().maxRSS * 1024;
  process.send!({ ms, records: report.records, items: report.added, maxRssBytes } satisfies Imported);
  process.disconnect();
}
