/**
 * `node --import tsx bench/vision/recognise-real.ts`: the cards of the real photos, by hand-drawn quads and by detected
 * ones, against the real catalog images. All but one of them are not cards of that catalog: none of those may be `high`,
 * and the one must be recognized. Prints the photos' best matches. Ends with 1 when an aim is missed.
 */
import { readFile } from 'node:fs/promises';
import { detectCards } from '../../src/vision/detect/detect-cards.ts';
import { openCv } from '../../src/vision/opencv.ts';
import { decodePhoto } from '../../src/vision/photo.ts';
import type { Quad } from '../../src/vision/quad.ts';
import type { Recognition } from '../../src/vision/recognise/conclude.ts';
import { recognise } from '../../src/vision/recognise/recognise.ts';
import { testData } from '../../test/support/test-data.ts';
import { aim } from '../access/access-aim.ts';
import { figuresOf, openBenchCatalog } from './recognise-catalog.ts';

const PHOTO_SIDE_PX = 2000;
const REAL_QUADS = new URL('../../test/vision/slab/real-quads.json', import.meta.url);
/** The photo of a card that the catalog has. */
const KNOWN = { file: 'real-cards/xy12-20-magmar-a.jpg', id: 'xy12-20' };

type RealPhoto = { file: string; cards: Quad[] };

const { cv } = await openCv();
const catalog = (await openBenchCatalog()).without(null);
const photos: RealPhoto[] = JSON.parse(await readFile(REAL_QUADS, 'utf8'));
const unknown: Recognition[] = [];
const known: Recognition[] = [];
for (const { file, cards } of photos) {
  const photo = await decodePhoto(await readFile(testData('images', ...file.split('/'))!), PHOTO_SIDE_PX);
  const found = detectCards(cv, photo, { kind: 'card' });
  const looks = [found, ...cards.map((quad) => [{ quad }])];
  const results = await Promise.all(looks.map((quads) => recognise(cv, photo, quads, catalog)));
  (file === KNOWN.file ? known : unknown).push(...results);
  console.log(file, `${results.length} looks, most alike:`, describe(results));
}
const high = unknown.filter(({ confidence }) => confidence === 'high').length;
aim('no card of the catalog, yet high', `${high} of ${unknown.length}`, '0', high === 0);
const right = known.filter(
  ({ matches, confidence }) => matches[0]?.itemId === KNOWN.id && confidence === 'high',
).length;
aim('the card of the catalog, high', `${right} of ${known.length}`, 'all', right === known.length && right > 0);

function describe(results: readonly Recognition[]): string {
  const best = results.reduce((a, b) => ((b.evidence?.most ?? -1) > (a.evidence?.most ?? -1) ? b : a));
  return `${best.matches[0]?.itemId} ${best.confidence} (${figuresOf(best.evidence)})`;
}
