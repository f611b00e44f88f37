import { basename } from 'node:path';
import type { ReadCert } from '../../catalog/cert.ts';
import { listFiles } from '../../catalog/formats/files.ts';
import type { Db } from '../../db/client.ts';
import { openResolver } from '../../sales/import/resolve.ts';
import { UnusableImage } from '../../vision/pictures/decode.ts';
import { type LabelBook, loadLabels } from '../slab/label-book.ts';
import type { CertEntry, CertFormat } from './cert-formats.ts';
import type { CertRow } from './cert-row.ts';
import { type NewCert, type RegisterCounts, registerCerts } from './register.ts';
import { scanAddress } from './scans.ts';

/** What an import did: rows = added + changed + unchanged + repeated + refused. */
export type CertsReport = RegisterCounts & {
  rows: number;
  /** Rows that say of a cert what a row before them said. */
  repeated: number;
  refused: number;
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
  const { format, paths, onProgress } = options;
  const files = await listFiles(paths, format.extensions);
  const contested = await contestedIn(entriesOf(format, files));
  const [run] = await db.query<{ id: number }>(`insert into imports (kind, format) values ('certs', $1) returning id`, [
    format.name,
  ]);
  const importId = run!.id;
  const counts = { added: 0, changed: 0, unchanged: 0, repeated: 0, refused: 0 };
  const report: CertsReport = { rows: 0, ...counts, withoutCard: {}, outsideScale: 0 };
  const resolve = openCards(db);
  const seen = new Set<string>();
  let batch: CertLine[] = [];
  const refuse = ({ path, line }: { path: string; line: number }, message: string) => {
    report.refused++;
    options.onProblem?.({ path, line, message });
  };
  const flush = async () => {
    const places = batch;
    batch = [];
    if (places.length === 0) return;
    const certs = await resolve(places, { dataDir: options.dataDir, report, refuse });
    const origin = basename(places[0]!.path);
    const written = await db.transaction((session) => registerCerts(session, certs, { origin, importId }));
    for (const what of ['added', 'changed', 'unchanged'] as const) report[what] += written[what];
    onProgress?.(report.rows);
  };
  for await (const { path, ...entry } of entriesOf(format, files)) {
    report.rows++;
    const place = { path, line: entry.line };
    if (entry.row === null) {
      refuse(place, entry.problem);
      continue;
    }
    const key = keyOf(entry.row.cert);
    if (contested.has(key)) refuse(place, `cert ${entry.row.cert.cert} stands here and elsewhere with different words`);
    else if (seen.has(key)) report.repeated++;
    else {
      seen.add(key);
      // A batch is of one file: its name is what the certs are kept with.
      if (batch.length >= BATCH_ROWS || (batch.length > 0 && batch[0]!.path !== path)) await flush();
      batch.push({ ...place, row: entry.row });
    }
  }
  await flush();
  await db.query('update imports set finished_at = now(), counts = $2 where id = $1', [importId, report]);
  // Processes forget the answers they keep; the catalog, which indexes are built of, did not change.
  if (report.added + report.changed > 0) await db.query(`select pg_notify('sales', '')`);
  return report;
}

async function* entriesOf(format: CertFormat, files: readonly string[]): AsyncGenerator<CertEntry & { path: string }> {
  for (const path of files) for await (const entry of format.read(path)) yield { ...entry, path };
}

function keyOf({ company, key }: ReadCert): string {
  return `${company} ${key}`;
}

/** Certs that stand more than once, and not with the same words. */
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

const COLUMN_OF = { id: 'itemId', href: 'href', upstream: 'upstreamItemId' } as const;

/** What makes rows of files into certs: their cards by reference or label, their scans into the data folder. */
function openCards(db: Db) {
  const items = openResolver(db);
  let labels: LabelBook | null = null;
  return async (
    places: readonly CertLine[],
    to: { dataDir: string; report: CertsReport; refuse: (place: CertLine, message: string) => void },
  ): Promise<NewCert[]> => {
    await items.load(places.map(({ row }) => row.item).filter((item) => item !== null));
    const byLabel = ({ row }: CertLine) => row.item === null && row.label !== null;
    if (labels === null && places.some(byLabel)) labels = await loadLabels(db);
    const certs: NewCert[] = [];
    for (const place of places) {
      const { item, ...row } = place.row;
      const match = item === null && row.label !== null ? labels!.match(row.label) : null;
      const itemId = item === null ? (match?.itemId ?? null) : (items.get(item)?.id ?? null);
      if (item !== null && itemId === null) {
        to.refuse(place, `no item has this ${COLUMN_OF[item.by]}`);
        continue;
      }
      const scans = await scansOf(place, to.dataDir).catch((error: Error) => {
        if (!(error instanceof UnusableImage)) throw error;
        return error.message;
      });
      if (typeof scans === 'string') {
        to.refuse(place, scans);
        continue;
      }
      const { report } = to;
      const reason = match?.reason ?? (itemId === null ? 'not_identified' : null);
      if (reason !== null) report.withoutCard[reason] = (report.withoutCard[reason] ?? 0) + 1;
      if (row.gradeLabel !== null && row.gradeKey === null) report.outsideScale++;
      certs.push({ ...row, ...scans, itemId });
    }
    return certs;
  };
}

async function scansOf({ row, path }: CertLine, dataDir: string): Promise<Pick<CertRow, 'imageFront' | 'imageBack'>> {
  const scan = async (side: 'imageFront' | 'imageBack') => {
    const named = row[side];
    if (named === null) return null;
    return await scanAddress(named, path, dataDir).catch((error: Error) => {
      if (error instanceof UnusableImage) throw new UnusableImage(`${side}: ${error.message}`);
      throw error;
    });
  };
  return { imageFront: await scan('imageFront'), imageBack: await scan('imageBack') };
}
