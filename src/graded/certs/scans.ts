import { dirname, resolve } from 'node:path';
import { readImageFile } from '../../vision/pictures/decode.ts';
import { hasImage, imageAddress, storeImage } from '../../vision/pictures/image-store.ts';
import { encodeCardImage, imageHash } from '../../vision/pictures/kept-image.ts';

/**
 * The address of a scan as a file names it: a web address stays, a file (beside `importPath`, or an absolute path) is
 * re-encoded into the data folder, once. Throws UnusableImage.
 */
export async function scanAddress(named: string, importPath: string, dataDir: string): Promise<string> {
  if (/^https?:\/\//.test(named)) return named;
  const bytes = await readImageFile(resolve(dirname(importPath), named));
  const hash = imageHash(bytes);
  if (!(await hasImage(dataDir, hash))) await storeImage(dataDir, await encodeCardImage(bytes));
  return imageAddress(hash, 'full');
}
