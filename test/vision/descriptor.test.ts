import { describe, expect, test } from 'vitest';
import { CARD_PIXELS, DESCRIPTOR, describeCard } from '../../src/vision/descriptor.ts';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import { cardPixels, cosine, drawnPixels } from './cards.ts';

const changed = ({ data, width, height }: RgbPixels, change: (value: number, at: number) => number): RgbPixels => ({
  data: Uint8Array.from(data, (value, at) => Math.max(0, Math.min(255, change(value, at)))),
  width,
  height,
});

describe('describeCard', () => {
  test('gives 512 numbers of length 1, the same for the same pixels', async () => {
    const card = await drawnPixels(1);
    const vector = describeCard(card);
    expect(vector).toHaveLength(DESCRIPTOR.length);
    expect(cosine(vector, vector)).toBeCloseTo(1, 6);
    expect(describeCard(card)).toEqual(vector);
  });

  test('is hardly moved by light, shadow and the color of a lamp, and far from every other card', async () => {
    const cards = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => drawnPixels(seed)));
    const vectors = cards.map(describeCard);
    for (const [i, card] of cards.entries()) {
      const darker = changed(card, (value) => value * 0.6);
      const shaded = changed(card, (value, at) => value * (0.7 + (0.3 * ((at / 3) % card.width)) / card.width));
      const warmer = changed(card, (value, at) => value * [1.1, 1, 0.85][at % 3]!);
      const others = vectors.filter((_, k) => k !== i);
      for (const vector of [darker, shaded, warmer].map(describeCard)) {
        expect(cosine(vector, vectors[i]!)).toBeGreaterThan(0.9);
        for (const other of others) expect(cosine(vector, other)).toBeLessThan(0.8);
      }
    }
  });

  test('does not ask for the size of the picture', async () => {
    const small = describeCard(await drawnPixels(7, 245, 342));
    const large = describeCard(await drawnPixels(7, 734, 1024));
    expect(cosine(small, large)).toBeGreaterThan(0.98);
  });

  test('a card of one color has a vector too', () => {
    const { width, height } = CARD_PIXELS;
    for (const value of [0, 128, 255]) {
      const vector = describeCard(cardPixels(new Uint8Array(3 * width * height).fill(value)));
      expect(cosine(vector, vector)).toBeCloseTo(1, 6);
    }
  });
});
