import { expect, test } from 'vitest';
import { byteReader, byteWriter } from '../../src/lib/bytes.ts';

test('whole numbers at the ends of their ranges read back', () => {
  const writer = byteWriter();
  for (const value of [0, 0xff]) writer.u8(value);
  for (const value of [0, 0xffff]) writer.u16(value);
  for (const value of [-(2 ** 31), -1, 2 ** 31 - 1]) writer.i32(value);
  const read = byteReader(writer.take());
  const values = [read.u8(), read.u8(), read.u16(), read.u16(), read.i32(), read.i32(), read.i32()];
  expect(values).toEqual([0, 0xff, 0, 0xffff, -(2 ** 31), -1, 2 ** 31 - 1]);
  expect(read.done()).toBe(true);
});

test.each([
  ['u8', -1],
  ['u8', 0x100],
  ['u16', -1],
  ['u16', 0x1_0000],
  ['u16', Number.NaN],
  ['i32', 2 ** 31],
  ['i32', -(2 ** 31) - 1],
] as const)('%s: %d is an error, not another number', (type, value) => {
  const writer = byteWriter();
  expect(() => writer[type](value)).toThrow(RangeError);
  expect(writer.place()).toBe(0);
});
