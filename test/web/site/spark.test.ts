import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Spark } from '../../../src/web/price.tsx';

/** Heights of the points, from the bottom, of a line that is 26 high. */
function heightsOf(values: readonly number[]): number[] {
  const [, points] = /points="([^"]+)"/.exec(renderToString(h(Spark, { values })))!;
  return points!.split(' ').map((point) => 26 - Number(point.split(',')[1]));
}

test.each([
  ['ten percent use the whole height', [100, 102, 104, 108, 110], 0, 26],
  ['a tenth of a percent is a tenth of it, in the middle', [1000, 1000.2, 1000.5, 1000.8, 1001], 11.7, 14.3],
  ['no move is the middle', [50, 50, 50, 50, 50], 13, 13],
])('%s', (_, values, least, most) => {
  const heights = heightsOf(values);
  expect(Math.min(...heights)).toBeCloseTo(least, 1);
  expect(Math.max(...heights)).toBeCloseTo(most, 1);
});

test('fewer than five values say too little', () => {
  expect(renderToString(h(Spark, { values: [1, 2, 3, 4] }))).toBe('');
});
