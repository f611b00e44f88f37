import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SUFFIX = '.part';
/** A file that is being written changes far more often. */
const ABANDONED_MS = 3_600_000;

/** A path of its own next to a file, which is renamed to it once it is whole. */
export function unfinishedPath(path: string): string {
  return `${path}.${randomUUID()}${SUFFIX}`;
}

/** Removes the unfinished files of a folder, and of those in it, that a killed process left. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true }).catch(() => [])) {
    if (!file.endsWith(SUFFIX)) continue;
    const path = join(folder, file);
    const info = await stat(path).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}
