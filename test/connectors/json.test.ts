import { expect, test } from 'vitest';
import { jsonOf, valueAt } from '../../src/connectors/json.ts';

test('a JSON pointer leads through objects and lists, and nowhere else', () => {
  const value = { a: [{ 'b/c': 1, 'd~e': 2 }], '': 3 };
  expect(valueAt(value, '')).toBe(value);
  expect([valueAt(value, '/a/0/b~1c'), valueAt(value, '/a/0/d~0e'), valueAt(value, '/')]).toEqual([1, 2, 3]);
  for (const at of ['/a/1', '/a/x', '/b', '/a/0/b~1c/d', '/__proto__', '/a/length', '/constructor'])
    expect(valueAt(value, at)).toBeUndefined();
});

test('a body that is not JSON has no value', () => {
  expect(jsonOf(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
  for (const text of ['', '<html>', '{"a":']) expect(jsonOf(Buffer.from(text))).toBeUndefined();
});
