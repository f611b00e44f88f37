import { createHmac, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * What secrets are hashed under: 32 random bytes in a file that only its owner reads, made on first use. Processes
 * that make it at the same moment agree: the first link wins. Several machines share one by copying the file.
 */
export async function loadPepper(path: string): Promise<Buffer> {
  const existing = await readFile(path).catch(() => null);
  if (existing !== null) return existing;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(32), { mode: 0o600 });
  await chmod(draft, 0o600);
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return readFile(path);
}

/** Recognises a text again without keeping it: HMAC-SHA256 under the pepper. Texts of another use begin otherwise. */
export function fingerprintWith(pepper: Buffer): (text: string) => Buffer {
  return (text) => createHmac('sha256', pepper).update(text).digest();
}
