import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { Ocr } from '../../../../src/vision/ocr.ts';
import { type CV, openCv } from '../../../../src/vision/opencv.ts';
import { gradeByNumber } from '../../../../src/vision/slab/grade/grade-by-number.ts';
import { LABEL_PX_PER_MM as MM } from '../../../../src/vision/slab/label-picture.ts';
import { openPrint } from '../../../../src/vision/slab/label-print.ts';

let cv: CV;
beforeAll(async () => {
  ({ cv } = await openCv());
});

/** A label of 76 x 28 mm with a large number and a row of words near its right end; those of BGS are below it. */
async function label(company: 'BGS' | 'CGC', number: string, { asideMm = 0 } = {}) {
  const [numberY, wordsY] = company === 'BGS' ? [14, 18.5] : [21, 11.5];
  const text = (x: number, y: number, heightMm: number, what: string) =>
    `<text x="${x * MM}" y="${y * MM}" font-family="Arimo" font-weight="bold" text-anchor="middle" font-size="${(heightMm / 0.72) * MM}">${what}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${76 * MM}" height="${28 * MM}">
    <rect width="100%" height="100%" fill="#fff"/>${text(62 + asideMm, numberY, 7, number)}${text(62, wordsY, 2, 'MINT')}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).grayscale().raw().toBuffer({ resolveWithObject: true });
  const grey = new cv.Mat(info.height, info.width, cv.CV_8UC1);
  grey.data.set(data);
  return grey;
}

/** Reads every number alike, with these confidences in turn, and every row of words as one text. */
function reader(number: string, confidences: number[], words: string): Ocr {
  let at = 0;
  const word = (text: string, confidence: number) => ({ text, confidence, x: 0, y: 0, width: 30, height: 44 });
  return {
    read: async (_picture, { layout }) =>
      layout === 'word' ? [word(number, confidences[at++ % confidences.length]!)] : [word(words, 60)],
    close: async () => {},
  };
}

const SURE = [85];
const cases: [
  what: string,
  company: 'BGS' | 'CGC',
  number: string,
  sure: number[],
  words: string,
  key: string | null,
][] = [
  ['by its words and number', 'BGS', '9', [40], 'MINT', 'bgs-9'],
  ['by a number that is beyond doubt, over words that are not legible', 'BGS', '9', SURE, 'WHT', 'bgs-9'],
  ['by a half that is beyond doubt', 'BGS', '7.5', SURE, 'WHT', 'bgs-7-5'],
  ['by the number below its words', 'CGC', '9', SURE, 'WHT', 'cgc-9'],
  ['not by a number that is read with doubt', 'BGS', '9', [84], 'WHT', null],
  ['not by a number that its words contradict', 'BGS', '8', SURE, 'EX-MT', null],
  ['not by a ten of several kinds', 'CGC', '10', SURE, 'WHT', null],
  ['not by a line that passes for a one', 'BGS', '1', SURE, 'WHT', null],
];

test.each(cases)('a grade is read %s', async (_what, company, number, sure, words, key) => {
  const grey = await label(company, number);
  const print = openPrint(cv, grey);
  const grade = await gradeByNumber({ cv, ocr: reader(number, sure, words) }, print, company);
  print.delete();
  grey.delete();
  expect(grade?.key ?? null).toBe(key);
});

test.each([
  [0, 'bgs-5'],
  [0.4, 'bgs-5'],
  [1, null],
  [-2, null],
])('a number %s mm from the middle of words that are not legible: %s', async (asideMm, key) => {
  const grey = await label('BGS', '5', { asideMm });
  const print = openPrint(cv, grey);
  const grade = await gradeByNumber({ cv, ocr: reader('5', SURE, 'WHT') }, print, 'BGS');
  print.delete();
  grey.delete();
  expect(grade?.key ?? null).toBe(key);
});
