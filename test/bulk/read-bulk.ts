import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type AsyncBuffer, parquetReadObjects } from 'hyparquet';
import sqlite from 'node-sqlite3-wasm';
import type { BulkFile } from '../../src/bulk/bulk-folder.ts';
import type { FileColumn, FileTable } from '../../src/bulk/file-table.ts';

/** A row as NDJSON has it. */
export type PlainRow = Record<string, string | number | boolean | null>;

/** The rows of a file of a folder, whatever its format, as NDJSON has them. */
export async function rowsIn(folder: string, file: BulkFile, { columns }: FileTable): Promise<PlainRow[]> {
  const bytes = readFileSync(join(folder, file.name));
  if (file.format === 'ndjson') return linesIn(bytes).map((line) => JSON.parse(line));
  if (file.format === 'csv') {
    const rows: Record<string, string>[] = parse(gunzipSync(bytes), { columns: true });
    return rows.map((row) => rowOf(columns, (column) => fromText(column, row[column.name]!)));
  }
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const rows = await parquetReadObjects({ file: buffer as unknown as AsyncBuffer });
  return rows.map((row) => rowOf(columns, (column) => fromParquet(column, row[column.name])));
}

function linesIn(bytes: Buffer): string[] {
  return gunzipSync(bytes).toString().split('\n').slice(0, -1);
}

function rowOf(columns: readonly FileColumn[], read: (column: FileColumn) => PlainRow[string]): PlainRow {
  return Object.fromEntries(columns.map((column) => [column.name, read(column)]));
}

function fromText({ type, optional }: FileColumn, text: string) {
  if (text === '' && optional) return null;
  if (type === 'boolean') return text === 'true';
  return type === 'integer' || type === 'real' ? Number(text) : text;
}

function fromParquet({ type }: FileColumn, value: unknown) {
  if (value === null || value === undefined) return null;
  if (type === 'day') return (value as Date).toISOString().slice(0, 10);
  if (type === 'instant') return (value as Date).toISOString();
  return typeof value === 'bigint' ? Number(value) : (value as string);
}

/** The rows of a table of a pack, as NDJSON has them. */
export function rowsInPack(path: string, { kind, columns, key }: FileTable): PlainRow[] {
  const db = new sqlite.Database(path, { readOnly: true });
  try {
    const rows = db.all(`select * from ${kind} order by ${key.join(', ')}`) as unknown as PlainRow[];
    return rows.map((row) => rowOf(columns, ({ name, type }) => (type === 'boolean' ? row[name] === 1 : row[name]!)));
  } finally {
    db.close();
  }
}

export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
