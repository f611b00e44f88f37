import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { denialOf, syncFolder } from '../files.ts';
import { ConfigError } from '../lib/config-error.ts';

/** Files of the data folder that only their owner reads: the pepper of key hashes, and the key that signs the record. */

/** The bytes of such a file; null where there is none. Throws ConfigError for one that may not be read. */
export async function readSecret(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read (${error.code}). ${denialOf(path)}.`);
  });
}

/**
 * Makes the file of random bytes, unless another process did at the same moment: the first link wins. Returns what is in it,
 * forced to disk: after a loss of power everything made with it would be wrong.
 */
export async function makeSecret(path: string, bytes: number): Promise<Buffer> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, randomBytes(bytes), { flag: 'wx', mode: 0o600, flush: true });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  await syncFolder(dirname(path));
  return readFile(path);
}
