import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPepperOf } from '../access/pepper.ts';
import { openDb, type Session } from '../db/client.ts';
import { startEmbedded } from '../db/embedded.ts';
import type { EmbeddedLog } from '../db/embedded-error.ts';
import { signsRecord } from '../receipts/record-keys.ts';
import { UnusableBackup } from './backup-error.ts';
import { PEPPER, RECORD_KEY } from './kept-files.ts';
import { loadArchive, type RestoreProgress, type RestoreReport, reportOf } from './restore.ts';
import { stageFiles } from './restore-files.ts';
import { differingTable, hashTables } from './restore-tables.ts';

/**
 * Restores a backup into a scratch database of its own, in the temporary folder, and compares the rows of every table, and the
 * secrets, with what was written down when it was made. Uses no other database.
 * @throws UnusableBackup | MigrationError | EmbeddedError
 */
export async function verifyBackup(
  from: AsyncIterable<Uint8Array>,
  { log, onProgress }: { log: EmbeddedLog; onProgress?: RestoreProgress },
): Promise<RestoreReport> {
  const base = await mkdtemp(join(tmpdir(), 'mintmark-verify-'));
  const folder = join(base, 'postgres');
  try {
    const { connection, stop } = await startEmbedded({ folder, log, durable: false });
    const db = openDb({ connection, poolSize: 1 });
    try {
      return await db.session((session) => compare(session, from, join(base, 'data'), onProgress));
    } finally {
      await db.close();
      await stop();
      // Where the database user cannot enter the temporary folder, it is a link.
      await rm(await realpath(folder), { recursive: true, force: true });
    }
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function compare(
  session: Session,
  from: AsyncIterable<Uint8Array>,
  dataDir: string,
  onProgress?: RestoreProgress,
): Promise<RestoreReport> {
  const files = await stageFiles(dataDir, { onlySecrets: true });
  const { about, manifest } = await loadArchive(session, from, files, onProgress);
  const differing = differingTable(manifest, await hashTables(session, about.tables));
  if (differing !== null) throw new UnusableBackup(`table ${differing}, once restored, is not as it was backed up`);
  const [pepper, seed] = [files.secrets.get(PEPPER), files.secrets.get(RECORD_KEY)];
  if (pepper === undefined ? await hasRows(session, 'key_pepper') : !(await isPepperOf(session, pepper)))
    throw new UnusableBackup('its key-pepper is not that of its database');
  if (seed === undefined ? await hasRows(session, 'record_keys') : !(await signsRecord(session, seed)))
    throw new UnusableBackup('its record-key is not that of its database');
  await session.query('rollback');
  return reportOf(about, manifest);
}

async function hasRows(session: Session, table: string): Promise<boolean> {
  return (await session.query(`select from ${table} limit 1`)).length > 0;
}
