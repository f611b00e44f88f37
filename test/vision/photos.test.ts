import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { areaOf, isConvex, overlapOf } from '../../src/vision/quad.ts';
import { drawnCard } from '../support/photos/photo-card.ts';
import { photographCard, photographPage } from '../support/photos/photos.ts';

const SMALL = { longSidePx: 400 };

describe('a made-up photo', () => {
  test('is the same to the byte for the same seed, and another for another', async () => {
    const card = drawnCard(1);
    const [once, again, other] = await Promise.all([
      photographCard(card, 5, 'hard', SMALL),
      photographCard(card, 5, 'hard', SMALL),
      photographCard(card, 6, 'hard', SMALL),
    ]);
    expect(again.jpeg.equals(once.jpeg)).toBe(true);
    expect(again.quad).toEqual(once.quad);
    expect(other.jpeg.equals(once.jpeg)).toBe(false);
  });

  test('has the size it says, and the whole card in it', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const photo = await photographCard(drawnCard(seed), seed, seed % 2 === 0 ? 'easy' : 'hard', SMALL);
      const { width, height, format } = await sharp(photo.jpeg).metadata();
      expect({ width, height, format }).toEqual({ width: photo.width, height: photo.height, format: 'jpeg' });
      expect(isConvex(photo.quad)).toBe(true);
      for (const [x, y] of photo.quad) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(width);
        expect(y).toBeLessThanOrEqual(height);
      }
    }
  });

  test('shows the card within its corners', async () => {
    const white = { data: new Uint8Array(300 * 419 * 3).fill(255), width: 300, height: 419 };
    const { jpeg, quad, width, height } = await photographCard(white, 3, 'easy', SMALL);
    const pixels = await sharp(jpeg).greyscale().raw().toBuffer();
    const [cx, cy] = [0, 1].map((axis) => Math.round(quad.reduce((sum, corner) => sum + corner[axis]!, 0) / 4)) as [
      number,
      number,
    ];
    expect(pixels[cy * width + cx]).toBeGreaterThan(170);
    expect(areaOf(quad)).toBeGreaterThan(0.1 * width * height);
  });

  test('of a page lists each card and each empty pocket once', async () => {
    const cards = [1, 2, null, 4, 5, 6, 7, null, 9].map((seed) => (seed === null ? null : drawnCard(seed)));
    for (const layout of ['page', 'table'] as const) {
      const { quads, empty } = await photographPage(cards, 4, { ...SMALL, layout });
      expect([quads.length, empty.length]).toEqual([7, 2]);
      const all = [...quads, ...empty];
      for (const [i, a] of all.entries()) {
        for (const b of all.slice(i + 1)) expect(overlapOf(a, b)).toBeLessThan(0.05);
      }
    }
  });
});
