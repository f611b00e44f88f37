import { basename, dirname, resolve } from 'node:path';
import type { ReadCert } from '../../catalog/cert.ts';
import { listFiles } from '../../catalog/formats/files.ts';
import type { Db } from '../../db/client.ts';
import { beginImport, finishImport } from '../../db/import-rows.ts';
import { openResolver } from '../../sales/import/resolve.ts';
import { readImageFile, UnusableImage } from '../../vision/pictures/decode.ts';
import { hasImage, imageAddress, storeImage } from '../../vision/pictures/image-store.ts';
import { encodeCardImage, imageHash } from '../../vision/pictures/kept-image.ts';
import { type LabelBook, loadLabels } from '../slab/label-book.ts';
import type { CertEntry, CertFormat } from './cert-formats.ts';
import type { CertRow } from './cert-row.ts';
import { type NewCert, type RegisterCounts, registerCerts } from './register.ts';

/** What an import did: rows = added + changed + unchanged + repeated + rejected. */
export type CertsReport = RegisterCounts & {
  rows: number;
  /** Rows that repeat an earlier row of the same cert. */
  repeated: number;
  rejected: number;
  /** Registered rows whose card is not known from them, by reason. */
  withoutCard: Record<string, number>;
  /** Registered rows with a grade outside the priced scale. */
  outsideScale: number;
};

type ImportCertsOptions = {
  format: CertFormat;
  paths: readonly string[];
  dataDir: string;
  /** Called after each batch. */
  onProgress?: (rows: number) => void;
  /** Called with each row that cannot be used. */
  onProblem?: (problem: { path: string; line: number; message: string }) => void;
};

type CertLine = { path: string; line: number; row: CertRow };

const BATCH_ROWS = 5000;

/**
 * Registers the certs of files. A row that cannot be used is reported with its line and the others count; importing again
 * changes nothing. A cert that occurs twice with different words is rejected in every row, since either may be wrong.
 * Throws UnreadableFile for a file of another format.
 */
export async function importCerts(db: Db, options: ImportCertsOptions): Promise<CertsReport> {
  const { format, paths, dataDir, onProgress, onProblem } = options;
  const files = await listFiles(paths, format.extensions);
  const contested = await contestedIn(entriesOf(format, files));
  const importId = await beginImport(db, 'certs', format.name);
  const counts = { added: 0, changed: 0, unchanged: 0, repeated: 0, rejected: 0 };
  const report: CertsReport = { rows: 0, ...counts, withoutCard: {}, outsideScale: 0 };
  const items = openResolver(db);
  let labels: LabelBook | null = null;
  const seen = new Set<string>();
  let batch: CertLine[] = [];
  const reject = ({ path, line }: { path: string; line: number }, message: string) => {
    report.rejected++;
    onProblem?.({ path, line, message });
  };

  /** A row with its card, by reference or label, and its scans in the data folder; or why it cannot be used. */
  async function newCertOf({ path, row: { item, ...row } }: CertLine): Promise<NewCert | string> {
    if (item === null && row.label !== null) labels ??= await loadLabels(db);
    const match = item === null && row.label !== null ? labels!.match(row.label) : null;
    const itemId = item === null ? (match?.itemId ?? null) : (items.get(item)?.id ?? null);
    if (item !== null && itemId === null) return `no item has this ${COLUMN_OF[item.by]}`;
    for (const side of ['imageFront', 'imageBack'] as const) {
      try {
        if (row[side] !== null) row[side] = await scanAddress(row[side], path, dataDir);
      } catch (error) {
        if (error instanceof UnusableImage) return `${side}: ${error.message}`;
        throw error;
      }
    }
    const reason = match?.reason ?? (itemId === null ? 'not_identified' : null);
    if (reason !== null) report.withoutCard[reason] = (report.withoutCard[reason] ?? 0) + 1;
    if (row.gradeLabel !== null && row.gradeKey === null) report.outsideScale++;
    return { ...row, itemId };
  }

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    await items.load(batch.map(({ row }) => row.item).filter((item) => item !== null));
    const certs: NewCert[] = [];
    for (const line of batch) {
      const cert = await newCertOf(line);
      if (typeof cert === 'string') reject(line, cert);
      else certs.push(cert);
    }
    const origin = basename(batch[0]!.path);
    const written = await db.transaction((session) => registerCerts(session, certs, { origin, importId }));
    for (const what of ['added', 'changed', 'unchanged'] as const) report[what] += written[what];
    batch = [];
    onProgress?.(report.rows);
  }

  for await (const { path, ...entry } of entriesOf(format, files)) {
    report.rows++;
    const place = { path, line: entry.line };
    if (entry.row === null) {
      reject(place, entry.problem);
      continue;
    }
    const key = keyOf(entry.row.cert);
    if (contested.has(key)) reject(place, `cert ${entry.row.cert.cert} occurs here and elsewhere with different words`);
    else if (seen.has(key)) report.repeated++;
    else {
      seen.add(key);
      // A batch is of one file: its name is what the certs are kept with.
      if (batch.length >= BATCH_ROWS || (batch.length > 0 && batch[0]!.path !== path)) await flush();
      batch.push({ ...place, row: entry.row });
    }
  }
  await flush();
  await finishImport(db, importId, report);
  // Processes clear their cached responses; the catalog, which indexes are built of, did not change.
  if (report.added + report.changed > 0) await db.query(`select pg_notify('sales', '')`);
  return report;
}

const COLUMN_OF = { id: 'itemId', href: 'href', upstream: 'upstreamItemId' } as const;

async function* entriesOf(format: CertFormat, files: readonly string[]): AsyncGenerator<CertEntry & { path: string }> {
  for (const path of files) for await (const entry of format.read(path)) yield { ...entry, path };
}

function keyOf({ company, key }: ReadCert): string {
  return `${company} ${key}`;
}

/** Certs that occur more than once with different words. */
async function contestedIn(entries: AsyncIterable<CertEntry>): Promise<Set<string>> {
  const seen = new Map<string, string>();
  const contested = new Set<string>();
  for await (const { row } of entries) {
    if (row === null) continue;
    const { cert, item, label, gradeLabel, state } = row;
    const words = JSON.stringify([item, label?.toLowerCase(), gradeLabel?.toLowerCase(), state]);
    const before = seen.get(keyOf(cert));
    if (before === undefined) seen.set(keyOf(cert), words);
    else if (before !== words) contested.add(keyOf(cert));
  }
  return contested;
}

/**
 * The address of a scan as a file names it: a web address stays, a file (relative to `importPath`, or an absolute path) is
 * re-encoded into the data folder, once. Throws UnusableImage.
 */
async function scanAddress(named: string, importPath: string, dataDir: string): Promise<string> {
  if (/^https?:\/\//.test(named)) return named;
  const bytes = await readImageFile(resolve(dirname(importPath), named));
  const hash = imageHash(bytes);
  if (!(await hasImage(dataDir, hash))) await storeImage(dataDir, await encodeCardImage(bytes));
  return imageAddress(hash, 'full');
}
