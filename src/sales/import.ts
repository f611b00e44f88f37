import { stat } from 'node:fs/promises';
import { listFiles } from '../catalog/formats/files.ts';
import type { Db } from '../db/client.ts';
import type { SaleEntry, SalesFormat } from './formats/format.ts';
import { openPreparer } from './prepare.ts';
import type { TitleBook } from './titles.ts';
import { type SaleBatch, type WriteCounts, writeBatch } from './write.ts';

/** What an import did: rows = added + repeated + corrected + reversed + the sums of refused and of waiting. */
export type SalesReport = WriteCounts & {
  importId: number;
  rows: number;
  /** Rows whose card is not told for sure yet, or whose day has not come, by reason. */
  waiting: Record<string, number>;
};

export type SalesProgress = { rows: number; bytes: number; totalBytes: number };
export type SalesProblem = { path: string; line: number; reason: string; message: string };

export type ImportSalesOptions = {
  format: SalesFormat;
  paths: readonly string[];
  /** UTC day number of the import: the world's day, never the clock's. */
  today: number;
  /** Told after each batch. */
  onProgress?: (progress: SalesProgress) => void;
  /** Told of each row that is no sale. */
  onProblem?: (problem: SalesProblem) => void;
};

const BATCH_ROWS = 10_000;

/**
 * Imports sales files into the ledger. Rows are read, their cards told, screened, and written in batches of one
 * transaction each; the next batch is prepared while one is written. Importing again changes nothing, and an import
 * killed anywhere is finished by running it again. Throws UnreadableFile for a file of another format, of which then
 * no row is imported.
 */
export async function importSales(db: Db, options: ImportSalesOptions): Promise<SalesReport> {
  const { format, paths, onProgress } = options;
  const files = await listFiles(paths, format.extensions);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  const run = await startImport(db, format.name, options.today);
  let bytesBefore = 0;
  for (const [index, path] of files.entries()) {
    for await (const entry of format.read(path)) {
      if (entry.sale === null) options.onProblem?.({ path, line: entry.line, ...entry.unreadable });
      if (await run.take(entry))
        onProgress?.({ rows: run.report.rows, bytes: bytesBefore + entry.endByte, totalBytes });
    }
    bytesBefore += sizes[index]!;
    await run.flush();
    onProgress?.({ rows: run.report.rows, bytes: bytesBefore, totalBytes });
  }
  return await run.finish();
}

/** An import under way: rows go in, batches go to the ledger. */
export type SalesRun = {
  report: SalesReport;
  /** Takes a row; true when a batch went to the ledger. */
  take(entry: SaleEntry): Promise<boolean>;
  /** Writes what was taken. */
  flush(): Promise<void>;
  finish(): Promise<SalesReport>;
};

/** Starts an import that takes rows one by one; `titles` spares it reading the catalog when a row has only a title. */
export async function startImport(db: Db, formatName: string, today: number, titles?: TitleBook): Promise<SalesRun> {
  const [row] = await db.query<{ id: number }>(`insert into imports (kind, format) values ('sales', $1) returning id`, [
    formatName,
  ]);
  const importId = row!.id;
  const report: SalesReport = {
    importId,
    rows: 0,
    added: 0,
    repeated: 0,
    corrected: 0,
    reversed: 0,
    refused: {},
    waiting: {},
  };
  const preparer = await openPreparer(db, today, titles);
  let entries: SaleEntry[] = [];
  let writing: Promise<void> = Promise.resolve();
  let changed = false;

  async function send(): Promise<void> {
    if (entries.length === 0) return;
    const batch = await preparer.prepare(entries);
    report.rows += entries.length;
    entries = [];
    await writing;
    writing = writeBatch(db, batch, { importId, today }).then((counts) => {
      addCounts(report, batch, counts);
      changed ||= counts.added + counts.corrected + counts.reversed > 0 || Object.keys(counts.refused).length > 0;
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
      await db.query('update imports set finished_at = now(), counts = $2 where id = $1', [importId, report]);
      // Rows that say what is known, or wait, change no answer.
      if (changed) await db.query(`select pg_notify('sales', '')`);
      return report;
    },
  };
}

function addCounts(report: SalesReport, batch: SaleBatch, counts: WriteCounts): void {
  report.added += counts.added;
  report.repeated += counts.repeated;
  report.corrected += counts.corrected;
  report.reversed += counts.reversed;
  for (const [reason, count] of Object.entries(counts.refused)) add(report.refused, reason, count);
  for (const { unreadable } of batch.refused) add(report.refused, unreadable.reason, 1);
  for (const { reason } of batch.waiting) add(report.waiting, reason, 1);
}

function add(counts: Record<string, number>, reason: string, count: number): void {
  counts[reason] = (counts[reason] ?? 0) + count;
}
