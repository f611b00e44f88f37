import { readBackupState } from '../backup/backup-log.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { writeDenialOf } from '../files.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The newest backup that a schedule allows to be old: one may be late, not missing. */
const OLD_AFTER_MS = 36 * 3_600_000;

/** Whether the installation is backed up. Backups by other means are not known here. */
export async function backups(db: Db, { backups: schedule }: Config, nowMs: number): Promise<Finding[]> {
  const { last, failed } = await readBackupState(db, schedule?.folder ?? null);
  const made = last === null ? 'no backup was made' : `last backup ${new Date(last.atMs).toISOString()}: ${last.place}`;
  const denial = schedule === null ? null : writeDenialOf(schedule.folder);
  if (denial !== null)
    return [fail(`no backup can be written into BACKUP_DIR: ${denial}`, 'correct that, or set another folder')];
  if (failed !== null)
    return [
      fail(
        `the backup of ${new Date(failed.atMs).toISOString()} failed: ${failed.problem} ${capitalised(made)}`,
        'correct that, then make one: mintmark backup <folder>',
      ),
    ];
  if (schedule === null)
    return [
      last === null
        ? warn(made, 'mintmark backup <folder>, or BACKUP_DIR for one each day: docs/guide/backup.md')
        : ok(made),
    ];
  if (last === null) {
    const advice = `mintmark backup ${schedule.folder}, and keep mintmark worker running: it makes one each day`;
    return [fail(made, `${advice}: docs/guide/backup.md`)];
  }
  const isOld = nowMs - last.atMs > OLD_AFTER_MS;
  return [isOld ? fail(made, 'keep mintmark worker running, with BACKUP_DIR among its settings') : ok(made)];
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
