import sharp from 'sharp';
import { CARD_PIXELS } from '../descriptor.ts';
import { asUnusable } from './decode.ts';
import type { RgbPixels } from './dominant-colors.ts';

/**
 * A kept picture of a card as the descriptor takes it. A card in landscape is turned upright, a quarter turn clockwise, as a
 * rectified photo of it is in one of its turns. Throws UnusableImage.
 */
export async function cardPixels(bytes: Uint8Array): Promise<RgbPixels> {
  const picture = await picturePixels(bytes);
  const isPortrait = picture.height >= picture.width;
  const { data, width, height } = picture;
  const upright = sharp(data, { raw: { width, height, channels: 3 } }).rotate(isPortrait ? 0 : 90);
  const card = await upright
    .resize({ ...CARD_PIXELS, fit: 'fill' })
    .raw()
    .toBuffer();
  return { data: card, ...CARD_PIXELS };
}

/** The pixels of a kept picture as it is. Throws UnusableImage. */
export async function picturePixels(bytes: Uint8Array): Promise<RgbPixels> {
  try {
    const { data, info } = await sharp(bytes)
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    throw asUnusable(error as Error);
  }
}
