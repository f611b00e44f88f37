import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Type } from 'typebox';
import { UnreadableFile } from '../../catalog/formats/files.ts';
import { type Connection, settingsOf } from '../../connections.ts';
import type { Db, Session } from '../../db/client.ts';
import { fileDigest } from '../../files.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { dayOf } from '../../lib/day.ts';
import { importListings } from '../crawl/crawled-listings.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from '../formats/index.ts';
import { importSales } from '../import/import-sales.ts';

const SETTINGS = {
  path: Type.String({ minLength: 1 }),
  tells: Type.Optional(Type.Enum(['sale', 'listing'])),
  /** As in `mintmark import sales <format>` or `import listings <format>`. */
  format: Type.Optional(Type.String()),
  /** A file is whole when it has not changed for this long. */
  settleSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
};

/** The kind of its connections. */
export const FOLDER_KIND = 'watched-folder';
const DEFAULT_SETTLE_SECONDS = 30;

/** A folder whose files are imported once each. */
export type WatchedFolder = {
  id: string;
  name: string;
  path: string;
  /** Imports what is new and whole; a folder that another worker is at is left to it. Nothing in it is changed. */
  importNew(db: Db, nowMs: number): Promise<FolderReport>;
};

type FolderReport = {
  imported: { name: string; rows: number; rejectedRows: number }[];
  /** Files that cannot be used, reported once; a changed file is another one. One that may not be read is reported each time. */
  rejected: { name: string; problem: string }[];
  /** Why the folder itself cannot be read. */
  unreadable: string | null;
};

type ImportedRows = { rows: number; rejected: Record<string, number> };

function reasonsOf(rejected: Record<string, number>): string {
  return Object.entries(rejected)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}

export function openWatchedFolder(connection: Connection): WatchedFolder {
  const settings = settingsOf(connection, SETTINGS);
  const { tells = 'sale', format: formatName = 'mintmark', settleSeconds = DEFAULT_SETTLE_SECONDS } = settings;
  const formats: readonly { name: string; extensions: readonly string[] }[] =
    tells === 'sale' ? SALES_FORMATS : LISTINGS_FORMATS;
  const format = formats.find(({ name }) => name === formatName);
  if (format === undefined) {
    const names = formats.map(({ name }) => name).join(', ');
    throw new ConfigError(connection.mistake(['format'], `must be one of ${names}`));
  }
  const { id, name } = connection;
  const path = resolve(settings.path);
  /** What this process has seen through, by name: such a file is not read again. */
  const seen = new Map<string, string>();

  async function importFile(db: Db, file: string, nowMs: number): Promise<ImportedRows> {
    const options = { paths: [file], today: dayOf(nowMs) };
    if (tells === 'sale')
      return await importSales(db, { ...options, format: SALES_FORMATS.find((one) => one.name === formatName)! });
    const listings = LISTINGS_FORMATS.find((one) => one.name === formatName)!;
    return await importListings(db, { ...options, format: listings });
  }

  /** False where the file may not be read now. */
  async function take(db: Db, session: Session, file: string, nowMs: number, report: FolderReport): Promise<boolean> {
    const digest = await fileDigest(join(path, file)).catch((error: Error) => error);
    if (digest instanceof Error) {
      report.rejected.push({ name: file, problem: digest.message });
      return false;
    }
    const known = await session.query('select 1 from watched_files where source = $1 and digest = $2', [id, digest]);
    if (known.length > 0) return true;
    let problem: string | null = null;
    try {
      const { rows, rejected } = await importFile(db, join(path, file), nowMs);
      const rejectedRows = Object.values(rejected).reduce((sum, count) => sum + count, 0);
      if (rows === 0 || rejectedRows < rows) report.imported.push({ name: file, rows, rejectedRows });
      else
        problem = `${rows === 1 ? 'its only row could not' : `none of its ${rows} rows could`} be used (${reasonsOf(rejected)})`;
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problem = error.message.replace(`${join(path, file)}: `, '');
    }
    if (problem !== null) report.rejected.push({ name: file, problem });
    // After the import: one that is cut off is done again, which adds nothing twice.
    await session.query(
      `insert into watched_files (source, digest, name, imported_at, problem) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [id, digest, file, new Date(nowMs), problem],
    );
    return true;
  }

  return {
    id,
    name,
    path,
    importNew: (db, nowMs) =>
      db.session(async (session) => {
        const report: FolderReport = { imported: [], rejected: [], unreadable: null };
        const lock = `hashtext('mintmark folder ' || $1)`;
        const [got] = await session.query<{ mine: boolean }>(`select pg_try_advisory_lock(${lock}) as mine`, [id]);
        if (!got!.mine) return report;
        try {
          const files = await wholeFiles(path, format.extensions, nowMs - settleSeconds * 1000);
          if (typeof files === 'string') return { ...report, unreadable: files };
          await forgetGone(session, id, path);
          for (const { file, state } of files) {
            if (seen.get(file) === state) continue;
            if (await take(db, session, file, nowMs, report)) seen.set(file, state);
          }
        } finally {
          await session.query(`select pg_advisory_unlock(${lock})`, [id]);
        }
        return report;
      }),
  };
}

/** Files last changed before `beforeMs`, by name, without what is hidden or empty; a sentence when there is no folder. */
async function wholeFiles(
  path: string,
  extensions: readonly string[],
  beforeMs: number,
): Promise<{ file: string; state: string }[] | string> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    return (error as Error).message;
  }
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .filter((name) => extensions.some((extension) => name.toLowerCase().endsWith(extension)));
  const whole: { file: string; state: string }[] = [];
  for (const file of names.sort()) {
    const { mtimeMs, size } = await stat(join(path, file));
    if (mtimeMs <= beforeMs && size > 0) whole.push({ file, state: `${mtimeMs} ${size}` });
  }
  return whole;
}

/** A rejected file that was taken away is not reported any more; put there again, it is read again. */
async function forgetGone(session: Session, id: string, path: string): Promise<void> {
  await session.query('delete from watched_files where source = $1 and problem is not null and name <> all($2)', [
    id,
    await readdir(path),
  ]);
}
