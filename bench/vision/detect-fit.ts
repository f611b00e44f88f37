import { SEARCHES } from '../../src/vision/detect/detect-cards.ts';
import { lookAt } from '../../src/vision/detect/find-quads.ts';
import { cornerDistance, diagonalOf, scaleQuad } from '../../src/vision/quad.ts';
import type { Level } from '../../test/support/photos/photos.ts';
import { decoded, photoSet } from './photo-set.ts';

/**
 * Weighs the evidence of src/vision/detect/edge-evidence.ts: the weights that make a right quad the likeliest of all quads of
 * its photo, by logistic regression over the quads (softmax), and prints them. Photos of seeds from 1 on; those of
 * detect.ts are others.
 */
type Group = { evidence: (readonly number[])[]; isRight: boolean[] };

const ROUNDS = 500;
const PENALTY = 0.002;
const RATE = 0.1;

const [hard = 140, easy = 100] = process.argv.slice(2).map(Number);
const groups = [...(await groupsOf('hard', hard)), ...(await groupsOf('easy', easy))];
console.log(
  weighed(groups)
    .map((weight) => Number(weight.toFixed(2)))
    .join(', '),
);

async function groupsOf(level: Level, count: number): Promise<Group[]> {
  const found: Group[] = [];
  for await (const { photo } of photoSet(level, count)) {
    const small = await decoded(photo.jpeg, SEARCHES.card.longSidePx);
    const { quads } = lookAt(small, SEARCHES.card);
    const off = (quad: (typeof quads)[number]['quad']) =>
      cornerDistance(scaleQuad(quad, photo.width / small.width), photo.quad) / diagonalOf(photo.quad);
    found.push({ evidence: quads.map(({ evidence }) => evidence), isRight: quads.map(({ quad }) => off(quad) < 0.04) });
  }
  return found.filter(({ isRight }) => isRight.includes(true));
}

/** Gradient ascent with the steps of Kingma and Ba, "Adam" (2015). */
function weighed(photos: readonly Group[]): number[] {
  const size = photos[0]!.evidence[0]!.length;
  const [weights, mean, spread] = [0, 1, 2].map(() => new Array<number>(size).fill(0)) as [
    number[],
    number[],
    number[],
  ];
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = weights.map((weight) => -PENALTY * weight);
    for (const { evidence, isRight } of photos) {
      const sums = evidence.map((one) => one.reduce((sum, value, k) => sum + value * weights[k]!, 0));
      const most = Math.max(...sums);
      const shares = sums.map((sum) => Math.exp(sum - most));
      const all = shares.reduce((sum, share) => sum + share, 0);
      const right = shares.reduce((sum, share, i) => sum + (isRight[i] ? share : 0), 0);
      for (const [i, share] of shares.entries()) {
        const pull = ((isRight[i] ? share / right : 0) - share / all) / photos.length;
        for (let k = 0; k < size; k++) slope[k]! += pull * evidence[i]![k]!;
      }
    }
    for (let k = 0; k < size; k++) {
      mean[k] = 0.9 * mean[k]! + 0.1 * slope[k]!;
      spread[k] = 0.99 * spread[k]! + 0.01 * slope[k]! ** 2;
      weights[k]! += (RATE * mean[k]!) / (1 - 0.9 ** round) / (Math.sqrt(spread[k]! / (1 - 0.99 ** round)) + 1e-8);
    }
  }
  return weights;
}
