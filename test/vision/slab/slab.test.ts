import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certOfSlab } from '../../../src/graded/slab/slab-cert.ts';
import { decodePhoto } from '../../../src/vision/photo.ts';
import { areaOf, boxOf, sharedArea } from '../../../src/vision/quad.ts';
import { rectify } from '../../../src/vision/rectify.ts';
import type { SlabTools } from '../../../src/vision/slab/read-label.ts';
import { readSlab } from '../../../src/vision/slab/read-slab.ts';
import { openSlabTools } from '../../../src/vision/slab/tools.ts';
import { photographSlab, type SlabPhoto } from '../../support/photos/slabs.ts';
import { testData } from '../../support/test-data.ts';

/** Long side of the photos; bench/vision/slabs.ts reads larger and smaller ones. */
const LONG_SIDE_PX = 1200;

let tools: SlabTools;
let psa: SlabPhoto;
let otherPsa: SlabPhoto;
beforeAll(async () => {
  tools = await openSlabTools();
  psa = await photographSlab(1035, 'PSA', { longSidePx: LONG_SIDE_PX });
  otherPsa = await photographSlab(1002, 'PSA', { longSidePx: LONG_SIDE_PX });
});
afterAll(() => tools.ocr.close());

async function read(photo: Uint8Array) {
  const reading = await readSlab(tools, await decodePhoto(photo, 4000));
  if (reading.kind === 'unreadable') return { advice: reading.advice };
  const { company, grade, certs, others } = reading;
  return { company, grade: grade?.key, cert: certOfSlab(company, certs).cert?.certNumber ?? null, others };
}

const SIX = testData('images', 'slabs', 'six-slabs-psa-cgc.jpg');
const BGS = testData('images', 'slabs', 'bgs-alpha-counterspell.jpg');
if (SIX === null || BGS === null) console.warn('the real photos of slabs are not here: they are not read');

describe('a slab in a photo', () => {
  test.each([
    ['PSA', () => psa],
    ['BGS', () => photographSlab(1006, 'BGS', { longSidePx: LONG_SIDE_PX })],
    ['CGC', () => photographSlab(1004, 'CGC', { longSidePx: LONG_SIDE_PX })],
  ] as const)('of %s is read', async (company, draw) => {
    const { jpeg, print } = await draw();
    expect(await read(jpeg)).toEqual({ company, grade: print.gradeKey, cert: print.cert, others: 0 });
  });

  test.each([
    ['PSA', 1035],
    ['BGS', 1006],
    ['CGC', 1004],
  ] as const)(
    'of %s on a photo of 620 px has its grade read, and is where it is on that photo',
    async (company, seed) => {
      const { jpeg, print, quad } = await photographSlab(seed, company, { longSidePx: 620 });
      const reading = await readSlab(tools, await decodePhoto(jpeg, 4000));
      if (reading.kind === 'unreadable') throw new Error(reading.advice);
      expect([reading.company, reading.grade?.key]).toEqual([company, print.gradeKey]);
      const { card, certs } = reading;
      expect(sharedArea(card!, quad)).toBeGreaterThan(0.9 * areaOf(card!));
      expect(areaOf(card!) / areaOf(quad)).toBeCloseTo(0.5, 1);
      for (const one of certs) if (one.by === 'print') expect(one.heightPx).toBeLessThan(10);
    },
  );

  test.each([90, 180, 270])('turned by %i° is read', async (degrees) => {
    const turned = await sharp(psa.jpeg).rotate(degrees).toBuffer();
    expect(await read(turned)).toMatchObject({ company: 'PSA', grade: psa.print.gradeKey, cert: psa.print.cert });
  });

  test('in the middle is read, not another that is nearer to the edge', async () => {
    const slabs = [psa, otherPsa];
    const cut = await Promise.all(
      slabs.map(({ jpeg, quad }) => {
        const { x, y, width, height } = boxOf(quad);
        const part = { left: Math.ceil(x), top: Math.ceil(y), width: Math.floor(width), height: Math.floor(height) };
        return sharp(jpeg).extract(part).resize({ height: 1100 }).toBuffer({ resolveWithObject: true });
      }),
    );
    for (const [near, far] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const left = cut[far]!.info.width;
      const photo = await sharp({ create: { width: left + 1100, height: 1240, channels: 3, background: '#a98' } })
        .composite([
          { input: cut[far]!.data, left: 0, top: 70 },
          { input: cut[near]!.data, left: left + 20, top: 70 },
        ])
        .jpeg()
        .toBuffer();
      const reading = await read(photo);
      expect(reading).toMatchObject({
        grade: slabs[near]!.print.gradeKey,
        cert: slabs[near]!.print.cert,
        others: expect.any(Number),
      });
      expect(reading.others).toBeGreaterThan(0);
    }
  });

  // Its card has more text than its label, and a photo has more such places than are read.
  test('among 15 small ones is read by its label, not by the text of cards', async () => {
    const { jpeg, quad, print } = await photographSlab(90001, 'PSA', { longSidePx: 1600 });
    const [width, height] = [640, 1040];
    const slab = rectify(tools.cv, await decodePhoto(jpeg, 4000), quad, width, height);
    const photo = await sharp({ create: { width: 3380, height: 3276, channels: 3, background: '#a98' } })
      .composite(
        Array.from({ length: 15 }, (_, n) => ({
          input: Buffer.from(slab.data),
          raw: { width, height, channels: 3 },
          left: 60 + (n % 5) * (width + 12),
          top: 60 + Math.floor(n / 5) * (height + 12),
        })),
      )
      .jpeg({ quality: 88 })
      .toBuffer();
    expect(await read(photo)).toMatchObject({ company: 'PSA', grade: print.gradeKey, cert: print.cert });
  });

  test('without a cert on its front has none', async () => {
    const { jpeg, print } = await photographSlab(1004, 'CGC', {
      longSidePx: LONG_SIDE_PX,
      print: { layout: 'blue header', cert: null, barcode: null },
    });
    expect(await read(jpeg)).toMatchObject({ company: 'CGC', grade: print.gradeKey, cert: null });
  });

  test('that is not there is not read, and advice is given', async () => {
    const data = await sharp({ create: { width: 500, height: 600, channels: 3, background: '#876' } })
      .png()
      .toBuffer();
    expect(await read(data)).toEqual({ advice: 'too_small' });
  });

  test.skipIf(SIX === null)('in the middle of three is the one that is read, and others were seen', async () => {
    const lowerRow = await sharp(SIX!).extract({ left: 0, top: 1900, width: 3000, height: 1600 }).png().toBuffer();
    const { others, ...reading } = await read(lowerRow);
    expect(reading).toEqual({ company: 'PSA', grade: 'psa-9', cert: '86429728' });
    expect(others).toBeGreaterThan(0);
  });

  // Cut out with parts of its neighbours: the box around its number is not read as ones.
  test.skipIf(SIX === null)('of CGC whose grade is in a box on the left is read', async () => {
    const part = { left: 1031, top: 574, width: 962, height: 1450 };
    const slab = await sharp(SIX!).extract(part).png().toBuffer();
    expect(await read(slab)).toMatchObject({ company: 'CGC', grade: 'cgc-8', cert: null });
  });

  test.skipIf(BGS === null)('of Beckett with subgrades is read', async () => {
    const reading = await read(readFileSync(BGS!));
    expect(reading).toMatchObject({ company: 'BGS', grade: 'bgs-7-5', cert: '0010538585' });
  });
});
