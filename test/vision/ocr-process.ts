import sharp from 'sharp';
import { openOcr } from '../../src/vision/ocr.ts';
import { randomOf } from '../support/photos/photo-random.ts';

/** Reads a page that is strewn with dots, on which the reader remarks, and prints the words. */
const { between } = randomOf(7);
const line = 'The quick brown fox jumps over the lazy dog';
const lines = Array.from({ length: 9 }, (_, i) => `<text x="40" y="${60 + i * 62}">${line} number ${i} of nine</text>`);
const dots = Array.from(
  { length: 250 },
  () => `<circle cx="${between(0, 1200)}" cy="${between(0, 600)}" r="${between(2, 5)}"/>`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" font-size="40" font-family="sans-serif">
  <rect width="1200" height="600" fill="#fff"/>${[...lines, ...dots].join('')}</svg>`;
const { data, info } = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer({ resolveWithObject: true });
const ocr = await openOcr();
const picture = { data: new Uint8Array(data), width: info.width, height: info.height };
const words = [];
for (const layout of ['block', 'sparse', 'line'] as const) words.push(...(await ocr.read(picture, { layout })));
console.log(words.map(({ text }) => text).join(' '));
await ocr.close();
