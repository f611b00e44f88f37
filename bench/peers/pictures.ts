import sharp from 'sharp';
import sharpPhash from 'sharp-phash';
import bitDistance from 'sharp-phash/distance.js';
import { describeCard } from '../../src/vision/descriptor.ts';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import { dot } from '../../src/vision/vectors/best.ts';
import { testData } from '../../test/support/test-data.ts';
import { seeded } from '../../test/support/vectors.ts';
import { ownCpuMs } from '../search/search-measure.ts';
import { type Distortion, distort, readCards } from '../vision/distorted.ts';
import type { Row } from './table.ts';

/** Both modules are the function itself; their types say that it is the member `default`. */
const phash = sharpPhash as unknown as typeof sharpPhash.default;
const distance = bitDistance as unknown as typeof bitDistance.default;

const SEED = 4242;
/** As from a scanner, and as from a rectified photo: what is cut off, turned, and lit otherwise. */
const DISTORTIONS: [string, Distortion][] = [
  ['slightly', { leastCrop: 0.98, turnDegrees: 1, isMirrored: false, light: 0.1 }],
  ['much', { leastCrop: 0.9, turnDegrees: 5, isMirrored: false, light: 0.3 }],
];

type PictureEngine<Print> = {
  name: string;
  print(picture: RgbPixels): Promise<Print> | Print;
  /** Greater is nearer. */
  nearness(a: Print, b: Print): number;
};

const MINTMARK: PictureEngine<Float32Array> = {
  name: 'Mintmark, descriptor alone',
  print: describeCard,
  nearness: (a, b) => dot(a, b, 0),
};
const PHASH: PictureEngine<string> = {
  name: 'sharp-phash',
  print: ({ data, width, height }) => phash(Buffer.from(data), { raw: { width, height, channels: 3 } }),
  nearness: (a, b) => -distance(a, b),
};

/** Every real catalog picture, distorted and searched among all of them; of equally near ones the right one counts as first. */
export async function comparePictures(): Promise<Row[]> {
  const folder = testData('images', 'catalog', 'img');
  if (folder === null) throw new Error('the catalog pictures are needed: set MINTMARK_TEST_DATA');
  sharp.concurrency(1);
  const cards = await readCards(folder);
  const rows: Row[] = [];
  for (const [how, distortion] of DISTORTIONS) {
    const random = seeded(SEED);
    const asked = cards.map((card) => distort(card, random, distortion));
    rows.push(await row(how, MINTMARK, cards, asked), await row(how, PHASH, cards, asked));
  }
  return rows;
}

async function row<Print>(
  how: string,
  { name, print, nearness }: PictureEngine<Print>,
  cards: readonly RgbPixels[],
  asked: readonly RgbPixels[],
): Promise<Row> {
  const kept: Print[] = [];
  for (const card of cards) kept.push(await print(card));
  const ranks: number[] = [];
  let cpuMs = 0;
  for (const [i, picture] of asked.entries()) {
    const before = ownCpuMs();
    const own = await print(picture);
    cpuMs += ownCpuMs() - before;
    const right = nearness(own, kept[i]!);
    ranks.push(kept.filter((other) => nearness(own, other) > right).length);
  }
  const within = (places: number) => ranks.filter((rank) => rank < places).length / ranks.length;
  return {
    subject: `${cards.length} pictures, ${how} distorted`,
    engine: name,
    figures: [
      `first ${(100 * within(1)).toFixed(1)}%, among five ${(100 * within(5)).toFixed(1)}%`,
      `${(cpuMs / asked.length).toFixed(2)} ms CPU a picture`,
    ],
  };
}
