import type { Game } from '../../catalog/games.ts';
import type { Db } from '../../db/client.ts';
import { beginImport, finishImport, forgetImport } from '../../db/import-rows.ts';
import type { SaleEntry, SalesFormat } from '../formats/sales-format.ts';
import type { TitleBook } from '../titles.ts';
import { type ImportEvents, type ImportRun, importFiles } from './import-files.ts';
import { type OlderSales, openPreparer } from './prepare.ts';
import { countReason } from './set-aside.ts';
import { type SaleBatch, type WriteCounts, writeBatch } from './write-sales.ts';

/** What an import did: rows = added + repeated + corrected + reversed + the sums of rejected and of waiting rows. */
export type SalesReport = WriteCounts & {
  importId: number;
  rows: number;
};

type ImportSalesOptions = ImportEvents & {
  format: SalesFormat;
  paths: readonly string[];
  /** UTC day number of the import: the world's day, never the clock's. */
  today: number;
  onOlder?: OnOlder;
};

/** Called before a batch is written that has sales older than the first close of their game: how many, by game. */
type OnOlder = (older: ReadonlyMap<Game, OlderSales>) => void;

type StartOptions = {
  /** Spares it reading the catalog when a row has only a title. */
  titles?: TitleBook;
  files?: readonly string[];
  onOlder?: OnOlder;
};

const BATCH_ROWS = 10_000;

/**
 * Imports sales files into the ledger. Rows are read, their cards identified, screened, and written in batches of one
 * transaction each; the next batch is prepared while one is written. Importing again changes nothing, and an import
 * killed anywhere is finished by running it again. Throws UnreadableFile for a file of another format, of which then
 * no row is imported.
 */
export async function importSales(db: Db, options: ImportSalesOptions): Promise<SalesReport> {
  const { format, paths, today } = options;
  const { onOlder } = options;
  return importFiles(
    paths,
    format,
    (files) => startImport(db, format.name, today, { files, ...(onOlder && { onOlder }) }),
    options,
  );
}

type SalesRun = ImportRun<SaleEntry, SalesReport>;

/** Starts an import that takes rows one by one. */
export async function startImport(
  db: Db,
  formatName: string,
  today: number,
  { titles, files = [], onOlder }: StartOptions = {},
): Promise<SalesRun> {
  const importId = await beginImport(db, 'sales', formatName, files);
  const report: SalesReport = {
    importId,
    rows: 0,
    added: 0,
    repeated: 0,
    corrected: 0,
    reversed: 0,
    rejected: {},
    waiting: {},
  };
  const preparer = await openPreparer(db, today, titles);
  let entries: SaleEntry[] = [];
  let writing: Promise<void> = Promise.resolve();
  let changed = false;

  async function send(): Promise<void> {
    if (entries.length === 0) return;
    const batch = await preparer.prepare(entries);
    if (batch.older.size > 0) onOlder?.(batch.older);
    report.rows += entries.length;
    entries = [];
    await writing;
    writing = writeBatch(db, batch, { importId, today }).then((counts) => {
      addCounts(report, batch, counts);
      changed ||= counts.added + counts.corrected + counts.reversed > 0 || Object.keys(counts.rejected).length > 0;
    });
    // A fault of the write is thrown where it is awaited, at the next batch or the end.
    writing.catch(() => {});
  }
  async function flush(): Promise<void> {
    await send();
    await writing;
  }
  return {
    report,
    async take(entry) {
      if (entries.push(entry) < BATCH_ROWS) return false;
      await send();
      return true;
    },
    flush,
    async finish() {
      await flush();
      await finishImport(db, importId, report);
      // Rows that are known already, or wait, change no answer.
      if (changed) await db.query(`select pg_notify('sales', '')`);
      return report;
    },
    forget: () => forgetImport(db, importId),
  };
}

function addCounts(report: SalesReport, batch: SaleBatch, counts: WriteCounts): void {
  for (const count of ['added', 'repeated', 'corrected', 'reversed'] as const) report[count] += counts[count];
  for (const [reason, count] of Object.entries(counts.rejected)) countReason(report.rejected, reason, count);
  for (const { unreadable } of batch.rejected) countReason(report.rejected, unreadable.reason);
  for (const [reason, count] of Object.entries(counts.waiting)) countReason(report.waiting, reason, count);
}
