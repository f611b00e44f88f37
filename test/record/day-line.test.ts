import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Snapshot } from '../../src/pricing/model/quote.ts';
import { canonicalJson, type JsonValue } from '../../src/record/canonical-json.ts';
import { lineText, single, snapshotLine, snapshotOfLine } from '../../src/record/day-line.ts';

const variance = fc.float({ min: 0, max: 100, noNaN: true }).map((value) => Math.fround(value) + 0);
const covariance = fc.float({ min: -100, max: 100, noNaN: true }).map((value) => Math.fround(value) + 0);
// JSON has one zero.
const level = fc.double({ min: -20, max: 20, noNaN: true }).map((value) => value + 0);
const day = fc.integer({ min: 17_000, max: 22_000 });
const ownSales = fc.integer({ min: 0, max: 255 });
const before = fc.record({ level, variance, ownSales, lastDay: day });
const card = fc.record({
  day,
  cardLevel: level,
  cardVariance: variance,
  levelPerDay: variance,
  deviationPerDay: variance,
});
const grade = fc.record({
  level: fc.option(level),
  covariance,
  deviationVariance: variance,
  saleVariance: variance,
  ownSales,
  lastDay: day,
  before: fc.option(before),
});
const ids = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 });
const events = fc.record(
  {
    sales: ids,
    weights: ids.map((all) => Object.fromEntries(all.map((id) => [String(id), 0.25]))),
    rejected: ids.map((all) => all.map((id): [number, string] => [id, 'absurd_price'])),
    voided: ids,
  },
  { requiredKeys: [] },
);

test('a number of single precision has nine digits, from which it reads back', () => {
  fc.assert(
    fc.property(
      fc.float({ min: -9e7, max: 9e7, noNaN: true }).map((value) => Math.fround(value) + 0),
      (value) => {
        expect(Math.fround(single(value))).toBe(value);
        expect(
          String(single(value))
            .replace(/e.*|[-.]/g, '')
            .replace(/^0+/, '').length,
        ).toBeLessThanOrEqual(9);
      },
    ),
    { numRuns: 5000 },
  );
});

test('the line of a card is canonical, and every snapshot reads back from it to the last bit', () => {
  fc.assert(
    fc.property(card, fc.array(grade, { maxLength: 4 }), events, (ofCard, grades, known) => {
      const named = grades.map(
        (one, i) => [['psa-9', 'psa-10', 'raw-A', 'cgc-9'][i]!, { ...ofCard, ...one } as Snapshot] as const,
      );
      const text = lineText(snapshotLine({ item: 'a', game: 'mtg', set: 3 }, ofCard.day, named, known));
      const line = JSON.parse(text);
      expect(canonicalJson(line as JsonValue)).toBe(text);
      for (const [gradeKey, snapshot] of named) expect(snapshotOfLine(line, gradeKey)).toEqual({ gradeKey, snapshot });
    }),
    { numRuns: 500 },
  );
});
