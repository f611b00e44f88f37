import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type JsonValue } from '../../src/record/canonical-json.ts';

// Each text here is also what the npm packages canonicalize 4.0.0 and json-canonicalize 3.0.1 write (compared on 2026-11-25).
describe('RFC 8785', () => {
  test('the sample of section 3.2.2', () => {
    const sample = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]') as number[],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('the names of section 3.2.3 in the order of their UTF-16 code units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 1])));
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(text).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`);
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555556', '333333333.3333334'],
  ])('the number of appendix B with the bits %s is %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  test('what JSON does not have is an error', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }])
      expect(() => canonicalJson(value), String(value)).toThrow(RangeError);
  });
});

test('any value has one text, however its names are ordered, which reads back as the same', () => {
  const shuffled = (value: JsonValue): JsonValue =>
    value === null || typeof value !== 'object'
      ? value
      : Array.isArray(value)
        ? value.map(shuffled)
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, one]) => [name, shuffled(one as JsonValue)]),
          );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = value as JsonValue;
      const text = canonicalJson(json);
      expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
      expect(canonicalJson(shuffled(json))).toBe(text);
    }),
  );
});
