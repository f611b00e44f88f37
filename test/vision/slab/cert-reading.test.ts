import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certOfSlab } from '../../../src/graded/slab/slab-cert.ts';
import { placesOf, readCerts } from '../../../src/vision/slab/cert-reading.ts';
import { LABEL_PX_PER_MM as MM } from '../../../src/vision/slab/label-picture.ts';
import { openPrint, readRows } from '../../../src/vision/slab/label-print.ts';
import type { SlabTools } from '../../../src/vision/slab/read-label.ts';
import { openSlabTools } from '../../../src/vision/slab/tools.ts';

const DIGIT_MM = 2.1;
const FONT_PX = (DIGIT_MM / 0.72) * MM;

let tools: SlabTools;
beforeAll(async () => {
  tools = await openSlabTools();
});
afterAll(() => tools.ocr.close());

/** Reads the cert of a label of PSA with these digits, and a gap, in heights of them, before the last ones. */
async function read(first: string, last: string, gap: number) {
  const text = (x: number, what: string) =>
    `<text x="${x}" y="${20 * MM}" font-family="Arimo" font-weight="bold" font-size="${FONT_PX}">${what}</text>`;
  const start = 30 * MM;
  const end = start + first.length * 0.556 * FONT_PX + gap * DIGIT_MM * MM;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${81 * MM}" height="${36 * MM}">
    <rect width="100%" height="100%" fill="#fff"/>${text(start, first)}${text(end, last)}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).grayscale().raw().toBuffer({ resolveWithObject: true });
  const grey = new tools.cv.Mat(info.height, info.width, tools.cv.CV_8UC1);
  grey.data.set(data);
  const print = openPrint(tools.cv, grey);
  const words = await readRows(tools, print, 'dark', 'plain');
  const slab = certOfSlab('PSA', await readCerts(tools, print, placesOf(words, 'PSA'), 1));
  print.delete();
  grey.delete();
  return { words: words.map((word) => word.text), cert: slab.cert?.cert };
}

describe('a cert whose digits are read as two words', () => {
  test.each([
    ['8642972', '8', 0.5],
    ['8642972', '85', 0.4],
    ['12954731', '6', 0.6],
  ])('%s and %s is not the shorter cert that the first of them would be', async (first, last, gap) => {
    expect(await read(first, last, gap)).toEqual({ words: [first, last], cert: `PSA${first}${last}` });
  });
});
