import { ANIMATED, asUnusable, openImage, UnusableImage } from './pictures/decode.ts';
import type { RgbPixels } from './pictures/dominant-colors.ts';

/** A photo made ready to be processed: upright, in sRGB, without transparency. */
export type Photo = RgbPixels & {
  /** Size of the upright photo before it was made smaller. */
  fullWidth: number;
  fullHeight: number;
};

/** Depth maps and makers' notes of phones stay below it; what is larger is there to be expensive. */
const MAX_EXIF_BYTES = 1024 * 1024;

/**
 * Decodes a photo that somebody sent, no side longer than `maxSidePx`: JPEGs are decoded no larger than needed.
 * Throws UnusableImage: another type, animated, too many or too few pixels, damaged.
 */
export async function decodePhoto(bytes: Uint8Array, maxSidePx: number): Promise<Photo> {
  const image = await openImage(bytes);
  try {
    const { pages = 1, exif, autoOrient } = await image.metadata();
    if (pages > 1) throw new UnusableImage(ANIMATED);
    if ((exif?.length ?? 0) > MAX_EXIF_BYTES) throw new UnusableImage('its EXIF data are over 1 MB');
    const { data, info } = await image
      .resize({ width: maxSidePx, height: maxSidePx, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    return { data, width, height, fullWidth: autoOrient.width, fullHeight: autoOrient.height };
  } catch (error) {
    throw asUnusable(error as Error);
  }
}
