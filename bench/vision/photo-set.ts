import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import { realTextures } from '../../test/support/photos/photo-ground.ts';
import { type CardPhoto, type Level, photographCard } from '../../test/support/photos/photos.ts';
import { testData } from '../../test/support/test-data.ts';

export type CatalogImage = { id: string; file: string; w: number; h: number };

/** The real catalog images, the same order always. */
export async function catalogImages(): Promise<CatalogImage[]> {
  const path = testData('images', 'catalog', 'catalog.json');
  if (path === null) throw new Error('the catalog images are needed: set MINTMARK_TEST_DATA');
  return JSON.parse(await readFile(path, 'utf8'));
}

export async function catalogImageBytes({ file }: CatalogImage): Promise<Buffer> {
  return readFile(testData('images', 'catalog', file)!);
}

/** Made-up photos over real textures; `seed` counts up from `first`, and the card follows from it. */
export async function* photoSet(
  level: Level,
  count: number,
  first = 1,
): AsyncGenerator<{ seed: number; id: string; photo: CardPhoto }> {
  const images = await catalogImages();
  const textures = await realTextures();
  for (let seed = first; seed < first + count; seed++) {
    const image = images[(seed * 383) % images.length]!;
    const bytes = await catalogImageBytes(image);
    yield { seed, id: image.id, photo: await photographCard(bytes, seed, level, { textures }) };
  }
}

/** A decoded photo, as large as it is or within `longSidePx`. */
export async function decoded(bytes: Buffer | string, longSidePx?: number): Promise<RgbPixels> {
  const { data, info } = await sharp(bytes)
    .rotate()
    .resize({ width: longSidePx, height: longSidePx, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
