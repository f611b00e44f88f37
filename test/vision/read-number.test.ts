import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ocr, openOcr } from '../../src/vision/ocr.ts';
import { type CV, openCv } from '../../src/vision/opencv.ts';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import type { Quad } from '../../src/vision/quad.ts';
import { isPrintedAs, readNumber } from '../../src/vision/read-number.ts';
import { recognise } from '../../src/vision/recognise/recognise.ts';
import { drawnCard } from '../support/photos/drawn-cards.ts';
import { photographCard } from '../support/photos/photos.ts';
import { pixelsOf } from './cards.ts';
import { pictureCatalog } from './recognise/picture-catalog.ts';

describe('isPrintedAs', () => {
  test.each([
    ['16', '016/198', true],
    ['16', '16/198', true],
    ['016/198', '16/198', true],
    ['016/198', '16/165', false],
    ['16', '16', false],
    ['16', '116/198', false],
    ['16', '16/', false],
    ['TG12', 'TG12/TG30', true],
    ['ST02-010', 'ST02-010', true],
    ['ST02-010', 'st02010', true],
    ['LOB-EN001', 'LOB-EN001', true],
    ['LOB-EN001', 'LOB-001', false],
    ['', '/', false],
  ])('%s printed as %s: %s', (number, word, is) => {
    expect(isPrintedAs(number, word)).toBe(is);
  });
});

describe('the printed number', () => {
  const SEED = 5;
  let cv: CV;
  let ocr: Ocr;
  let photo: RgbPixels;
  let placed: { quad: Quad; upright: Quad };

  beforeAll(async () => {
    ({ cv } = await openCv());
    ocr = await openOcr();
    const { jpeg, quad, upright } = await photographCard(await numbered(SEED, '087/150'), SEED, 'easy');
    photo = await pixelsOf(jpeg);
    placed = { quad, upright };
  });
  afterAll(() => ocr.close());

  test('is read off the foot of a card in a photo', async () => {
    expect(await readNumber(cv, ocr, photo, placed.upright, ['12', '87'])).toBe('87');
    expect(await readNumber(cv, ocr, photo, placed.upright, ['12', '88'])).toBeNull();
  });

  test('decides between cards of one art, which are siblings without it', async () => {
    const catalog = pictureCatalog(
      new Map([
        ['first', await pixelsOf(await numbered(SEED, '012/150'), 245, 342)],
        ['reprint', await pixelsOf(await numbered(SEED, '087/150'), 245, 342)],
        ['other', await pixelsOf(await drawnCard(SEED + 1), 245, 342)],
      ]),
      [],
      new Map([
        ['first', '12'],
        ['reprint', '87'],
      ]),
    );
    const { quad } = placed;
    const withoutIt = await recognise(cv, photo, [{ quad }], catalog);
    expect(withoutIt.confidence).toBe('medium');
    expect(
      withoutIt.matches
        .slice(0, 2)
        .map(({ itemId }) => itemId)
        .sort(),
    ).toEqual(['first', 'reprint']);
    const found = await recognise(cv, photo, [{ quad }], catalog, { ocr: async () => ocr });
    expect(found.matches[0]!.itemId).toBe('reprint');
    expect(found.evidence!.number).toBe('87');
    expect(found.confidence).toBe('high');
  });
});

/** A drawn card as large as it is printed, with a number at its foot. */
async function numbered(seed: number, number: string): Promise<Buffer> {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="734" height="1024">
    <rect x="40" y="952" width="300" height="36" fill="white"/>
    <text x="60" y="978" font-family="sans-serif" font-weight="bold" font-size="22">${number}</text></svg>`;
  return sharp(await drawnCard(seed))
    .resize(734, 1024, { fit: 'fill' })
    .composite([{ input: Buffer.from(text) }])
    .png()
    .toBuffer();
}
