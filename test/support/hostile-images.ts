import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Pictures that were made to harm whoever decodes them, or to pass for what they are not. */

const PNG_MAGIC = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A PNG of that many pixels whose data say nothing but zeros. */
export function pngBomb(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(Math.min(rows, 64) * (3 * width + 1)));
  return Buffer.concat([PNG_MAGIC, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** A chunk of a PNG, behind its header. */
export function withPngChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const afterHeader = PNG_MAGIC.length + 25;
  return Buffer.concat([png.subarray(0, afterHeader), chunk(type, data), png.subarray(afterHeader)]);
}

/** A JPEG whose frame header says another size than its data. */
export function jpegSaying(jpeg: Buffer, width: number, height: number): Buffer {
  const lying = Buffer.from(jpeg);
  const frame = lying.findIndex((byte, i) => byte === 0xff && (lying[i + 1] === 0xc0 || lying[i + 1] === 0xc2));
  lying.writeUInt16BE(height, frame + 5);
  lying.writeUInt16BE(width, frame + 7);
  return lying;
}

/** A JPEG with that many application segments of 64 kB. */
export function withSegments(jpeg: Buffer, marker: number, count: number): Buffer {
  const segment = Buffer.alloc(2 + 0xffff, 0x41);
  segment.set([0xff, marker, 0xff, 0xff]);
  segment.write('Exif\0\0', 4);
  return Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(count).fill(segment), jpeg.subarray(2)]);
}

/** A WebP of several frames. */
export async function animation(frames = 5): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp({ create: { width: 300, height: 400, channels: 3, background: { r: 40 * i, g: 90, b: 120 } } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pages, { join: { animated: true } })
    .webp()
    .toBuffer();
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
