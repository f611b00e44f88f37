import sharp, { type Sharp } from 'sharp';

/** A picture that cannot be used; the message says why, without naming the file. */
export class UnusableImage extends Error {
  override name = 'UnusableImage';
}

export const MAX_IMAGE_BYTES = 15 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
const MIN_SIDE_PX = 100;
const DECODE_TIMEOUT_SECONDS = 20;

type ImageKind = 'jpeg' | 'png' | 'webp' | 'avif';

/** What an image is by its first bytes, whatever its name says; null when it is none that we take. */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(4, 8) === 'ftyp' && /avif|avis/.test(ascii(8, 32))) return 'avif';
  return null;
}

/**
 * A picture ready to be decoded, its first frame upright. Type, bytes and pixels are checked before a pixel is decoded.
 * Throws UnusableImage; so may the decoding of a damaged file later: pass its error through `asUnusable`.
 */
export async function openImage(bytes: Uint8Array): Promise<Sharp> {
  if (bytes.length > MAX_IMAGE_BYTES) throw new UnusableImage(`over ${MAX_IMAGE_BYTES / 2 ** 20} MB`);
  if (imageKind(bytes) === null) throw new UnusableImage('not a JPEG, PNG, WebP or AVIF picture');
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { width, height } = await image.metadata().catch((error: Error) => {
    throw asUnusable(error);
  });
  if (width * height > MAX_PIXELS) throw new UnusableImage(`over ${MAX_PIXELS / 1e6} million pixels`);
  if (Math.min(width, height) < MIN_SIDE_PX)
    throw new UnusableImage(`${width} × ${height} pixels; a side has ${MIN_SIDE_PX} at least`);
  return image.autoOrient().timeout({ seconds: DECODE_TIMEOUT_SECONDS });
}

/** What a decoder threw, in our words. */
export function asUnusable(error: Error): UnusableImage {
  if (error instanceof UnusableImage) return error;
  if (/pixel limit/.test(error.message)) return new UnusableImage(`over ${MAX_PIXELS / 1e6} million pixels`);
  return new UnusableImage(`damaged: ${error.message.replace(/\s+/g, ' ').slice(0, 120)}`);
}
