import { expect, test } from 'vitest';
import { openScan } from '../../src/vision/vectors/scan.ts';

/** A quantized vector in a plane: its cosine distance from `inPlane(0)` is 1 - 127 / sqrt(127² + b²). */
const inPlane = (b: number) => new Int8Array(512).fill(127, 0, 256).fill(b, 256);

test('candidates are those within .004 of the k-th, which is more than quantizing can part them by', () => {
  const scan = openScan();
  // .0037, .0044 and .0088 from the first.
  for (const b of [0, 11, 12, 17]) scan.put(`b=${b}`, 'mtg', inPlane(b));
  expect(scan.candidates(inPlane(0), 1, null)).toEqual(['b=0', 'b=11']);
  expect(scan.candidates(inPlane(0), 2, null)).toEqual(['b=0', 'b=11', 'b=12']);
});

test('there are at most 4,096 candidates, however many vectors are equal', () => {
  const scan = openScan();
  for (let n = 0; n < 4200; n++) scan.put(`item-${n}`, 'mtg', inPlane(3));
  expect(scan.candidates(inPlane(0), 10, 'mtg')).toHaveLength(4096);
});
