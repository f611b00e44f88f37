/**
 * `node --import tsx bench/vision/impostors.ts <folder of card pictures>`: whether the bands of searches by embedding keep
 * their promise in a space that is at hand, the descriptor's. Impostors are measured among the pictures; then each is
 * searched by a distorted copy, with the card in the catalog and left out (aim: `high` ≤ .2% of those left out).
 */
import { DESCRIPTOR, describeCard } from '../../src/vision/descriptor.ts';
import { bandAmong, impostorsAmong, type NamedScore } from '../../src/vision/impostors.ts';
import { dot } from '../../src/vision/vectors/best.ts';
import { seeded } from '../../test/support/vectors.ts';
import { type Distortion, distort, readCards } from './distorted.ts';

/** About what is left of a photo's perspective after it was straightened. */
const PHOTO: Distortion = { leastCrop: 0.93, turnDegrees: 2.5, isMirrored: false, light: 0.2 };
/** Pictures so alike are of one card: the set has a few twice. */
const SAME = 0.9;
const ROUNDS = 3;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of card pictures');
const cards = await readCards(folder);
const catalog = cards.map(describeCard);
const names = catalog.map((vector) => catalog.findIndex((other) => dot(vector, other, 0) > SAME));
const impostors = impostorsAmong(catalog.map((vector, i) => ({ name: names[i]!, found: found(vector) })));
console.log(`${DESCRIPTOR.name}, ${cards.length} pictures:`, impostors);

const random = seeded(5);
for (const isIn of [true, false]) {
  const bands = { high: 0, medium: 0, low: 0, none: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, card] of cards.entries()) {
      const hits = found(describeCard(distort(card, random, PHOTO))).filter(({ name }) => isIn || name !== names[i]);
      const rival = hits.find(({ name }) => name !== hits[0]!.name)!;
      bands[bandAmong(impostors, { score: hits[0]!.score, margin: hits[0]!.score - rival.score, siblings: 0 })]++;
    }
  }
  console.log(isIn ? 'in the catalog' : 'left out of it', bands);
}

/** Every picture by its likeness, the best first. */
function found(vector: Float32Array): NamedScore[] {
  return catalog
    .map((other, i) => ({ name: names[i]!, score: dot(vector, other, 0) }))
    .sort((a, b) => b.score - a.score);
}
