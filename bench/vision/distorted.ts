import { readdirSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { DESCRIPTOR, describeCard } from '../../src/vision/descriptor.ts';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import { seeded } from '../../test/support/vectors.ts';

/** The descriptor's finest part reads 80 × 112 pixels: nothing is gained by drawing larger. */
const WIDTH = 80;
const HEIGHT = 112;
const SOURCE = { width: 160, height: 224 };
const REPORT_EVERY = 20_000;

/** How much a picture is changed: the least part of it that is cut out, the most it is turned, how far its light goes. */
export type Distortion = { leastCrop: number; turnDegrees: number; isMirrored: boolean; light: number };

/** Each about as far from the others as another card is. */
const OTHER_CARDS: Distortion = { leastCrop: 0.7, turnDegrees: 8, isMirrored: true, light: 0.3 };

/**
 * Descriptors of `count` distorted pictures of cards, all of them in turn: cut out, turned, mirrored, in other light, with
 * noise. The same for the same seed. Kept in `cachePath`, since 200,000 take minutes. Rows of 512 float32.
 */
export async function distortedDescriptors(
  folder: string,
  { count, seed, cachePath }: { count: number; seed: number; cachePath: string },
): Promise<Float32Array> {
  const { length } = DESCRIPTOR;
  const kept = await readFile(cachePath).catch(() => null);
  if (kept?.length === 4 * length * count) return new Float32Array(kept.buffer, kept.byteOffset, length * count);
  const cards = await readCards(folder);
  const random = seeded(seed);
  const vectors = new Float32Array(count * length);
  for (let i = 0; i < count; i++) {
    vectors.set(describeCard(distort(cards[i % cards.length]!, random, OTHER_CARDS)), i * length);
    if ((i + 1) % REPORT_EVERY === 0) console.error(`${i + 1} of ${count} descriptors`);
  }
  const file = await open(`${cachePath}.part`, 'w');
  await file.writeFile(new Uint8Array(vectors.buffer));
  await file.close();
  await rename(`${cachePath}.part`, cachePath);
  return vectors;
}

/** The pictures of a folder by file name, small. Throws at the first file that is not a picture. */
export async function readCards(folder: string): Promise<RgbPixels[]> {
  const files = readdirSync(folder).sort();
  const cards: RgbPixels[] = [];
  for (const file of files) {
    const data = await sharp(join(folder, file))
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .resize({ ...SOURCE, fit: 'fill' })
      .raw()
      .toBuffer()
      .catch((cause: unknown) => {
        throw new Error(`${join(folder, file)} is not a picture: name a folder of pictures only`, { cause });
      });
    cards.push({ data, ...SOURCE });
  }
  return cards;
}

/** A changed picture, at the size that the descriptor needs. */
export function distort(card: RgbPixels, random: () => number, distortion: Distortion): RgbPixels {
  const { leastCrop, turnDegrees, isMirrored, light } = distortion;
  const scale = leastCrop + (1 - leastCrop) * random();
  const angle = ((random() - 0.5) * 2 * turnDegrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const mirror = isMirrored && random() < 0.5 ? -1 : 1;
  const centerX = 0.5 + (random() - 0.5) * (1 - scale);
  const centerY = 0.5 + (random() - 0.5) * (1 - scale);
  const gains = [0, 1, 2].map(() => 1 + light * (2 * random() - 1));
  const gamma = 0.6 + 0.8 * random();
  const noise = 12 * random();
  const tones = gains.map((gain) => Float32Array.from({ length: 256 }, (_, v) => 255 * gain * (v / 255) ** gamma));
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const dx = mirror * ((x + 0.5) / WIDTH - 0.5);
      const dy = (y + 0.5) / HEIGHT - 0.5;
      const sx = clamp((centerX + dx * cos - dy * sin) * card.width, card.width - 1);
      const sy = clamp((centerY + dx * sin + dy * cos) * card.height, card.height - 1);
      const from = 3 * (sy * card.width + sx);
      const grain = (random() - 0.5) * 2 * noise;
      for (let c = 0; c < 3; c++, at++) data[at] = clamp(tones[c]![card.data[from + c]!]! + grain, 255);
    }
  }
  return { data, width: WIDTH, height: HEIGHT };
}

function clamp(value: number, most: number): number {
  return value < 0 ? 0 : value > most ? most : Math.floor(value);
}
