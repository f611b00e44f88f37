import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ocr, OcrWord } from '../../../../src/vision/ocr.ts';
import { type CV, openCv } from '../../../../src/vision/opencv.ts';
import { readNumbers } from '../../../../src/vision/slab/grade/grade-number.ts';
import { type LabelPrint, openPrint } from '../../../../src/vision/slab/label-print.ts';

let cv: CV;
let print: LabelPrint;

beforeAll(async () => {
  ({ cv } = await openCv());
  const grey = new cv.Mat(200, 300, cv.CV_8UC1, new cv.Scalar(255));
  print = openPrint(cv, grey);
});
afterAll(() => {
  print.delete();
  print.grey.delete();
});

const word = (text: string, confidence: number): OcrWord => ({ text, confidence, x: 0, y: 0, width: 30, height: 44 });

/** What each finish of the area is read as, in turn. */
function reader(readings: OcrWord[][]): Ocr & { reads: number } {
  const ocr = {
    reads: 0,
    read: async () => readings[ocr.reads++] ?? [],
    close: async () => {},
  };
  return ocr;
}

const cases: [what: string, readings: OcrWord[][], numbers: string[], reads: number][] = [
  ['two that agree end it', [[word('8', 90)], [word('8', 30)], [word('9', 90)]], ['8', '8'], 2],
  ['a third settles what two say', [[word('8', 90)], [word('9', 90)], [word('9', 90)]], ['8', '9', '9'], 3],
  ['a guess is not counted', [[word('8', 0)], [word('8', 24)], [word('9', 26)], [word('9', 25)]], ['9', '9'], 4],
  ['a guess next to a legible number does not count', [[word('5', 12), word('9', 80)]], ['9'], 4],
  ['two numbers in one area are left out', [[word('5', 80), word('9', 80)], [word('9', 80)]], ['9'], 4],
  ['what is not a grade is left out', [[word('95', 80)], [word('0.5', 80)], [word('11', 80)]], ['9.5'], 4],
  ['an illegible number is read in every finish', [], [], 4],
];

test.each(cases)('readings of a number: %s', async (_what, readings, numbers, reads) => {
  const ocr = reader(readings);
  const area = { x: 100, y: 50, width: 80, height: 90 };
  expect(await readNumbers({ cv, ocr }, print, { area, digitHeight: 60, ink: 'dark' })).toEqual(numbers);
  expect(ocr.reads).toBe(reads);
});
