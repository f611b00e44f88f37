import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CORS_HEADERS } from '../../http/cors.ts';
import type { FileRoute } from '../../http/file-route.ts';
import { notFound } from '../../http/problem.ts';
import { type CardImage, IMAGE_SIZES } from './kept-image.ts';
import { removeAbandoned, unfinishedPath } from './unfinished.ts';

type ImageSize = keyof typeof IMAGE_SIZES;

const SIZES = Object.keys(IMAGE_SIZES) as ImageSize[];
const FILE_NAME = new RegExp(`^[0-9a-f]{32}-(?:${Object.values(IMAGE_SIZES).join('|')})\\.webp$`);

/** Site-relative address of a kept picture. */
export function imageAddress(hash: string, size: ImageSize): string {
  return `/images/${fileName(hash, size)}`;
}

/** The path of a kept picture. */
export function imagePath(dataDir: string, hash: string, size: ImageSize): string {
  return pathOf(dataDir, fileName(hash, size));
}

/** The files of a picture, relative to the data folder. */
export function imageFiles(hash: string): string[] {
  return SIZES.map((size) => imagePath('', hash, size));
}

/** True when the files of a picture are there. */
export async function hasImage(dataDir: string, hash: string): Promise<boolean> {
  const found = await Promise.all(SIZES.map((size) => stat(imagePath(dataDir, hash, size)).catch(() => null)));
  return found.every((info) => info !== null && info.size > 0);
}

/** Writes the files of a picture; what is read is always a whole file. A fault of the disk leaves no part, and names the folder. */
export async function storeImage(dataDir: string, image: CardImage): Promise<void> {
  const images = join(dataDir, 'images');
  await makeFolder(images);
  for (const size of SIZES) {
    const path = imagePath(dataDir, image.hash, size);
    await makeFolder(dirname(path));
    // Two items may have the same picture, at the same time.
    const unfinished = unfinishedPath(path);
    try {
      await writeFile(unfinished, image[size]);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {});
      throw Object.assign(error as Error, { path: images });
    }
  }
}

/** Removes the parts of pictures that killed processes left. */
export async function removeAbandonedImages(dataDir: string): Promise<void> {
  await removeAbandoned(join(dataDir, 'images'));
}

/** With `recursive` at first, a disk that is mounted read-only would be reported as a folder that does not exist. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') await mkdir(path, { recursive: true });
    else if (error.code !== 'EEXIST') throw error;
  });
}

/** The bytes behind the address of a kept picture; null for any other address, and when the file is missing. */
export async function readImage(dataDir: string, address: string): Promise<Buffer | null> {
  const file = /^\/images\/([^/]+)$/.exec(address)?.[1] ?? '';
  return FILE_NAME.test(file) ? await readFile(pathOf(dataDir, file)).catch(() => null) : null;
}

/** The kept pictures: an address names one content for good. */
export const imageFile: FileRoute = {
  path: '/images/:file',
  async answer({ config }, { params }) {
    const body = await readImage(config.dataDir, `/images/${params.file}`);
    if (body === null) throw notFound('There is no picture at this address; copy an `imageUrl` of a card.');
    return {
      body,
      headers: {
        ...CORS_HEADERS,
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    };
  },
};

function fileName(hash: string, size: ImageSize): string {
  return `${hash}-${IMAGE_SIZES[size]}.webp`;
}

function pathOf(dataDir: string, file: string): string {
  return join(dataDir, 'images', file.slice(0, 2), file);
}
