import { pino } from 'pino';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { UnusableImage } from '../../src/vision/decode.ts';
import { openVisionPool, type VisionPool } from '../../src/vision/pool/pool.ts';

const log = pino({ level: 'silent' });
const ASKED = { maxSidePx: 300 };

let pool: VisionPool;
afterEach(() => pool.close());

const picture = (width = 400, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } })
    .jpeg()
    .toBuffer();

describe('a pool of threads that look at photos', () => {
  test('a task runs in a worker and gives what it makes', async () => {
    pool = openVisionPool({ workers: 1, queue: 0, log });
    const { data, width, height, scale } = await pool.run('decode', { bytes: await picture(600, 300), ...ASKED });
    expect({ width, height, scale, bytes: data.length }).toEqual({ width: 300, height: 150, scale: 2, bytes: 135_000 });
  });

  test('what a task throws of a photo is thrown as such', async () => {
    pool = openVisionPool({ workers: 1, queue: 0, log });
    const run = pool.run('decode', { bytes: Buffer.from('<svg/>'), ...ASKED });
    await expect(run).rejects.toThrow(UnusableImage);
    await expect(run).rejects.toThrow('not a JPEG, PNG, WebP or AVIF picture');
  });
});
