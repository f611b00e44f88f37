import sharp from 'sharp';
import { CARD_PIXELS } from '../../src/vision/descriptor.ts';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import { drawnCard } from '../support/photos/drawn-cards.ts';

/** A drawn card as pixels, of the size that cards are rectified to where no other is given. */
export async function drawnPixels(seed: number, width?: number, height?: number): Promise<RgbPixels> {
  return pixelsOf(await drawnCard(seed), width ?? CARD_PIXELS.width, height ?? CARD_PIXELS.height);
}

/** A file as pixels, stretched to a size where one is given. */
export async function pixelsOf(bytes: Buffer | string, width?: number, height?: number): Promise<RgbPixels> {
  const { data, info } = await sharp(bytes)
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .resize({ width, height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

export function cardPixels(data: Uint8Array): RgbPixels {
  return { data, ...CARD_PIXELS };
}

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
