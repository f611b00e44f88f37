import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CV, openCv } from '../../../src/vision/opencv.ts';
import { decodePhoto } from '../../../src/vision/photo.ts';
import { overlapOf, type Quad } from '../../../src/vision/quad.ts';
import { boxesIn } from '../../../src/vision/slab/boxes.ts';
import { realTextures } from '../../support/photos/photo-ground.ts';
import { photographCard } from '../../support/photos/photos.ts';
import { photographSlab } from '../../support/photos/slabs.ts';
import { testData } from '../../support/test-data.ts';

let cv: CV;
beforeAll(async () => {
  ({ cv } = await openCv());
});

const SAME_BOX = 0.7;
type RealPhoto = { file: string; kind: string; cards: Quad[] };
const real: RealPhoto[] = JSON.parse(readFileSync(new URL('real-quads.json', import.meta.url), 'utf8'));
const isThere = testData('images', 'real-cards', 'dipplin.jpg') !== null;

async function boxesOf(file: string) {
  return boxesIn(cv, await decodePhoto(readFileSync(testData('images', ...file.split('/'))!), 2000));
}

describe('boxes in a photo', () => {
  // More of them: bench/vision/detect.ts slabs.
  test.each([
    ['PSA', 1035, 1600],
    ['BGS', 1105, 620],
    ['CGC', 1112, 620],
  ] as const)('a slab of %s is one box with its card inside (photo %i, %i px)', async (company, seed, longSidePx) => {
    const { jpeg, quad } = await photographSlab(seed, company, { longSidePx });
    const boxes = boxesIn(cv, await decodePhoto(jpeg, 1600));
    expect(boxes.map(({ kind }) => kind)).toEqual(['slab']);
    expect(overlapOf(boxes[0]!.quad, quad)).toBeGreaterThan(0.85);
    // The card is 63 × 88 mm of a slab of 81 × 132.
    const share = overlapOf(boxes[0]!.card!, boxes[0]!.quad);
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.6);
  });

  const catalog = testData('images', 'catalog', 'catalog.json');
  const catalogCard = (at: number) => {
    const files: { file: string }[] = JSON.parse(readFileSync(catalog!, 'utf8'));
    return readFileSync(testData('images', 'catalog', ...files[at % files.length]!.file.split('/'))!);
  };

  test.skipIf(catalog === null)('noise of the ground above a card on a small photo is not a label', async () => {
    const { jpeg } = await photographCard(catalogCard(2014 * 383), 2014, 'easy', { textures: await realTextures() });
    const small = await sharp(jpeg).resize({ width: 620, height: 620, fit: 'inside' }).jpeg().toBuffer();
    expect(boxesIn(cv, await decodePhoto(small, 2000)).map(({ kind }) => kind)).toEqual(['card']);
  });

  test.skipIf(catalog === null)(
    'the upper plastic of a slab, which has the shape of a lying card, is not a card',
    async () => {
      const cards = [catalogCard(1110 * 97)];
      const { jpeg } = await photographSlab(1110, 'PSA', { textures: await realTextures(), cards, longSidePx: 620 });
      expect(boxesIn(cv, await decodePhoto(jpeg, 2000)).map(({ kind }) => kind)).toEqual(['slab']);
    },
  );

  test.skipIf(catalog === null).each([0, 180])(
    'plastic alone that was outlined is a slab by the print of its label, turned by %i°',
    async (degrees) => {
      const photo = { textures: await realTextures(), cards: [catalogCard(1004 * 97)], longSidePx: 800 };
      const { jpeg, quad } = await photographSlab(1004, 'CGC', photo);
      const turned = await sharp(jpeg).rotate(degrees).toBuffer();
      const { width, height, ...pixels } = await decodePhoto(turned, 2000);
      const boxes = boxesIn(cv, { width, height, ...pixels });
      expect(boxes.map(({ kind }) => kind)).toEqual(['slab']);
      const there = degrees === 0 ? quad : (quad.map(([x, y]) => [width - x, height - y]) as unknown as Quad);
      expect(overlapOf(boxes[0]!.quad, there)).toBeGreaterThan(SAME_BOX);
    },
  );

  test.skipIf(catalog === null).each([3018, 3023, 3052, 3104])(
    'a card photographed from aside has the shape of a slab, and is a card (photo %i)',
    async (seed) => {
      const level = seed % 2 === 1 ? 'hard' : 'easy';
      let { jpeg } = await photographCard(catalogCard(seed * 383), seed, level, { textures: await realTextures() });
      if (seed % 4 > 1) jpeg = await sharp(jpeg).resize({ width: 800, height: 800, fit: 'inside' }).jpeg().toBuffer();
      expect(boxesIn(cv, await decodePhoto(jpeg, 2000)).map(({ kind }) => kind)).not.toContain('slab');
    },
  );

  // Of each kind of photo one: `bench/vision/detect.ts real` has all.
  test
    .skipIf(!isThere)
    .each([
      'real-cards/mtg-alpha-dragon-whelp.jpg',
      'real-cards/mtg-armory-of-iroas-toploader.jpg',
      'real-cards/ionos-voltorb-near.jpg',
      'real-cards/mtg-sphinxs-revelation.jpg',
      'binders/screenshot_2025-12-27_103143.jpg',
    ])('each card of %s is one box', async (file) => {
    const { cards } = real.find((one) => one.file === file)!;
    const boxes = await boxesOf(file);
    expect(boxes.map(({ kind }) => kind)).toEqual(cards.map(() => 'card'));
    for (const card of cards) expect(boxes.filter(({ quad }) => overlapOf(quad, card) > SAME_BOX)).toHaveLength(1);
  });
});
