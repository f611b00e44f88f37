import type { Session } from '../db/client.ts';
import { migrateWithin } from '../db/migrate.ts';
import { type ArchiveMember, readArchive } from './archive.ts';
import { UnusableBackup } from './backup-error.ts';
import { type About, MANIFEST, type Manifest, readAbout, readManifest, tableOfPiece } from './contents.ts';
import { type StagedFiles, stageFiles } from './restore-files.ts';
import { beginTables, differingTable, endTables, loadTable } from './restore-tables.ts';
import type { RowSummary } from './row-hash.ts';
import { backupTables, readPiece } from './tables.ts';

/** What was restored. */
export type RestoreReport = { madeAt: string; program: string; tables: number; rows: number; files: number };

/** Called after each part of a backup that was read; `name` is a table, or `files`. */
export type RestoreProgress = (name: string) => void;

/**
 * Restores a backup into an empty installation. Everything appears at the end, when all of the backup was read and is as it
 * was written: rows by one commit, files before it. A restore that is cut off is run again.
 * @throws UnusableBackup | NotRestorable | MigrationError
 */
export async function restore(
  session: Session,
  from: AsyncIterable<Uint8Array>,
  { dataDir, onProgress }: { dataDir: string; onProgress?: RestoreProgress },
): Promise<RestoreReport> {
  const files = await stageFiles(dataDir);
  try {
    const { about, manifest } = await loadArchive(session, from, files, onProgress);
    await migrateWithin(session);
    await files.place();
    await session.query('commit');
    await session.query(`analyze ${backupTables().join(', ')}`);
    return reportOf(about, manifest);
  } catch (error) {
    await files.discard();
    throw error;
  }
}

/** Reads a backup to its end without using it. @throws UnusableBackup when it is damaged. */
export async function checkArchive(from: AsyncIterable<Uint8Array>, onProgress?: RestoreProgress): Promise<void> {
  for await (const member of readArchive(from)) {
    for await (const _ of member.content);
    onProgress?.(tableOfPiece(member.name) ?? 'files');
  }
}

/** Loads a backup into a transaction that stays open, and into staged files. All of it has been checked then. */
export async function loadArchive(
  session: Session,
  from: AsyncIterable<Uint8Array>,
  files: StagedFiles,
  onProgress: RestoreProgress = () => {},
): Promise<{ about: About; manifest: Manifest }> {
  const members = readArchive(from);
  let member: ArchiveMember | undefined;
  const advance = async (): Promise<void> => {
    const { value, done } = await members.next();
    member = done ? undefined : value;
  };
  try {
    await advance();
    const about = await readAbout(member);
    const removed = await beginTables(session, about).catch(async (error: unknown) => {
      // Of a damaged backup nothing can be believed, its migrations neither: to be damaged is the better reason.
      for await (const _ of members);
      throw error;
    });
    const loaded = new Map<string, RowSummary>();
    let manifest: Manifest | null = null;
    for (await advance(); member !== undefined; ) {
      const { name } = member as ArchiveMember;
      const table = tableOfPiece(name);
      if (table !== null) {
        const known = about.tables.find((one) => one.name === table);
        if (known === undefined || loaded.has(table)) throw new UnusableBackup(`${name} is not expected there`);
        const pieces = async function* () {
          for (; member !== undefined && tableOfPiece(member.name) === table; await advance()) yield readPiece(member);
        };
        loaded.set(table, await loadTable(session, known, pieces()));
        onProgress(table);
        continue;
      }
      if (name === MANIFEST) manifest = await readManifest(member);
      else await files.take(member);
      onProgress('files');
      await advance();
    }
    if (manifest === null) throw new UnusableBackup('it lacks manifest.json');
    const differing = differingTable(manifest, loaded);
    if (differing !== null) throw new UnusableBackup(`the rows of table ${differing} are not those of its manifest`);
    await endTables(session, about, removed);
    return { about, manifest };
  } finally {
    await members.return();
  }
}

export function reportOf({ madeAt, program }: About, { tables, files }: Manifest): RestoreReport {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { madeAt, program, tables: tables.length, rows, files };
}
