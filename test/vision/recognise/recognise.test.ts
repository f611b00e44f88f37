import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CV, openCv } from '../../../src/vision/opencv.ts';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { orderQuad, type Quad } from '../../../src/vision/quad.ts';
import { bandOf } from '../../../src/vision/recognise/confidence.ts';
import { recognise } from '../../../src/vision/recognise/recognise.ts';
import { drawnCard } from '../../support/photos/drawn-cards.ts';
import { type Level, photographCard } from '../../support/photos/photos.ts';
import { testData } from '../../support/test-data.ts';
import { pixelsOf } from '../cards.ts';
import { pictureCatalog } from './picture-catalog.ts';

const CARDS = 12;
const IN_A_PHOTO = 3;

describe('recognize', () => {
  let cv: CV;
  const pictures = new Map<string, RgbPixels>();
  const idOf = (seed: number) => `card-${seed}`;

  beforeAll(async () => {
    ({ cv } = await openCv());
    for (let seed = 1; seed <= CARDS; seed++) pictures.set(idOf(seed), await pixelsOf(await drawnCard(seed), 245, 342));
  });

  const photos = new Map<string, Promise<{ photo: RgbPixels; quad: Quad; upright: Quad }>>();

  /** Each drawn once. */
  function photoOf(seed: number, level: Level): Promise<{ photo: RgbPixels; quad: Quad; upright: Quad }> {
    const key = `${seed} ${level}`;
    const photo = photos.get(key) ?? drawPhoto(seed, level);
    photos.set(key, photo);
    return photo;
  }

  async function drawPhoto(seed: number, level: Level) {
    const { jpeg, quad, upright } = await photographCard(await drawnCard(seed), seed, level, { longSidePx: 1200 });
    return { photo: await pixelsOf(jpeg), quad, upright };
  }

  test('finds the card whichever way it is turned, and where its own top left is', async () => {
    const catalog = pictureCatalog(pictures);
    for (let seed = 1; seed <= 4; seed++) {
      const { photo, quad, upright } = await photoOf(seed, 'hard');
      const found = await recognise(cv, photo, [{ quad }], catalog);
      expect(found.matches[0]!.itemId).toBe(idOf(seed));
      expect(found.confidence).toBe('high');
      expect(farthest(found.quad!, upright)).toBeLessThan(15);
    }
  });

  test('corners that are some percent off are corrected', async () => {
    const { photo, quad, upright } = await photoOf(IN_A_PHOTO, 'easy');
    const [x, y] = [photo.width * 0.02, photo.height * 0.02];
    const off = orderQuad(quad.map(([px, py], i) => [px + (i % 2 === 0 ? x : -x), py + y] as const));
    const found = await recognise(cv, photo, [{ quad: off }], pictureCatalog(pictures));
    expect(found.matches[0]!.itemId).toBe(idOf(IN_A_PHOTO));
    expect(farthest(found.quad!, upright)).toBeLessThan(farthest(off, quad) / 3);
  });

  test('quads without a card are passed over', async () => {
    const { photo, quad } = await photoOf(IN_A_PHOTO, 'easy');
    const nothing: Quad = [
      [5, 5],
      [105, 5],
      [105, 145],
      [5, 145],
    ];
    const found = await recognise(cv, photo, [{ quad: nothing }, { quad }], pictureCatalog(pictures));
    expect(found.matches[0]!.itemId).toBe(idOf(IN_A_PHOTO));
  });

  test('a card outside the catalog is never sure', async () => {
    for (let seed = 1; seed <= IN_A_PHOTO; seed++) {
      const { photo, quad } = await photoOf(seed, 'easy');
      const others = new Map([...pictures].filter(([id]) => id !== idOf(seed)));
      const found = await recognise(cv, photo, [{ quad }], pictureCatalog(others));
      expect(['low', 'none']).toContain(found.confidence);
    }
  });

  test('two items of one picture come together, and neither is sure', async () => {
    const { photo, quad } = await photoOf(IN_A_PHOTO, 'easy');
    const both = new Map([...pictures, ['foil', pictures.get(idOf(IN_A_PHOTO))!] as const]);
    const found = await recognise(cv, photo, [{ quad }], pictureCatalog(both));
    expect(found.matches.slice(0, 2).map(({ itemId }) => itemId)).toEqual([idOf(IN_A_PHOTO), 'foil']);
    expect(found.matches[0]!.score).toBe(found.matches[1]!.score);
    expect(found.confidence).toBe('medium');
  });

  test('a printing that has no picture of its own makes the card unsure too', async () => {
    const { photo, quad } = await photoOf(IN_A_PHOTO, 'easy');
    const catalog = pictureCatalog(pictures, [
      { itemId: 'japanese', picture: null, card: idOf(IN_A_PHOTO), number: null },
    ]);
    const found = await recognise(cv, photo, [{ quad }], catalog);
    expect(found.matches.slice(0, 2).map(({ itemId }) => itemId)).toEqual([idOf(IN_A_PHOTO), 'japanese']);
    expect(found.confidence).toBe('medium');
  });

  test('without quads, and without pictures, nothing is found', async () => {
    const { photo, quad } = await photoOf(IN_A_PHOTO, 'easy');
    const nothing = { matches: [], confidence: 'none', quad: null, evidence: null };
    expect(await recognise(cv, photo, [], pictureCatalog(pictures))).toEqual(nothing);
    expect(await recognise(cv, photo, [{ quad }], pictureCatalog(new Map()))).toEqual(nothing);
  });
});

const REAL = testData('images', 'catalog', 'catalog.json');

describe.skipIf(REAL === null)('recognize, real cards', () => {
  test('hard photos are of the card they show, and never sure when it is left out', async () => {
    const { cv } = await openCv();
    const images: { id: string; file: string }[] = JSON.parse(await readFile(REAL!, 'utf8'));
    const some = images.filter((_, i) => i % 30 === 3);
    const pictures = new Map<string, RgbPixels>();
    for (const { id, file } of some) pictures.set(id, await pixelsOf(testData('images', 'catalog', file)!, 245, 342));
    for (const [i, { id, file }] of some.entries()) {
      if (i % 8 !== 0) continue;
      const { jpeg, quad } = await photographCard(await readFile(testData('images', 'catalog', file)!), i, 'hard');
      const photo = await pixelsOf(jpeg);
      const found = await recognise(cv, photo, [{ quad }], pictureCatalog(pictures));
      expect(found.matches[0]!.itemId).toBe(id);
      const others = new Map([...pictures].filter(([other]) => other !== id));
      const impostor = await recognise(cv, photo, [{ quad }], pictureCatalog(others));
      expect(impostor.confidence, id).not.toBe('high');
    }
  });
});

describe('bandOf', () => {
  const sure = {
    mean: 0.97,
    most: 0.97,
    nearlyAll: 0.95,
    seen: 1,
    cosine: 0.9,
    margin: 0.5,
    siblings: 0,
    number: null,
  };

  test('each doubt lowers it', () => {
    expect(bandOf(sure)).toBe('high');
    expect(bandOf({ ...sure, siblings: 1 })).toBe('medium');
    expect(bandOf({ ...sure, nearlyAll: 0.7 })).toBe('medium');
    expect(bandOf({ ...sure, margin: 0.01 })).toBe('medium');
    expect(bandOf({ ...sure, seen: 0.55 })).toBe('medium');
    expect(bandOf({ ...sure, most: 0.7, nearlyAll: 0.4 })).toBe('low');
    expect(bandOf({ ...sure, most: 0.1, cosine: 0.65 })).toBe('low');
    expect(bandOf({ ...sure, most: 0.1, cosine: 0.3 })).toBe('none');
  });
});

function farthest(a: Quad, b: Quad): number {
  return Math.max(...a.map(([x, y], i) => Math.hypot(x - b[i]![0], y - b[i]![1])));
}
