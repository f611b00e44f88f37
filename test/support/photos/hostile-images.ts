import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Pictures made to harm the program that decodes them, or to pass for something else. */

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

/** An animated PNG: the picture is its first frame, a black one its second. */
export async function animatedPng(png: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(png).metadata();
  const control = (sequence: number) => {
    const frame = Buffer.alloc(26);
    for (const [i, value] of [sequence, width, height].entries()) frame.writeUInt32BE(value, 4 * i);
    frame.writeUInt16BE(100, 20);
    return frame;
  };
  // Two frames, for ever.
  const started = withPngChunk(withPngChunk(png, 'fcTL', control(0)), 'acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  const black = deflateSync(Buffer.alloc((3 * width + 1) * height));
  const second = Buffer.concat([Buffer.from([0, 0, 0, 2]), black]);
  const end = started.length - 12;
  return Buffer.concat([
    started.subarray(0, end),
    chunk('fcTL', control(1)),
    chunk('fdAT', second),
    started.subarray(end),
  ]);
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

/**
 * A progressive JPEG with that many scans of a few bytes, each of which says that no coefficient changes and takes the
 * decoder a millisecond at a side of 2,000 pixels.
 */
export async function manyScans(scans: number, sidePx = 2000): Promise<Buffer> {
  const create = { width: sidePx, height: sidePx, channels: 3, background: '#345' } as const;
  const jpeg = await sharp({ create }).jpeg({ progressive: true }).toBuffer();
  const first = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const behindFirst = jpeg.indexOf(Buffer.from([0xff, 0xc4]), first);
  // A Huffman table of one code: the bit 0 begins a run of 16,384 empty blocks and as many more as 14 bits say.
  const table = Buffer.from([0xff, 0xc4, 0, 20, 0x10, 1, ...Array<number>(15).fill(0), 0xe0]);
  const header = [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0];
  const run = '011101000010010';
  const bits = run.repeat(Math.ceil((sidePx / 8) ** 2 / (16_384 + 14_866)));
  const data = bits.match(/.{1,8}/g)!.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
  const scan = Buffer.from([...header, ...data]);
  const more = Buffer.alloc(scan.length * (scans - 1), scan);
  const end = Buffer.from([0xff, 0xd9]);
  return Buffer.concat([jpeg.subarray(0, behindFirst), table, more, end]);
}

/** A photo that is just not rejected, and as slow to decode as such a one can be: seconds. */
export function slowPhoto(): Promise<Buffer> {
  return manyScans(64, 7000);
}
