import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describeCard } from '../../src/vision/descriptor.ts';
import { cardPixels } from '../../src/vision/pictures/card-pixels.ts';
import { IMAGE_SIZES } from '../../src/vision/pictures/kept-image.ts';
import type { RecognitionCatalog } from '../../src/vision/recognise/catalog.ts';
import type { MatchEvidence } from '../../src/vision/recognise/confidence.ts';
import { type CatalogImage, catalogImageBytes, catalogImages } from './photo-set.ts';

export type BenchCatalog = {
  images: readonly CatalogImage[];
  /** The whole catalog, or all of it but one item. */
  without(itemId: string | null): RecognitionCatalog;
};

/** The real catalog images as they are kept, each of an item of its own; pictures are decoded when they are needed. */
export async function openBenchCatalog(): Promise<BenchCatalog> {
  const images = await catalogImages();
  const kept = new Map<string, Buffer>();
  const vectors = new Map<string, Float32Array>();
  for (const image of images) {
    const bytes = await sharp(await catalogImageBytes(image))
      .resize(IMAGE_SIZES.thumb)
      .webp({ quality: 80 })
      .toBuffer();
    kept.set(image.id, bytes);
    vectors.set(image.id, describeCard(await cardPixels(bytes)));
  }
  return {
    images,
    without: (left) => ({
      async nearest(vector, k) {
        const hits = [...vectors].map(([itemId, other]) => ({
          itemId,
          score: itemId === left ? -1 : dot(vector, other),
        }));
        return hits.sort((a, b) => b.score - a.score).slice(0, k);
      },
      cards: async (itemIds) => itemIds.map((itemId) => ({ itemId, picture: itemId, card: itemId, number: null })),
      picture: (itemId) => cardPixels(kept.get(itemId)!),
    }),
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** What a band was derived from, in a line. */
export function figuresOf(evidence: MatchEvidence | null): string {
  const parts = Object.entries(evidence ?? {}).map(([name, value]) => {
    return `${name} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`;
  });
  return parts.join(', ');
}

/** Lines of a file, each a JSON value; none when there is no file. */
export async function readLines<T>(path: string): Promise<T[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
