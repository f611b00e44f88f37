import { readBackupState } from '../backup/backup-log.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { type Finding, ok, warn } from './finding.ts';

/** The newest backup that a schedule allows to be old: one may be late, not missing. */
const OLD_AFTER_MS = 36 * 3_600_000;

/** Whether the installation is backed up. Backups by other means are not known here. */
export async function backups(db: Db, { backups: schedule }: Config, nowMs: number): Promise<Finding[]> {
  const { last, failed } = await readBackupState(db);
  const made = last === null ? 'no backup was made' : `last backup ${new Date(last.atMs).toISOString()}: ${last.place}`;
  if (failed !== null)
    return [
      warn(
        `the backup of ${new Date(failed.atMs).toISOString()} failed: ${failed.problem} ${capitalised(made)}`,
        'correct that, then make one: mintmark backup <folder>',
      ),
    ];
  if (last === null)
    return [warn(made, 'mintmark backup <folder>, or BACKUP_DIR for one each day: docs/guide/backup.md')];
  const isOld = schedule !== null && nowMs - last.atMs > OLD_AFTER_MS;
  return [isOld ? warn(made, 'keep mintmark worker running, with BACKUP_DIR among its settings') : ok(made)];
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
