import { expect, test } from 'vitest';
import { singleFlight } from '../../src/lib/single-flight.ts';

test('callers during a read share it; a later caller starts a new one', async () => {
  let readings = 0;
  const read = singleFlight(async (_from: object) => ++readings);
  const [one, other] = [{}, {}];
  expect(await Promise.all([read(one), read(one), read(other)])).toEqual([1, 1, 2]);
  expect(await read(one)).toBe(3);
});

test('a reading that fails does so for all who wait, and is tried again by the next', async () => {
  let readings = 0;
  const read = singleFlight(async (_from: object) => {
    if (++readings === 1) throw new Error('away');
    return readings;
  });
  const from = {};
  const both = await Promise.allSettled([read(from), read(from)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read(from)).toBe(2);
});
