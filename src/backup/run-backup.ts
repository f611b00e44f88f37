import type { Writable } from 'node:stream';
import type { Db, Session } from '../db/client.ts';
import { tryWithLock } from '../db/locks.ts';
import { faultOfFile } from '../files.ts';
import { writeArchive } from './archive.ts';
import { BackupFailed } from './backup-error.ts';
import { writeInto } from './backup-folder.ts';
import { noteBegin, noteEnd } from './backup-log.ts';
import type { Manifest } from './contents.ts';
import { type BackupProgress, type BackupSource, fillArchive } from './fill.ts';

export type BackupOptions = BackupSource & {
  db: Db;
  /** A folder, or a stream that stays open. */
  to: string | Writable;
  signal: AbortSignal;
  onProgress?: (progress: BackupProgress) => void;
};

/** What was made: `place` is the path of the file, or `-` of a stream. */
export type BackupReport = {
  place: string;
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  missing: number;
};

/**
 * Makes a backup while everything runs, and notes how it went. One is made at a time.
 * @throws BackupFailed | ConfigError | MigrationError
 */
export async function runBackup(options: BackupOptions): Promise<BackupReport> {
  const { db, to, signal } = options;
  const place = typeof to === 'string' ? to : '-';
  const made = await db.session((session) =>
    tryWithLock(session, 'backup', async () => {
      // Also where the database takes no writes any more, such as on a full disk.
      const id = await noteBegin(db, place).catch(() => null);
      try {
        const report = await make(session, options);
        if (id !== null) await noteEnd(db, id, report);
        return report;
      } catch (error) {
        const fault = signal.aborted
          ? new BackupFailed('The backup was stopped before its end.')
          : explained(error, place);
        const problem = fault instanceof Error ? (faultOfFile(fault) ?? fault.message) : String(fault);
        if (id !== null) await noteEnd(db, id, { problem }).catch(() => {});
        throw fault;
      }
    }),
  );
  if (made === null) throw new BackupFailed('Another backup of this database is running: wait for its end.');
  return made;
}

async function make(session: Session, options: BackupOptions): Promise<BackupReport> {
  const { to, signal, clock, onProgress = () => {} } = options;
  let manifest: Manifest;
  const write = (stream: Writable, end: boolean) =>
    writeArchive(
      stream,
      async (archive) => {
        manifest = await fillArchive(archive, session, options, onProgress);
      },
      { signal, end },
    );
  const { path, bytes } =
    typeof to === 'string'
      ? await writeInto(to, clock(), (stream) => write(stream, true))
      : { path: '-', bytes: await write(to, false) };
  const { tables, files, missing } = manifest!;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { place: path, bytes, tables: tables.length, rows, files, missing };
}

/** What a system reports about the place of a backup, in a sentence; other faults as they are. */
function explained(error: unknown, to: string): unknown {
  const place = to === '-' ? 'standard output' : to;
  const { code } = error as NodeJS.ErrnoException;
  const sentences: Record<string, string> = {
    ENOSPC: `There is no space left on the disk of ${place}: make room, or choose another place.`,
    EDQUOT: `The quota of the disk of ${place} is used up: make room, or choose another place.`,
    EFBIG: `The disk of ${place} does not take a file of this size: choose another place.`,
    EPIPE: `The reader of ${place} ended before the backup did.`,
    EIO: `The disk of ${place} fails: choose another place.`,
  };
  const sentence = code === undefined ? undefined : sentences[code];
  return sentence === undefined ? error : new BackupFailed(sentence, { cause: error });
}
