import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  COLORS,
  type Color,
  colorOf,
  dominantColors,
  oklch,
  type RgbPixels,
} from '../../src/vision/pictures/dominant-colors.ts';
import { testData } from '../support/test-data.ts';

type Rgb = readonly [number, number, number];
const RED: Rgb = [210, 30, 35];
const BLUE: Rgb = [40, 90, 200];
const GRAY: Rgb = [128, 128, 128];
const YELLOW: Rgb = [255, 215, 40];

/** A card of 48 × 66 painted by a rule over its sides (0 to 1). */
function painted(colorAt: (x: number, y: number) => Rgb): RgbPixels {
  const [width, height] = [48, 66];
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(colorAt((x + 0.5) / width, (y + 0.5) / height), 3 * (y * width + x));
  return { data, width, height };
}

const slugs = (pixels: RgbPixels) => dominantColors(pixels).map(({ slug }) => slug);
const nameOf = (hex: string) => {
  const value = Number.parseInt(hex, 16);
  return colorOf(oklch(value >> 16, (value >> 8) & 255, value & 255));
};

describe('the name of a color', () => {
  test.each([
    ['ff0000', 'red'],
    ['8b0000', 'red'],
    ['ff8c00', 'orange'],
    ['ffd700', 'yellow'],
    ['ffff00', 'yellow'],
    ['008000', 'green'],
    ['90ee90', 'green'],
    ['008080', 'teal'],
    ['40e0d0', 'teal'],
    ['0000ff', 'blue'],
    ['87ceeb', 'blue'],
    ['191970', 'blue'],
    ['800080', 'purple'],
    ['9370db', 'purple'],
    ['ff69b4', 'pink'],
    ['ffc0cb', 'pink'],
    ['8b4513', 'brown'],
    ['a0522d', 'brown'],
    ['000000', 'black'],
    ['202020', 'black'],
    ['ffffff', 'white'],
    ['f5f5f5', 'white'],
    ['fdf5e6', 'white'],
    ['808080', 'gray'],
    ['708090', 'gray'],
  ])('#%s is %s', (hex, color) => {
    expect(nameOf(hex)).toBe(color);
  });

  test('is one of the palette for every color there is', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(fc.property(byte, byte, byte, (r, g, b) => COLORS.includes(colorOf(oklch(r, g, b)))));
  });
});

describe('the colors of a card', () => {
  test('a yellow frame does not make a card yellow', () => {
    const inFrame = (x: number, y: number) => x > 0.06 && x < 0.94 && y > 0.09 && y < 0.95;
    expect(slugs(painted((x, y) => (inFrame(x, y) ? BLUE : YELLOW)))).toEqual(['blue']);
  });

  test('the art counts more than the text below it', () => {
    expect(slugs(painted((_, y) => (y < 0.55 ? RED : BLUE)))[0]).toBe('red');
  });

  test('two halves are two colors, a splash is not one', () => {
    expect(slugs(painted((x) => (x < 0.5 ? RED : BLUE))).sort()).toEqual(['blue', 'red']);
    expect(slugs(painted((x, y) => (x < 0.2 && y < 0.3 ? RED : BLUE)))).toEqual(['blue']);
  });

  test('shadows next to a color are not a color of the card, a picture of gray is gray', () => {
    expect(slugs(painted((x) => (x < 0.5 ? GRAY : RED)))).toEqual(['red']);
    expect(slugs(painted(() => GRAY))).toEqual(['gray']);
  });

  test('one to three, most first, and their shares are of one whole', () => {
    const pixels = fc
      .uint8Array({ minLength: 3 * 48, maxLength: 3 * 48 })
      .map((data) => ({ data, width: 6, height: 8 }));
    fc.assert(
      fc.property(pixels, (picture) => {
        const colors = dominantColors(picture);
        expect(colors.length).toBeGreaterThan(0);
        expect(colors.length).toBeLessThanOrEqual(3);
        expect(new Set(colors.map(({ slug }) => slug)).size).toBe(colors.length);
        for (const [at, { share }] of colors.entries()) expect(share).toBeLessThanOrEqual(colors[at - 1]?.share ?? 1);
        expect(colors.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});

const folder = testData('images', 'catalog', 'img');

describe.skipIf(folder === null)('real cards', () => {
  const colorsOf = async (file: string): Promise<Color[]> => {
    const data = await sharp(`${folder}/${file}.webp`).resize(48, 66, { fit: 'fill' }).removeAlpha().raw().toBuffer();
    return slugs({ data, width: 48, height: 66 });
  };

  test.each([
    ['xy12-11', 'red'],
    ['sv1-50', 'blue'],
    ['sv1-3', 'green'],
    ['gundam-R-003', 'white'],
  ] as const)('%s is %s', async (file, color) => {
    expect(await colorsOf(file)).toContain(color);
  });

  test('all of them have one to three colors, and every color has cards', async () => {
    const found = new Set<Color>();
    for (const file of readdirSync(folder!).filter((_, at) => at % 7 === 0)) {
      const colors = await colorsOf(file.replace(/\.webp$/, ''));
      expect(colors.length, file).toBeGreaterThan(0);
      for (const color of colors) found.add(color);
    }
    expect([...found].sort()).toEqual([...COLORS].sort());
  });
});
