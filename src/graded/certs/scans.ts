import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { MAX_IMAGE_BYTES, UnusableImage } from '../../vision/pictures/decode.ts';
import { hasImage, imageAddress, storeImage } from '../../vision/pictures/image-store.ts';
import { encodeCardImage, imageHash } from '../../vision/pictures/kept-image.ts';

/**
 * The address of a scan as a file names it: a web address stays, a file (beside `importPath`, or an absolute path) is
 * re-encoded into the data folder, once. Throws UnusableImage.
 */
export async function scanAddress(named: string, importPath: string, dataDir: string): Promise<string> {
  if (/^https?:\/\//.test(named)) return named;
  const path = resolve(dirname(importPath), named);
  const info = await stat(path).catch(() => null);
  if (info === null || !info.isFile()) throw new UnusableImage('no such file');
  if (info.size > MAX_IMAGE_BYTES) throw new UnusableImage(`over ${MAX_IMAGE_BYTES / 2 ** 20} MB`);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableImage(`cannot be read (${error.code})`);
  });
  const hash = imageHash(bytes);
  if (!(await hasImage(dataDir, hash))) await storeImage(dataDir, await encodeCardImage(bytes));
  return imageAddress(hash, 'full');
}
