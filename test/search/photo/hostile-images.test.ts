import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openVisionPool } from '../../../src/vision/pool/pool.ts';
import { sendRaw } from '../../http/raw.ts';
import { formOf, MULTIPART } from '../../support/multipart.ts';
import {
  animatedPng,
  animation,
  jpegSaying,
  manyScans,
  pngBomb,
  withPngChunk,
  withSegments,
} from '../../support/photos/hostile-images.ts';
import { builtProcess } from '../../support/program.ts';
import { type ImageWorld, imageWorld } from './image-world.ts';

// A photo takes seconds of CPU, which a busy machine gives in minutes.
vi.setConfig({ testTimeout: 120_000 });

const PATH = '/v1/search/by-image';
const UPLOAD_MB = 64;

let world: ImageWorld;
let jpeg: Buffer;
let png: Buffer;
beforeAll(async () => {
  world = await imageWorld(3, { UPLOAD_MB: String(UPLOAD_MB), VISION_QUEUE: '4' });
  jpeg = await sharp(world.pictures[0]!).jpeg().toBuffer();
  png = world.pictures[0]!;
});
afterAll(() => world.close());

/** Nothing that a library says. */
const REASONS = [
  'damaged or incomplete',
  'not a JPEG, PNG, WebP or AVIF picture',
  'over 50 million pixels',
  'animated; send one photo',
  'its EXIF data are over 1 MB',
  'a JPEG of more than 64 scans; save it as a usual one',
  '\\d+ × \\d+ pixels; a side has 100 at least',
  '\\d+ × \\d+ pixels; a side is at most 20 times as long as the other',
];
const OWN_WORDS = new RegExp(`^The photo cannot be used: (?:${REASONS.join('|')})\\.$`);

const send = (photo: Buffer) => world.send(PATH, [photo]);
const deflated = (bytes: number) => deflateSync(Buffer.alloc(bytes));

describe('a photo that is made to harm', () => {
  const REJECTED: [string, () => Buffer | Promise<Buffer>][] = [
    ['a PNG of 30,000² pixels', () => pngBomb(30_000, 30_000)],
    ['a PNG of 2³¹ pixels a side', () => pngBomb(2 ** 31 - 1, 2 ** 31 - 1, 0)],
    ['a PNG of 7,000² pixels whose data end early', () => pngBomb(7000, 7000)],
    ['a JPEG that says 30,000² pixels', () => jpegSaying(jpeg, 30_000, 30_000)],
    ['a JPEG that says 65,535 × 700 pixels', () => jpegSaying(jpeg, 65_535, 700)],
    ['an animated WebP', () => animation()],
    ['an AVIF sequence', () => readFileSync('test/support/photos/sequence.avif')],
    ['a JPEG of 300,000 scans', () => manyScans(300_000)],
    ['a JPEG of one scan too many', () => manyScans(65)],
    ['a PNG of 100 × 400,000 pixels', () => strip(100, 400_000)],
    [
      'a WebP of 2,101 × 105 pixels',
      async () =>
        sharp(await strip(2101, 105))
          .webp()
          .toBuffer(),
    ],
    ['a JPEG cut in half', () => jpeg.subarray(0, jpeg.length / 2)],
    ['a PNG cut in half', () => png.subarray(0, png.length / 2)],
    ['a WebP cut in half', async () => (await sharp(png).webp().toBuffer()).subarray(0, 3000)],
    ['an AVIF cut in half', async () => (await sharp(png).avif({ effort: 0 }).toBuffer()).subarray(0, 3000)],
    ['three bytes of a JPEG', () => Buffer.from([0xff, 0xd8, 0xff])],
    ['the first bytes of a PNG with a page behind them', () => Buffer.concat([png.subarray(0, 8), PAGE])],
    ['the first bytes of a JPEG with a page behind them', () => Buffer.concat([jpeg.subarray(0, 3), PAGE])],
    ['a page with a JPEG behind it', () => Buffer.concat([PAGE, jpeg])],
    ['a PNG with 12 MB of EXIF data', () => withPngChunk(png, 'eXIf', Buffer.alloc(12 * 2 ** 20, 'II*\0'))],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>')],
    ['an SVG behind a byte order mark', () => Buffer.from('\ufeff<svg width="900" height="900"/>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['a GIF', () => sharp(png).gif().toBuffer()],
    ['a TIFF', () => sharp(png).tiff().toBuffer()],
    ['one pixel', () => sharp(png).resize(1, 1).png().toBuffer()],
  ];

  test.each(REJECTED)('%s is rejected', async (_what, make) => {
    const { status, json } = await send(await make());
    expect([status, json.error]).toEqual([400, 'upload_malformed']);
    expect(json.detail).toMatch(OWN_WORDS);
  });

  test('the next photo is processed', async () => {
    expect((await send(png)).json.ids[0]).toBe(world.ids[0]);
  });

  const PLAIN: [string, () => Buffer | Promise<Buffer>][] = [
    ['with 180 segments of metadata', () => withSegments(jpeg, 0xe2, 180)],
    ['with 32 MB of zeros packed into its colour profile', () => withPngChunk(png, 'iCCP', profile())],
    [
      'with 32 MB of zeros packed into its text',
      () => withPngChunk(png, 'zTXt', Buffer.concat([Buffer.from('a\0\0'), deflated(2 ** 25)])),
    ],
    ['with an archive behind it', () => Buffer.concat([jpeg, Buffer.from('PK\x03\x04'), Buffer.alloc(1000)])],
    ['of 64 scans', () => manyScans(64)],
    ['of 2,100 × 105 pixels', () => strip(2100, 105)],
    ['of grey', () => sharp(png).greyscale().png().toBuffer()],
    ['of four inks', () => sharp(png).toColourspace('cmyk').jpeg().toBuffer()],
    ['of 16 bits', () => sharp(png).toColourspace('rgb16').png().toBuffer()],
    ['as AVIF', () => sharp(png).avif({ effort: 0 }).toBuffer()],
    ['as WebP with transparency', () => sharp(png).ensureAlpha().webp().toBuffer()],
  ];

  test.each(PLAIN)('a picture %s is that picture, or rejected; nothing else happens', async (_what, make) => {
    const { status, json } = await send(await make());
    // Not all show the card.
    if (status === 200) expect(json.ids.slice(0, 1)).toEqual(json.confidence === 'none' ? [] : [world.ids[0]]);
    else expect([status, json.error]).toEqual([400, 'upload_malformed']);
  });

  test.each([
    ['an animated WebP', () => animation()],
    ['an AVIF sequence', () => readFileSync('test/support/photos/sequence.avif')],
  ])('%s is rejected as animated', async (_what, make) => {
    expect((await send(await make())).json.detail).toBe('The photo cannot be used: animated; send one photo.');
  });

  test('an animated PNG is its first frame', async () => {
    const animated = await animatedPng(await sharp(png).removeAlpha().png().toBuffer());
    expect((await send(animated)).json.ids[0]).toBe(world.ids[0]);
  });

  test('the orientation of its EXIF data is heeded', async () => {
    for (const orientation of [3, 6, 8]) {
      const turned = await sharp(png)
        .rotate({ 3: 180, 6: 270, 8: 90 }[orientation]!)
        .jpeg()
        .withMetadata({ orientation })
        .toBuffer();
      expect((await send(turned)).json).toMatchObject({ confidence: 'high' });
    }
  });
});

describe('photos whose decoding does not end', () => {
  test('leave the threads of the server to others: a page that is not cached is compressed and answered meanwhile', async () => {
    const entry = pathToFileURL(builtProcess('vision/pool/pool-worker'));
    const pool = openVisionPool({ workers: 2, queue: 0, log: world.api.context.log }, entry);
    let ended = 0;
    const begun = [1, 2].map(
      () =>
        new Promise((resolve) => {
          const count = () => ended++;
          pool.run('decode', {} as never, { answers: { begun: resolve } }).then(count, count);
        }),
    );
    await Promise.all(begun);
    const page = await world.api.get('/api', { 'accept-encoding': 'br' });
    expect([page.status, page.headers['content-encoding'], ended]).toEqual([200, 'br', 0]);
    await pool.close();
  });
});

describe('60 uploads of 15 MB at once', () => {
  test('are answered 400 or 503 within the memory for uploads, and the server lives', async () => {
    const { app } = world.api;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const body = formOf({
      name: 'file',
      bytes: Buffer.concat([png.subarray(0, 5000), Buffer.alloc(15 * 2 ** 20 - 5500, 7)]),
    });
    const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const request = Buffer.concat([Buffer.from(head), body]);
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 10);
    const answers = await Promise.all(Array.from({ length: 60 }, () => sendRaw(port, request, 30_000)));
    const statuses = answers.map(({ status }) => status);
    clearInterval(watch);
    for (const status of statuses) expect([400, 503]).toContain(status);
    expect(statuses).toContain(503);
    // Photos twice over while they are put together, and what sockets hold.
    expect(most / 2 ** 20).toBeLessThan(2 * UPLOAD_MB + 250);
    expect((await send(png)).status).toBe(200);
  });
});

const PAGE = Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(50));

function strip(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#345' } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function profile(): Buffer {
  return Buffer.concat([Buffer.from('icc\0\0'), deflated(2 ** 25)]);
}
