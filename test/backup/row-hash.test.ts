import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newRowHash } from '../../src/backup/row-hash.ts';

function summaryOf(lines: readonly string[], cuts: readonly number[] = []) {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const rows = newRowHash();
  let from = 0;
  for (const cut of [...cuts.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b), text.length]) {
    rows.update(text.subarray(from, cut));
    from = cut;
  }
  return rows.summary();
}

const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ' '));
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the hash of rows', () => {
  test('is the same in whatever order and pieces they arrive', () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(share), fc.array(share), (lines, cuts, others) => {
        const expected = summaryOf(lines, cuts);
        expect(expected.rows).toBe(lines.length);
        expect(summaryOf(lines.toReversed(), others)).toEqual(expected);
        expect(summaryOf(lines.toSorted(), [])).toEqual(expected);
      }),
    );
  });

  test('differs where one row does, is missing, or is there twice', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), line, (lines, other) => {
        const { hash } = summaryOf(lines);
        expect(summaryOf(lines.slice(1)).hash).not.toBe(hash);
        expect(summaryOf([...lines, lines[0]!]).hash).not.toBe(hash);
        if (other !== lines[0]) expect(summaryOf([other, ...lines.slice(1)]).hash).not.toBe(hash);
        // Two equal rows do not cancel each other out.
        expect(summaryOf([...lines, other, other]).hash).not.toBe(hash);
      }),
    );
  });

  test('of values that move from one row to another differs', () => {
    expect(summaryOf(['a\tb', 'c\td']).hash).not.toBe(summaryOf(['a\td', 'c\tb']).hash);
    expect(summaryOf(['ab']).hash).not.toBe(summaryOf(['a', 'b']).hash);
  });
});
