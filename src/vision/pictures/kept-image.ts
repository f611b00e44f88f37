import { createHash } from 'node:crypto';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { asUnusable, openImage } from './decode.ts';
import type { RgbPixels } from './dominant-colors.ts';

/** Sizes that a card's picture is kept in, by the short side of a card in pixels; smaller ones are not enlarged. */
export const IMAGE_SIZES = { full: 734, thumb: 245 } as const;

/** A card's picture as it is kept: two WebP files under one name. */
export type CardImage = {
  hash: string;
  full: Buffer;
  thumb: Buffer;
  /** Of the larger file, pixels. */
  width: number;
  height: number;
  /** The whole card, small: what its colors are derived from. */
  pixels: RgbPixels;
};

/** Part of the name: another encoding has other addresses, since browsers keep what they got for good. */
const ENCODING = 'webp-1';
/** Of a card, 63 × 88 mm. */
const ASPECT = 734 / 1024;
const COLOR_SAMPLE = { width: 48, height: 66 };

/** What the files made of these bytes are named: 32 hex digits. */
export function imageHash(bytes: Uint8Array): string {
  return createHash('sha256').update(ENCODING).update(bytes).digest('hex').slice(0, 32);
}

/** Re-encodes a picture of a card. Throws UnusableImage. */
export async function encodeCardImage(bytes: Uint8Array): Promise<CardImage> {
  const image = await openImage(bytes);
  try {
    const { autoOrient } = await image.metadata();
    const isPortrait = autoOrient.height >= autoOrient.width;
    // Decoded once: every size is made from the larger one.
    const large = await bounded(image, IMAGE_SIZES.full, isPortrait)
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [full, thumb, sample] = await Promise.all([
      again(large).webp({ quality: 82 }).toBuffer(),
      bounded(again(large), IMAGE_SIZES.thumb, isPortrait).webp({ quality: 80 }).toBuffer(),
      colorSample(again(large), isPortrait),
    ]);
    const { width, height } = large.info;
    return { hash: imageHash(bytes), full, thumb, width, height, pixels: { data: sample, ...COLOR_SAMPLE } };
  } catch (error) {
    throw asUnusable(error as Error);
  }
}

function again({ data, info }: { data: Buffer; info: OutputInfo }): Sharp {
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

/** Within the size of a card whose short side has `shortPx`. */
function bounded(image: Sharp, shortPx: number, isPortrait: boolean): Sharp {
  const longPx = Math.round(shortPx / ASPECT);
  const [width, height] = isPortrait ? [shortPx, longPx] : [longPx, shortPx];
  return image.resize({ width, height, fit: 'inside', withoutEnlargement: true });
}

async function colorSample(image: Sharp, isPortrait: boolean): Promise<Buffer> {
  return image
    .rotate(isPortrait ? 0 : 90)
    .flatten({ background: 'white' })
    .resize({ ...COLOR_SAMPLE, fit: 'fill' })
    .raw()
    .toBuffer();
}
