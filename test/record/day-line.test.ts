import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { bringToDay, newCard } from '../../src/pricing/model/card.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../src/pricing/model/params.ts';
import { snapshotOf } from '../../src/pricing/model/snapshot.ts';
import { updateCard } from '../../src/pricing/model/update.ts';
import { canonicalJson, type JsonValue } from '../../src/record/canonical-json.ts';
import { lineText, snapshotLine, snapshotOfLine } from '../../src/record/day-line.ts';
import { encodedSnapshot } from '../pricing/model/snapshot-writer.ts';

const day = fc.integer({ min: 17_000, max: 22_000 });
const ownSale = fc.record({
  grade: fc.constantFrom('psa-9', 'psa-10', 'raw-A', 'cgc-9'),
  usd: fc.double({ min: 1, max: 1000, noNaN: true }),
  daysAgo: fc.integer({ min: 0, max: 300 }),
});
type OwnSale = { grade: string; usd: number; daysAgo: number };
const OF = { item: 'a', game: 'mtg', set: 3 };

/** A card with these sales, brought to a day; sales far off are unconfirmed moves. */
function cardOf(sales: readonly OwnSale[], onDay: number) {
  const model = newModel(PARAMS);
  const card = newCard('a', gameOf(model, 'mtg'), setOf(model, 'mtg', '3'), onDay - 300, PARAMS);
  for (const [i, { grade, usd, daysAgo }] of [...sales].sort((a, b) => b.daysAgo - a.daysAgo).entries()) {
    const soldDay = onDay - daysAgo;
    bringToDay(card, soldDay, PARAMS);
    const seen = {
      sales: [{ price: Math.log(usd), noise: 0.02, soldDay, source: i }],
      marketVariance: 0,
      day: soldDay,
    };
    updateCard(card, gradeIndexOf(model, grade), seen, PARAMS);
    card.sales++;
  }
  bringToDay(card, onDay, PARAMS);
  return { card, model };
}

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

test('the line of a card is canonical, and every snapshot reads back from it to the last bit', () => {
  fc.assert(
    fc.property(day, fc.array(ownSale, { minLength: 1, maxLength: 6 }), events, (onDay, sales, known) => {
      const { card, model } = cardOf(sales, onDay);
      const { state } = encodedSnapshot(card);
      const grades = card.grades.map(({ grade }) => model.gradeKeys[grade]!);
      const text = lineText(snapshotLine({ ...OF, day: formatDay(onDay), grades, state }, known));
      const line = JSON.parse(text);
      expect(canonicalJson(line as JsonValue)).toBe(text);
      for (const { grade } of card.grades) {
        const gradeKey = model.gradeKeys[grade]!;
        expect(snapshotOfLine(line, gradeKey)).toEqual({ gradeKey, snapshot: snapshotOf(card, grade, PARAMS) });
      }
    }),
    { numRuns: 300 },
  );
});

test('a card without a sale left has neither grades nor a state', () => {
  const line = snapshotLine({ ...OF, day: '2024-10-04', grades: [], state: '' }, { voided: [3] });
  expect(lineText(line)).toBe(
    '{"day":"2024-10-04","game":"mtg","grades":[],"item":"a","k":"snapshot","set":3,"voided":[3]}',
  );
  expect(snapshotOfLine(line, 'psa-9')).toBeNull();
});

test('a state that is too short does not read', () => {
  const { card } = cardOf([{ grade: 'psa-9', usd: 10, daysAgo: 0 }], 20_000);
  const { state } = encodedSnapshot(card);
  const line = snapshotLine({ ...OF, day: '2024-10-04', grades: ['psa-9'], state: state.slice(4) }, {});
  expect(() => snapshotOfLine(line, 'psa-9')).toThrow(RangeError);
});
