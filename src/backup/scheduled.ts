import type { Logger } from 'pino';
import type { Db } from '../db/client.ts';
import { faultOfFile } from '../files.ts';
import type { Setting } from '../settings.ts';
import { BackupFailed } from './backup-error.ts';
import { dropOldBackups } from './backup-folder.ts';
import { runBackup } from './run-backup.ts';

/** Backups that a worker makes each day. */
export type ScheduledBackups = {
  folder: string;
  /** How many stay. */
  keep: number;
  /** UTC. */
  hour: number;
  minute: number;
  settings: readonly Setting[];
};

type World = { db: Db; log: Logger; clock: () => number; dataDir: string; signal: AbortSignal };

/**
 * Makes the backup of a day, then deletes old ones. One that fails is logged and noted, and made again the next day: a full
 * disk stays full. One that ends because the worker stops is thrown, so that the job is repeated.
 */
export async function backUpOnSchedule(world: World, { folder, keep, settings }: ScheduledBackups): Promise<void> {
  const { log, signal } = world;
  try {
    const report = await runBackup({ ...world, settings, to: folder });
    const dropped = await dropOldBackups(folder, keep, report.place);
    log.info({ ...report, dropped: dropped.length }, 'backup made');
    if (report.missing > 0) log.warn({ missing: report.missing }, 'files of the backup are not in the data folder');
  } catch (error) {
    if (signal.aborted) throw error;
    // Faults of the system and of the database have a code: only one of ours needs its stack.
    const isKnown = error instanceof BackupFailed || (error instanceof Error && 'code' in error);
    log.error(isKnown ? { reason: faultOfFile(error) ?? error.message } : { err: error }, 'the backup failed');
  }
}
