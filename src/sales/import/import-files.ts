import { listFiles, UnreadableFile } from '../../catalog/formats/files.ts';
import type { UnreadableField } from '../row-fields.ts';

export type SalesProblem = { path: string; line: number; reason: string; message: string };

export type SameSale = { path: string; line: number; sameAsLine: number };

export type ImportEvents = {
  /** Called after each batch. */
  onProgress?: (rows: number) => void;
  /** Called with each row that is not a sale. */
  onProblem?: (problem: SalesProblem) => void;
  /** Called with each row that states the sale of an earlier line of its file once more. */
  onSameSale?: (row: SameSale) => void;
};

/** A row as a format reads it; `unreadable` says why it is not a sale. */
type ParsedLine = { line: number; file?: number; unreadable?: UnreadableField; sameAsLine?: number };

/** An import under way: rows go in, batches are written. */
export type ImportRun<Row, Report> = {
  report: Report;
  /** Takes a row; true when a batch was written. */
  take(row: Row): Promise<boolean>;
  /** Writes what was taken. */
  flush(): Promise<void>;
  finish(): Promise<Report>;
  /** Forgets an import of which nothing was written. */
  forget(): Promise<void>;
};

/**
 * Reads files, one after the other, into an import that is begun once they are found. One of which no row could be read, such as
 * for its header, has not begun: it would be unfinished for good, however often the corrected file is imported.
 */
export async function importFiles<Row extends ParsedLine, Report extends { rows: number }>(
  paths: readonly string[],
  { extensions, read }: { extensions: readonly string[]; read(path: string): AsyncIterable<Row> },
  start: (files: readonly string[]) => Promise<ImportRun<Row, Report>>,
  { onProgress, onProblem, onSameSale }: ImportEvents,
): Promise<Report> {
  const files = await listFiles(paths, extensions);
  const run = await start(files);
  try {
    for (const [index, path] of files.entries()) {
      for await (const row of read(path)) {
        row.file = index + 1;
        if (row.unreadable !== undefined) onProblem?.({ path, line: row.line, ...row.unreadable });
        if (row.sameAsLine !== undefined) onSameSale?.({ path, line: row.line, sameAsLine: row.sameAsLine });
        if (await run.take(row)) onProgress?.(run.report.rows);
      }
      await run.flush();
      onProgress?.(run.report.rows);
    }
  } catch (error) {
    if (error instanceof UnreadableFile && run.report.rows === 0) await run.forget();
    throw error;
  }
  return await run.finish();
}
