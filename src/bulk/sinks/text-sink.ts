import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { csvLine } from '../../lib/csv.ts';
import { type FileColumn, type FileRow, plainValue } from '../file-table.ts';
import { type FileSink, openDigested } from './file-sink.ts';

/** Rows as lines of JSON, compressed by gzip. */
export function ndjsonSink(path: string, columns: readonly FileColumn[]): Promise<FileSink> {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const line = (row: FileRow) =>
    `{${row.map((value, i) => names[i] + JSON.stringify(plainValue(columns[i]!, value))).join(',')}}\n`;
  return gzipSink(path, '', line);
}

/** Rows as CSV (RFC 4180) with a line of names, compressed by gzip. */
export function csvSink(path: string, columns: readonly FileColumn[]): Promise<FileSink> {
  const line = (row: FileRow) => csvLine(row.map((value, i) => plainValue(columns[i]!, value)));
  return gzipSink(path, csvLine(columns.map(({ name }) => name)), line);
}

async function gzipSink(path: string, head: string, lineOf: (row: FileRow) => string): Promise<FileSink> {
  const file = await openDigested(path);
  const gzip = createGzip();
  const written = (async () => {
    for await (const chunk of gzip) await file.append(chunk as Buffer);
  })();
  // Where it fails, so does the next write.
  written.catch(() => gzip.destroy());
  gzip.on('error', () => {});
  if (head !== '') gzip.write(head);
  let count = 0;
  return {
    async write(rows) {
      count += rows.length;
      if (gzip.destroyed) await written;
      if (!gzip.write(rows.map(lineOf).join(''))) await Promise.race([once(gzip, 'drain'), written]);
    },
    async end() {
      gzip.end();
      await written;
      return await file.close(count);
    },
    async drop() {
      gzip.destroy();
      await written.catch(() => {});
      await file.drop();
    },
  };
}
