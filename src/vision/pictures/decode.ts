import { readFile, stat } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { jpegScans } from './jpeg-scans.ts';

/** A picture that cannot be used; the message says why, without naming the file. */
export class UnusableImage extends Error {
  override name = 'UnusableImage';
}

const MAX_IMAGE_BYTES = 15 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
const MIN_SIDE_PX = 100;
export const ANIMATED = 'animated; send one photo';
/** Cameras and editors write ten or so. */
const MAX_SCANS = 64;
/** Panoramas stay below it; longer strips are not a photo of a card, and decoders fail on them in ways of their own. */
const MAX_ASPECT = 20;

type PictureKind = 'jpeg' | 'png' | 'webp' | 'avif';

/** What a picture is by its first bytes, whatever its name says. Throws UnusableImage. */
export function pictureKind(bytes: Uint8Array): PictureKind {
  const kind = kindBy(bytes);
  if (kind === null) throw new UnusableImage('not a JPEG, PNG, WebP or AVIF picture');
  if (kind === 'avif sequence') throw new UnusableImage(ANIMATED);
  return kind;
}

function kindBy(bytes: Uint8Array): PictureKind | 'avif sequence' | null {
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(4, 12) === 'ftypavis') return 'avif sequence';
  if (ascii(4, 8) === 'ftyp' && ascii(8, 32).includes('avif')) return 'avif';
  return null;
}

/**
 * A picture ready to be decoded, its first frame upright. Type, bytes and pixels are checked before a pixel is decoded.
 * Throws UnusableImage; so may the decoding of a damaged file later: pass its error through `asUnusable`.
 */
export async function openImage(bytes: Uint8Array): Promise<Sharp> {
  if (bytes.length > MAX_IMAGE_BYTES) throw new UnusableImage(`over ${MAX_IMAGE_BYTES / 2 ** 20} MB`);
  if (pictureKind(bytes) === 'jpeg' && jpegScans(bytes, MAX_SCANS) > MAX_SCANS)
    throw new UnusableImage(`a JPEG of more than ${MAX_SCANS} scans; save it as a usual one`);
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { width, height } = await image.metadata().catch((error: Error) => {
    throw asUnusable(error);
  });
  if (width * height > MAX_PIXELS) throw new UnusableImage(`over ${MAX_PIXELS / 1e6} million pixels`);
  if (Math.min(width, height) < MIN_SIDE_PX)
    throw new UnusableImage(`${width} × ${height} pixels; a side has ${MIN_SIDE_PX} at least`);
  if (Math.max(width, height) > MAX_ASPECT * Math.min(width, height))
    throw new UnusableImage(`${width} × ${height} pixels; a side is at most ${MAX_ASPECT} times as long as the other`);
  return image.autoOrient();
}

/** The bytes of a picture on the disk. Throws UnusableImage. */
export async function readImageFile(path: string): Promise<Buffer> {
  const info = await stat(path).catch(() => null);
  if (info === null || !info.isFile()) throw new UnusableImage('no such file');
  if (info.size > MAX_IMAGE_BYTES) throw new UnusableImage(`over ${MAX_IMAGE_BYTES / 2 ** 20} MB`);
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableImage(`cannot be read (${error.code})`);
  });
}

/** The error of a decoder in our words: libraries name their functions and say what only their authors understand. */
export function asUnusable(error: Error): UnusableImage {
  if (error instanceof UnusableImage) return error;
  if (/pixel limit/.test(error.message)) return new UnusableImage(`over ${MAX_PIXELS / 1e6} million pixels`);
  return new UnusableImage('damaged or incomplete');
}
