import { expect, test } from 'vitest';
import { dot } from '../../src/vision/vectors/best.ts';
import { openScan } from '../../src/vision/vectors/scan.ts';
import { unitVector } from '../../src/vision/vectors/stored-vectors.ts';
import { randomVectors } from '../support/vectors.ts';

const [along, other] = randomVectors(2, 5);
const across = unitVector(other!.map((value, i) => value - dot(along!, other!, 0) * along![i]!));

/** A vector at this cosine distance from `along`. */
function atDistance(distance: number): Float32Array {
  const angle = Math.acos(1 - distance);
  return unitVector(along!.map((value, i) => Math.cos(angle) * value + Math.sin(angle) * across[i]!));
}

test('candidates are those within three steps of rounding, here .003, of the k-th, which is more than quantizing can part them by', () => {
  const scan = openScan();
  for (const [version, distance] of [0, 0.002, 0.0035, 0.007].entries()) scan.add(version, 'mtg', atDistance(distance));
  expect(scan.candidates(atDistance(0), 1, null)).toEqual([0, 1]);
  expect(scan.candidates(atDistance(0), 2, null)).toEqual([0, 1, 2]);
});

test('there are at most 4,096 candidates, however many vectors are equal', () => {
  const scan = openScan();
  for (let n = 0; n < 4200; n++) scan.add(n, 'mtg', atDistance(0.01));
  expect(scan.candidates(atDistance(0), 10, 'mtg')).toHaveLength(4096);
});

test('every vector of many is found, in whatever part of the memory it is', () => {
  const scan = openScan();
  const vectors = randomVectors(20_000, 11);
  for (const [version, vector] of vectors.entries()) scan.add(version, 'mtg', vector);
  for (const version of [0, 4095, 4096, 8191, 8192, 12_287, 12_288, 16_383, 16_384, 19_999])
    expect(scan.candidates(vectors[version]!, 1, 'mtg')).toEqual([version]);
});
