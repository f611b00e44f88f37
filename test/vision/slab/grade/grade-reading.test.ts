import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Ocr } from '../../../../src/vision/ocr.ts';
import { openCv } from '../../../../src/vision/opencv.ts';
import { readGrade } from '../../../../src/vision/slab/grade/grade-reading.ts';
import { LABEL_PX_PER_MM as MM } from '../../../../src/vision/slab/label-picture.ts';
import { openPrint } from '../../../../src/vision/slab/label-print.ts';
import { rowsOf } from '../../../../src/vision/slab/label-text.ts';

const { cv } = await openCv();

/** Reads a ten wherever a number is. */
const ocr: Ocr = {
  read: async () => [{ text: '10', confidence: 90, x: 0, y: 0, width: 60, height: 44 }],
  close: async () => {},
};

/** A label of BGS, 76 x 28 mm, on plastic of a middle gray; its cert is not legible. */
async function labelOf(paper: string, ink: string) {
  const text = (y: number, mm: number, what: string) =>
    `<text x="${60 * MM}" y="${y * MM}" font-family="Arimo" font-weight="bold" text-anchor="middle" font-size="${(mm / 0.72) * MM}" fill="${ink}">${what}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${76 * MM}" height="${32 * MM}">
    <rect width="100%" height="100%" fill="#666"/><rect x="${5 * MM}" y="${4 * MM}" width="${66 * MM}" height="${20 * MM}" fill="${paper}"/>
    ${text(14, 7, '10')}${text(18.5, 2, 'PRISTINE')}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).grayscale().raw().toBuffer({ resolveWithObject: true });
  const grey = new cv.Mat(info.height, info.width, cv.CV_8UC1);
  grey.data.set(data);
  return grey;
}

test.each([
  ['light on black', '#101010', '#d9c27a', 'bgs-10-5'],
  ['dark on white', '#fbfaf7', '#161616', 'bgs-10'],
  ['dark on gold', '#c9b06a', '#161616', 'bgs-10'],
])('a pristine ten of Beckett printed %s is known by the color of its words', async (_how, paper, ink, key) => {
  const grey = await labelOf(paper, ink);
  const print = openPrint(cv, grey);
  const word = { text: 'PRISTINE', confidence: 90, x: 54.5 * MM, y: 16.5 * MM, width: 11 * MM, height: 2 * MM };
  const rows = rowsOf([{ ...word, ink: 'dark' }]);
  const grade = await readGrade({ cv, ocr }, print, { rows, cert: null, company: 'BGS' });
  print.delete();
  grey.delete();
  expect(grade).toEqual({ words: 'PRISTINE', number: '10', key });
});
