import { expect, test } from 'vitest';
import { trackedFirst } from '../../../src/search/query/tracked-first.ts';

const found = (bands: readonly number[]) => bands.map((band, n) => ({ id: `${n}`, band }));
const order = (bands: readonly number[], tracked: readonly number[]) =>
  trackedFirst(found(bands), new Set(tracked.map(String))).map(({ id }) => Number(id));

test('of hits that fit about as well the tracked ones come first, each kind in its order', () => {
  expect(order([200, 200, 180, 160], [1, 3])).toEqual([1, 3, 0, 2]);
});

test('a hit that fits much better stays before others that are tracked', () => {
  expect(order([320, 200, 190], [1])).toEqual([0, 1, 2]);
  expect(order([320, 280, 279, 100], [1, 3])).toEqual([1, 0, 3, 2]);
});

test('nothing found is nothing', () => {
  expect(order([], [])).toEqual([]);
});
