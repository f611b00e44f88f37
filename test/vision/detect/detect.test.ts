import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { detectCards } from '../../../src/vision/detect/detect-cards.ts';
import { shapeOf } from '../../../src/vision/detect/shape.ts';
import { type CV, openCv } from '../../../src/vision/opencv.ts';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { cornerDistance, diagonalOf, overlapOf, type Quad } from '../../../src/vision/quad.ts';
import { rectify } from '../../../src/vision/rectify.ts';
import { drawnCard } from '../../support/photos/photo-card.ts';
import { CARD } from '../../support/photos/photo-cover.ts';
import { photographFan } from '../../support/photos/photo-fan.ts';
import { cornersOf, viewOf } from '../../support/photos/photo-plane.ts';
import { photographCard, photographPage } from '../../support/photos/photos.ts';
import { testData } from '../../support/test-data.ts';

let cv: CV;
const PHOTOS = 3;
/** Seeds of fans; bench/vision/detect.ts has more, and more pages. */
const FANS = [1, 2];

beforeAll(async () => {
  ({ cv } = await openCv());
});

async function decoded(bytes: Buffer | string): Promise<RgbPixels> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function isRight(quad: Quad, truth: Quad): boolean {
  return cornerDistance(quad, truth) < 0.04 * diagonalOf(truth);
}

describe('the one card of a photo', () => {
  test('is outlined first in easy photos, and among five in hard ones', async () => {
    let [first, among] = [0, 0];
    for (let seed = 1; seed <= PHOTOS; seed++) {
      const easy = await photographCard(drawnCard(seed), seed, 'easy', { longSidePx: 700 });
      if (isRight(detectCards(cv, await decoded(easy.jpeg), { kind: 'card' })[0]!.quad, easy.quad)) first++;
      const hard = await photographCard(drawnCard(seed), seed, 'hard', { longSidePx: 700 });
      const found = detectCards(cv, await decoded(hard.jpeg), { kind: 'card' });
      if (found.some(({ quad }) => isRight(quad, hard.quad))) among++;
    }
    expect(first).toBeGreaterThanOrEqual(PHOTOS - 1);
    expect(among).toBeGreaterThanOrEqual(PHOTOS - 1);
  });

  test('is at most five quads, the likeliest first, none nearly the same as another', async () => {
    const { jpeg } = await photographCard(drawnCard(3), 3, 'hard', { longSidePx: 800 });
    const found = detectCards(cv, await decoded(jpeg), { kind: 'card' });
    expect(found.length).toBeLessThanOrEqual(5);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
  });

  test('is not seen where there is nothing', async () => {
    const plain = { data: new Uint8Array(600 * 800 * 3).fill(120), width: 600, height: 800 };
    expect(detectCards(cv, plain, { kind: 'card' })).toEqual([]);
    expect(detectCards(cv, plain, { kind: 'cards' })).toEqual([]);
  });

  test('takes no memory of OpenCV with it', async () => {
    // Larger than what is processed, so that OpenCV makes it smaller, and quickly seen to show nothing.
    const [width, height] = [1000, 750];
    const photo = { data: new Uint8Array(width * height * 3).fill(120), width, height };
    const quad: Quad = [
      [300, 100],
      [730, 110],
      [720, 700],
      [310, 690],
    ];
    const once = () => {
      detectCards(cv, photo, { kind: 'card' });
      rectify(cv, photo, quad, 192, 268);
    };
    for (let i = 0; i < 5; i++) once();
    const heap = (cv as unknown as { HEAPU8: Uint8Array }).HEAPU8.length;
    for (let i = 0; i < 50; i++) once();
    expect((cv as unknown as { HEAPU8: Uint8Array }).HEAPU8.length).toBe(heap);
  });

  test('straightened shows its corners in the corners', async () => {
    const quarters = { data: new Uint8Array(300 * 420 * 3), width: 300, height: 420 };
    for (let y = 0; y < 420; y++) {
      for (let x = 0; x < 300; x++)
        quarters.data.fill((x < 150 ? 30 : 90) + (y < 210 ? 0 : 130), (y * 300 + x) * 3, (y * 300 + x) * 3 + 3);
    }
    const { jpeg, upright } = await photographCard(quarters, 9, 'easy', { longSidePx: 1000 });
    const { data } = rectify(cv, await decoded(jpeg), upright, 60, 84);
    const tones = [20 * 60 + 15, 20 * 60 + 45, 64 * 60 + 15, 64 * 60 + 45].map((i) => data[i * 3]!);
    expect([...tones].sort((a, b) => a - b)).toEqual(tones);
  });
});

describe('a rectangle seen by a camera', () => {
  const frame = { data: new Float32Array(0), width: 1200, height: 1600 };

  test('has the shape of a card when it is one, however it is tilted', () => {
    for (const pitch of [-35, 0, 20]) {
      for (const yaw of [-30, 0, 35]) {
        const view = viewOf({ pitch, yaw, roll: 12, focal: 0.9 }, CARD, frame, 0.7);
        const { likeness, broader } = shapeOf(cornersOf(view, CARD.width, CARD.height), frame);
        expect(likeness).toBeGreaterThan(0.8);
        expect(Math.abs(broader)).toBeLessThan(0.06);
      }
    }
  });

  test('has another when it is a square or a banner', () => {
    const shapeAt = (width: number, height: number) => {
      const view = viewOf({ pitch: 10, yaw: -15, roll: 0, focal: 0.9 }, { width, height }, frame, 0.7);
      return shapeOf(cornersOf(view, width, height), frame).likeness;
    };
    expect(shapeAt(80, 80)).toBeLessThan(0.2);
    expect(shapeAt(40, 88)).toBeLessThan(0.2);
  });
});

describe('many cards of a photo', () => {
  test('are each outlined once, and empty pockets are not cards', async () => {
    const cards = [1, 2, 3, 4, null, 6, 7, 8, 9].map((seed) => (seed === null ? null : drawnCard(seed)));
    const { jpeg, quads, empty } = await photographPage(cards, 6, { longSidePx: 1000, layout: 'table' });
    const found = detectCards(cv, await decoded(jpeg), { kind: 'cards' });
    const seen = quads.filter((truth) => found.filter(({ quad }) => overlapOf(quad, truth) > 0.7).length === 1);
    expect(seen.length).toBeGreaterThanOrEqual(7);
    expect(empty.filter((place) => found.some(({ quad }) => overlapOf(quad, place) > 0.5))).toEqual([]);
  });
});

describe('fanned cards', () => {
  test('are each outlined as they go on below the others', async () => {
    let [all, seen, others] = [0, 0, 0];
    for (const seed of FANS) {
      const cards = [1, 2, 3, 4].map((i) => drawnCard(seed * 10 + i));
      const { jpeg, quads } = await photographFan(cards, seed, { longSidePx: 1000 });
      const found = detectCards(cv, await decoded(jpeg), { kind: 'cards' });
      const here = quads.filter((truth) => found.some(({ quad }) => overlapOf(quad, truth) > 0.7)).length;
      all += quads.length;
      seen += here;
      others += found.length - here;
      for (const { score } of found) expect(score >= 0 && score <= 1).toBe(true);
    }
    expect(seen).toBeGreaterThanOrEqual(0.7 * all);
    expect(others).toBeLessThanOrEqual(1);
  });

  test('are not seen around a single card', async () => {
    for (const seed of [1, 2, 3]) {
      const places = [0, 1, 2, 3].map((i) => (i === seed ? drawnCard(seed) : null));
      const { jpeg, quads } = await photographPage(places, seed, { longSidePx: 1000, layout: 'table', columns: 2 });
      const found = detectCards(cv, await decoded(jpeg), { kind: 'cards' });
      expect(found.map(({ quad }) => overlapOf(quad, quads[0]!) > 0.7)).toEqual([true]);
    }
  });
});

type RealPhoto = { file: string; kind: string; cards: Quad[]; empty?: Quad[] };

describe.skipIf(testData('images', 'real-cards') === null)('real photos', () => {
  const photos: RealPhoto[] = JSON.parse(readFileSync('test/vision/slab/real-quads.json', 'utf8'));
  const load = ({ file }: RealPhoto) => decoded(testData('images', ...file.split('/'))!);

  test('of single cards: eight of nine are outlined first, each among five', async () => {
    const singles = photos.filter(({ kind }) => kind === 'single');
    let first = 0;
    for (const photo of singles) {
      const found = detectCards(cv, await load(photo), { kind: 'card' });
      if (isRight(found[0]!.quad, photo.cards[0]!)) first++;
      expect(
        found.some(({ quad }) => isRight(quad, photo.cards[0]!)),
        photo.file,
      ).toBe(true);
    }
    expect(first).toBeGreaterThanOrEqual(8);
  });

  test('of a fan every card is outlined, and nothing else', async () => {
    for (const photo of photos.filter(({ kind }) => kind === 'fan')) {
      const found = detectCards(cv, await load(photo), { kind: 'cards' });
      const seen = photo.cards.filter((card) => found.some(({ quad }) => overlapOf(quad, card) > 0.7));
      expect(seen.length, photo.file).toBe(photo.cards.length);
      expect(found.length, photo.file).toBe(seen.length);
    }
  });

  test('of a page every card is outlined, of a board of forty 38; no empty pocket, and nothing else', async () => {
    for (const photo of [photos.find(({ kind }) => kind === 'page')!, photos.find(({ kind }) => kind === 'board')!]) {
      const found = detectCards(cv, await load(photo), { kind: 'cards' });
      const seen = photo.cards.filter((card) => found.some(({ quad }) => overlapOf(quad, card) > 0.7));
      expect(found.length, photo.file).toBe(seen.length);
      expect(seen.length, photo.file).toBeGreaterThanOrEqual(Math.floor(0.95 * photo.cards.length + 0.4));
      for (const pocket of photo.empty ?? [])
        expect(found.some(({ quad }) => overlapOf(quad, pocket) > 0.5)).toBe(false);
    }
  });
});
