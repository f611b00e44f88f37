import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../src/db/embedded-postmaster.ts';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;
const PREFIX = 'mintmark-test-';

/** Where short-lived databases are quickest: memory where there is plenty, else the temporary folder. */
const SCRATCH = existsSync(MEMORY) && freeBytes(MEMORY) >= ENOUGH_BYTES ? MEMORY : tmpdir();

/** A new folder that every user may enter, for the caller to remove. Programs may not run from it in `SCRATCH`. */
export function scratchFolder(base = SCRATCH): string {
  const folder = mkdtempSync(join(base, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes the folders of runs that were killed before they could; those of another user are left to that user. */
export function sweepScratch(): void {
  for (const base of new Set([SCRATCH, tmpdir()])) {
    for (const name of readdirSync(base)) {
      const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
      if (Number.isInteger(pid) && !isAlive(pid) && isOurs(join(base, name)))
        rmSync(join(base, name), { recursive: true, force: true });
    }
  }
}

/** Root may remove everything. */
function isOurs(folder: string): boolean {
  const user = process.getuid?.();
  return user === 0 || statSync(folder).uid === user;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
