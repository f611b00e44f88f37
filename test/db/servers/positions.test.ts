import { expect, test } from 'vitest';
import { endOfRecords, openPositions } from '../../../src/db/servers/positions.ts';

test('a replica is so far behind as the primary was where it is now', () => {
  const positions = openPositions(10_000);
  positions.note(0, 100);
  positions.note(500, 200);
  positions.note(1000, 300);
  expect([300, 299, 200, 100, 99].map(positions.lagMs)).toEqual([0, 500, 500, 1000, Number.POSITIVE_INFINITY]);
  // While nothing is written, a replica that has everything is not behind.
  positions.note(60_000, 300);
  expect([300, 299].map(positions.lagMs)).toEqual([0, Number.POSITIVE_INFINITY]);
});

test('another primary, which has less, begins anew', () => {
  const positions = openPositions(10_000);
  positions.note(0, 300);
  positions.note(500, 200);
  expect([300, 200, 199].map(positions.lagMs)).toEqual([0, 0, Number.POSITIVE_INFINITY]);
});

test('the header of a page without records is not waited for', () => {
  expect([8192 * 5 + 24, 8192 * 5, 8192 * 5 + 32].map(endOfRecords)).toEqual([8192 * 5, 8192 * 5, 8192 * 5 + 32]);
});
