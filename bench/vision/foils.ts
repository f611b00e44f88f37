/**
 * `node --import tsx bench/vision/foils.ts [easy|hard] [--photos 60] [--from 1000000] [--save folder]`: made-up photos of cards on foil
 * (`photo-foil.ts`: a picture, all around it, everywhere), searched in the real catalog images: as they are, with this
 * card's picture in another light, and without this card. Aims: first right ≥ 90%, `medium` or better ≥ 60%, `high` when
 * left out 0. What is tuned is tuned on seeds below 1,000,000. Ends with 1 when an aim is missed.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { describeCard } from '../../src/vision/descriptor.ts';
import { detectCards } from '../../src/vision/detect/detect-cards.ts';
import { openCv } from '../../src/vision/opencv.ts';
import { decodePhoto } from '../../src/vision/photo.ts';
import { cardPixels } from '../../src/vision/pictures/card-pixels.ts';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import { IMAGE_SIZES } from '../../src/vision/pictures/kept-image.ts';
import type { RecognitionCatalog } from '../../src/vision/recognise/catalog.ts';
import type { Band } from '../../src/vision/recognise/confidence.ts';
import { recognise } from '../../src/vision/recognise/recognise.ts';
import { dot } from '../../src/vision/vectors/best.ts';
import { asFoil, FOILS } from '../../test/support/photos/photo-foil.ts';
import { realTextures } from '../../test/support/photos/photo-ground.ts';
import { photographCard } from '../../test/support/photos/photos.ts';
import { aim } from '../access/access-aim.ts';
import { catalogImageBytes, decoded } from './photo-set.ts';
import { figuresOf, openBenchCatalog } from './recognise-catalog.ts';

const PHOTO_SIDE_PX = 2000;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string', default: '60' },
    from: { type: 'string', default: '1000000' },
    save: { type: 'string' },
  },
});
const level = positionals[0] === 'hard' ? 'hard' : 'easy';
/** Seeds of the other light. */
const OTHER_LIGHT = 500_000;
const PICTURES = ['as printed', 'in another light', 'left out'] as const;
type Tally = Record<'photos' | 'first' | Band, number>;

const { cv } = await openCv();
const textures = await realTextures();
const { images, without } = await openBenchCatalog();
const tallies = new Map<string, Tally>();
const from = Number(values.from);
for (let seed = from; seed < from + Number(values.photos); seed++) {
  const image = images[(seed * 383) % images.length]!;
  const foil = FOILS[seed % FOILS.length]!;
  const card = await decoded(await catalogImageBytes(image));
  const { jpeg } = await photographCard(asFoil(card, foil, seed), seed, level, { textures });
  if (values.save !== undefined) await writeFile(join(values.save, `${seed}-${foil}.jpg`), jpeg);
  const photo = await decodePhoto(jpeg, PHOTO_SIDE_PX);
  const quads = detectCards(cv, photo, { kind: 'card' });
  const rest = without(image.id);
  const lit = await withPicture(rest, image.id, asFoil(card, foil, seed + OTHER_LIGHT));
  for (const [at, catalog] of [without(null), lit, rest].entries()) {
    const { matches, confidence, evidence } = await recognise(cv, photo, quads, catalog);
    const isFirst = matches[0]?.itemId === image.id;
    for (const group of [`${PICTURES[at]}, ${foil}`, PICTURES[at]!]) {
      const tally = tallies.get(group) ?? { photos: 0, first: 0, high: 0, medium: 0, low: 0, none: 0 };
      tallies.set(group, tally);
      tally.photos++;
      tally[confidence]++;
      if (isFirst) tally.first++;
    }
    const isWeak = confidence === 'low' || confidence === 'none';
    if (PICTURES[at] === 'left out' ? confidence === 'high' : !isFirst || isWeak)
      console.log(
        `${seed} ${foil} ${PICTURES[at]}, ${image.id}: ${matches[0]?.itemId} ${confidence} (${figuresOf(evidence)})`,
      );
  }
}
console.table(Object.fromEntries([...tallies].sort()));
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)}%`;
for (const picture of PICTURES.slice(0, 2)) {
  const { photos, first, high, medium } = tallies.get(picture)!;
  aim(`${level} foils, picture ${picture}, first right`, percent(first, photos), '≥ 90%', first / photos >= 0.9);
  const sure = high + medium;
  aim(`${level} foils, picture ${picture}, medium or better`, percent(sure, photos), '≥ 60%', sure / photos >= 0.6);
}
const { high } = tallies.get('left out')!;
aim(`${level} foils, high when left out`, String(high), '0', high === 0);

/** The catalog with one more card, of this picture. */
async function withPicture(rest: RecognitionCatalog, itemId: string, card: RgbPixels): Promise<RecognitionCatalog> {
  const kept = await sharp(card.data, { raw: { width: card.width, height: card.height, channels: 3 } })
    .resize(IMAGE_SIZES.thumb)
    .webp({ quality: 80 })
    .toBuffer();
  const pixels = await cardPixels(kept);
  const own = describeCard(pixels);
  return {
    ...rest,
    async nearest(vector, k, game) {
      const hits = [...(await rest.nearest(vector, k, game)), { itemId, score: dot(vector, own, 0) }];
      return hits.sort((a, b) => b.score - a.score).slice(0, k);
    },
    picture: async (id) => (id === itemId ? pixels : rest.picture(id)),
  };
}
