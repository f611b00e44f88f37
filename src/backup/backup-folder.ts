import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { makeFolder, syncFolder } from '../files.ts';

const NAME = /^mintmark-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.tar$/;
const UNFINISHED = '.part';

/**
 * Writes a backup into a folder: under another name until it is whole and on the disk. What a killed backup left there is
 * removed first; the caller has the lock of backups, so that none of the same installation is being written.
 * @returns its path and size.
 */
export async function writeInto(
  folder: string,
  nowMs: number,
  write: (to: Writable) => Promise<number>,
): Promise<{ path: string; bytes: number }> {
  makeFolder(folder, 0o700);
  for (const name of await readdir(folder))
    if (name.endsWith(UNFINISHED) && NAME.test(name.slice(0, -UNFINISHED.length))) await rm(join(folder, name));
  const path = join(folder, `mintmark-${new Date(nowMs).toISOString().replaceAll(':', '-')}.tar`);
  const unfinished = path + UNFINISHED;
  try {
    const bytes = await write(createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(unfinished, path);
    await syncFolder(folder);
    return { path, bytes };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Deletes the oldest backups of a folder until `keep` are left; never the one that was `made` now. Returns their names. */
export async function dropOldBackups(folder: string, keep: number, made: string): Promise<string[]> {
  const others = (await readdir(folder)).filter((name) => NAME.test(name) && join(folder, name) !== made);
  const old = others
    .sort()
    .reverse()
    .slice(keep - 1);
  for (const name of old) await rm(join(folder, name));
  return old;
}
