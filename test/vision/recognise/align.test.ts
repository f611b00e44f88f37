import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { cornersOf, IDENTITY, inverseOf, movement, ontoQuad, project, times } from '../../../src/vision/perspective.ts';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { align, prepareGround, prepareLevels } from '../../../src/vision/recognise/align.ts';
import { areDistinct, BLOCKS, likenessOf } from '../../../src/vision/recognise/likeness.ts';
import { drawnPixels } from '../cards.ts';

const COUNT = BLOCKS.columns * BLOCKS.rows;

describe('align', () => {
  let card: RgbPixels;
  let other: RgbPixels;

  beforeAll(async () => {
    card = await drawnPixels(1);
    other = await drawnPixels(2);
  });

  test('a picture agrees with itself in every block, and hardly with another one', () => {
    const ground = prepareGround(card);
    expect(likenessOf(align(ground, prepareLevels(card)).blocks).nearlyAll).toBeGreaterThan(0.99);
    expect(likenessOf(align(ground, prepareLevels(other)).blocks).most).toBeLessThan(0.4);
  });

  test('finds the perspective that a card was cut out with', () => {
    for (const [k, cut] of [
      [-0.96, -0.97, 1.02, -1, 0.95, 1.03, -1.01, 0.98],
      [-1.05, -1, 1, -1.04, 1.05, 1, -1, 1.04],
      [-0.94, -0.93, 0.94, -0.93, 0.94, 0.93, -0.94, 0.93],
    ].entries()) {
      const [a, b, c, d, e, f, g, h] = cut as [number, number, number, number, number, number, number, number];
      const truth = ontoQuad([
        [a, b],
        [c, d],
        [e, f],
        [g, h],
      ]);
      const found = align(prepareGround(cutOut(card, truth)), prepareLevels(card));
      expect(movement(found.homography, truth), `cut ${k}`).toBeLessThan(0.012);
      expect(likenessOf(found.blocks).most).toBeGreaterThan(0.8);
    }
  });

  test('a reflection is not compared', () => {
    const { width, height } = card;
    const lit = { ...card, data: card.data.map((value, at) => (at < width * height ? 255 : value)) };
    const { blocks } = align(prepareGround(lit), prepareLevels(card));
    const { seen, most } = likenessOf(blocks);
    expect(seen).toBeLessThan(0.8);
    expect(most).toBeGreaterThan(0.9);
    expect(Number.isNaN(blocks[0])).toBe(true);
  });

  test('a card of one color has nothing in common with any picture', () => {
    const plain = { ...card, data: card.data.map(() => 120) };
    expect(likenessOf(align(prepareGround(plain), prepareLevels(card)).blocks).most).toBeLessThan(0.2);
    expect(likenessOf(align(prepareGround(card), prepareLevels(plain)).blocks)).toEqual({
      ...{ mean: -1, most: -1, nearlyAll: -1, seen: 0 },
    });
  });
});

describe('areDistinct', () => {
  const all = (value: number) => new Float32Array(COUNT).fill(value);
  const but = (blocks: Float32Array, ...values: number[]) => blocks.map((value, i) => values[i] ?? value);

  test('takes two blocks that speak for the one picture, and none for the other', () => {
    expect(areDistinct(all(0.95), all(0.95))).toBe(false);
    expect(areDistinct(all(0.95), but(all(0.95), 0.4))).toBe(false);
    expect(areDistinct(all(0.95), but(all(0.95), 0.4, 0.5))).toBe(true);
    expect(areDistinct(but(all(0.95), 0.9, 0.9, 0.2), but(all(0.95), 0.4, 0.5))).toBe(false);
    expect(areDistinct(all(Number.NaN), all(0.1))).toBe(false);
  });
});

describe('perspectives', () => {
  const offset = fc.double({ min: -0.3, max: 0.3, noNaN: true });
  const quad = fc
    .tuple(offset, offset, offset, offset, offset, offset, offset, offset)
    .map(([a, b, c, d, e, f, g, h]) =>
      ontoQuad([
        [a - 1, b - 1],
        [c + 1, d - 1],
        [e + 1, f + 1],
        [g - 1, h + 1],
      ]),
    );

  test('the inverse undoes one, and its corners are where it has them', () => {
    fc.assert(
      fc.property(quad, (h) => {
        expect(movement(times(h, inverseOf(h)), IDENTITY)).toBeLessThan(1e-9);
        expect(cornersOf(h)[2]).toEqual(project(h, 1, 1));
      }),
    );
  });
});

/** What a rectified card shows whose corners were taken for those of `h` (from the card to the whole picture). */
function cutOut({ data, width, height }: RgbPixels, h: Float64Array): RgbPixels {
  const cut = new Uint8Array(data.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = project(h, ((x + 0.5) * 2) / width - 1, ((y + 0.5) * 2) / height - 1);
      const [px, py] = [Math.floor(((u + 1) / 2) * width), Math.floor(((v + 1) / 2) * height)];
      const from = 3 * (clamp(py, height) * width + clamp(px, width));
      for (let k = 0; k < 3; k++) cut[at++] = data[from + k]!;
    }
  }
  return { data: cut, width, height };
}

function clamp(value: number, size: number): number {
  return Math.min(size - 1, Math.max(0, value));
}
