import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pepperPath, pepperProblem } from '../access/pepper.ts';
import { RESTORED_SETTINGS } from '../backup/restore-files.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { denialOf } from '../files.ts';
import { recordKeyPath } from '../receipts/record-keys.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MIN_FREE_BYTES = 2 * 2 ** 30;

/** The folder of everything that is not in the database: its disk, its permissions, and the key-pepper. */
export async function dataFolder(db: Db, config: Config): Promise<Finding[]> {
  return [
    await disk(config),
    ...(await writable(config)),
    ...(await openFiles(config)),
    ...(await restoredSettings(config)),
    ...(await pepper(db, config)),
  ];
}

async function disk({ dataDir }: Config): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const what = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GB free in ${dataDir}`;
    return bavail * bsize < MIN_FREE_BYTES
      ? warn(what, 'make room, or point MINTMARK_DATA to a larger disk')
      : ok(what);
  } catch (error) {
    return fail(
      `the data folder ${dataDir} cannot be examined (${(error as NodeJS.ErrnoException).code})`,
      'correct MINTMARK_DATA, or give your user the right to read that folder',
    );
  }
}

async function writable({ dataDir }: Config): Promise<Finding[]> {
  // Where it cannot be examined, that is a finding of its own.
  const error = await access(dataDir, constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => code);
  if (error === undefined || error === 'ENOENT') return [];
  const advice = error === 'EROFS' ? 'mount it for writing' : denialOf(dataDir);
  return [
    warn(`the data folder ${dataDir} cannot be written to: images, bulk files and new keys cannot be stored`, advice),
  ];
}

/** Passing through the folder is left alone: as root, the database user has to. */
async function openFiles(config: Config): Promise<Finding[]> {
  const folder = config.dataDir;
  const may = async (path: string, mask: number) => (((await stat(path).catch(() => null))?.mode ?? 0) & mask) !== 0;
  const findings: Finding[] = [];
  if (await may(folder, 0o066)) findings.push(warn(`other users may list ${folder}`, `chmod go-rw ${folder}`));
  for (const secret of [pepperPath(config), recordKeyPath(config)])
    if (await may(secret, 0o077)) findings.push(fail(`other users may read ${secret}`, `chmod 600 ${secret}`));
  return findings;
}

async function restoredSettings({ dataDir }: Config): Promise<Finding[]> {
  const folder = join(dataDir, RESTORED_SETTINGS);
  return (await stat(folder).catch(() => null)) === null
    ? []
    : [
        warn(
          `${folder} has the settings of a restored backup, with its passwords`,
          'compare them with yours, then delete it',
        ),
      ];
}

async function pepper(db: Db, config: Config): Promise<Finding[]> {
  const problem = await pepperProblem(db, pepperPath(config)).catch((error: Error) => error.message);
  return problem === null ? [] : [{ state: 'fail', what: problem }];
}
