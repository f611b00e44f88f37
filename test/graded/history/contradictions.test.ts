import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contradictionsOf, type SlabRecord, type SlabSale } from '../../../src/graded/history/contradictions.ts';

const CHARIZARD = { key: 'base-4', name: 'Charizard #4' };
const BLASTOISE = { key: 'base-2', name: 'Blastoise #2' };
const VENUES: Record<string, string> = { ebay: 'eBay', goldin: 'Goldin', lists: 'Sold lists', chain: 'Chain' };

/** A sale of the Charizard in PSA 10; `at` is a day, or a day and a time in UTC. */
function sold(at: string, source: string, more: Partial<SlabSale> = {}): SlabSale {
  return {
    soldAtMs: Date.parse(at.length === 10 ? at : `${at}Z`),
    source,
    sourceName: VENUES[source]!,
    aggregates: source === 'lists' ? ['ebay'] : [],
    isToken: source === 'chain',
    card: CHARIZARD,
    gradeKey: 'psa-10',
    gradeLabel: 'PSA 10',
    ...more,
  };
}

const RECORD: SlabRecord = {
  card: CHARIZARD,
  gradeKey: 'psa-10',
  gradeLabel: 'PSA 10',
  voidedAtMs: null,
  earlier: [],
};

const kinds = (sales: SlabSale[], record: SlabRecord | null = RECORD) =>
  contradictionsOf(sales, record).map(({ kind }) => kind);

describe('a life that one slab can have', () => {
  test.each<[string, SlabSale[], SlabRecord?]>([
    ['no sale', []],
    ['one sale', [sold('2026-05-03', 'ebay')]],
    ['a resale weeks later, elsewhere', [sold('2026-05-03', 'ebay'), sold('2026-06-10', 'goldin')]],
    ['a resale after it travelled', [sold('2026-05-03T10:00', 'ebay'), sold('2026-05-05T10:01', 'goldin')]],
    ['days that may be more than two days apart', [sold('2026-05-03', 'ebay'), sold('2026-05-05', 'goldin')]],
    ['relisted at the same venue the same day', [sold('2026-05-03T10:00', 'ebay'), sold('2026-05-03T12:00', 'ebay')]],
    ['one sale that another source repeats', [sold('2026-05-03T10:00', 'ebay'), sold('2026-05-03', 'lists')]],
    [
      'a token that is sold on within minutes',
      [sold('2026-05-03T10:00', 'chain'), sold('2026-05-03T10:05', 'chain'), sold('2026-05-03T10:09', 'chain')],
    ],
    ['a grade outside the scale', [sold('2026-05-03', 'ebay', { gradeKey: null, gradeLabel: 'PSA Authentic' })]],
    [
      'a sale before the grader corrected card and grade',
      [sold('2026-05-03', 'ebay', { card: BLASTOISE, gradeKey: 'psa-9', gradeLabel: 'PSA 9' })],
      { ...RECORD, earlier: [{ untilMs: Date.parse('2026-05-04'), card: BLASTOISE, gradeKey: 'psa-9' }] },
    ],
    [
      'a sale before the void',
      [sold('2026-05-03', 'ebay')],
      { ...RECORD, voidedAtMs: Date.parse('2026-05-03T08:00Z') },
    ],
  ])('%s', (_life, sales, record) => {
    expect(contradictionsOf(sales, record ?? RECORD)).toEqual([]);
  });
});

describe('records that contradict each other', () => {
  test.each<[string, SlabSale[], SlabRecord | null, string, string]>([
    [
      'another card than the record',
      [sold('2026-05-03', 'ebay', { card: BLASTOISE })],
      RECORD,
      'two_cards',
      'the record of the cert says Charizard #4, a sale on eBay on 2026-05-03 Blastoise #2.',
    ],
    [
      'two cards, without a record',
      [sold('2026-09-03', 'goldin', { card: BLASTOISE }), sold('2026-05-03', 'ebay')],
      null,
      'two_cards',
      'a sale on eBay on 2026-05-03 says Charizard #4, a sale on Goldin on 2026-09-03 Blastoise #2.',
    ],
    [
      'two grades',
      [sold('2026-05-03', 'ebay', { gradeKey: 'psa-9', gradeLabel: 'PSA 9' })],
      RECORD,
      'two_grades',
      'the record of the cert says PSA 10, a sale on eBay on 2026-05-03 PSA 9.',
    ],
    [
      'the old card, after it was corrected',
      [sold('2026-05-05', 'ebay', { card: BLASTOISE })],
      { ...RECORD, earlier: [{ untilMs: Date.parse('2026-05-04'), card: BLASTOISE, gradeKey: 'psa-10' }] },
      'two_cards',
      'the record of the cert says Charizard #4, a sale on eBay on 2026-05-05 Blastoise #2.',
    ],
    [
      'two venues within hours',
      [sold('2026-05-03T22:00', 'ebay'), sold('2026-05-04T03:00', 'goldin')],
      RECORD,
      'two_places',
      'it was sold on eBay on 2026-05-03 and on Goldin on 2026-05-04, 5 hours apart.',
    ],
    [
      'two venues on one day',
      [sold('2026-05-03', 'ebay'), sold('2026-05-03', 'goldin')],
      RECORD,
      'two_places',
      'it was sold on eBay on 2026-05-03 and on Goldin on 2026-05-03, the same day.',
    ],
    [
      'two venues on two days that follow each other',
      [sold('2026-05-03', 'ebay'), sold('2026-05-04', 'goldin')],
      RECORD,
      'two_places',
      'it was sold on eBay on 2026-05-03 and on Goldin on 2026-05-04, one day apart.',
    ],
    [
      'a token, and the slab itself elsewhere',
      [sold('2026-05-03T10:00', 'chain'), sold('2026-05-03T10:20', 'ebay')],
      RECORD,
      'two_places',
      'it was sold on Chain on 2026-05-03 and on eBay on 2026-05-03, within an hour.',
    ],
    [
      'three sales in a week at one venue',
      [sold('2026-05-03T10:00', 'ebay'), sold('2026-05-06T10:00', 'ebay'), sold('2026-05-10T10:00', 'ebay')],
      RECORD,
      'sold_too_often',
      'it was sold on eBay on 2026-05-03, on eBay on 2026-05-06, on eBay on 2026-05-10.',
    ],
    [
      'a sale after the void',
      [sold('2026-05-04', 'ebay')],
      { ...RECORD, voidedAtMs: Date.parse('2026-05-03T08:00Z') },
      'sold_after_void',
      'the cert is recorded as deactivated since 2026-05-03, and it was sold on eBay on 2026-05-04.',
    ],
  ])('%s', (_what, sales, record, kind, text) => {
    const atMs = Math.max(...sales.map(({ soldAtMs }) => soldAtMs));
    expect(contradictionsOf(sales, record)).toEqual([
      { kind, text: `These records contradict each other: ${text}`, atMs },
    ]);
  });

  test('a third sale a moment after a week is one sale too few', () => {
    const sales = ['2026-05-03T10:00', '2026-05-06T10:00', '2026-05-10T10:01'].map((at) => sold(at, 'ebay'));
    expect(kinds(sales)).toEqual([]);
  });

  test('each other card and grade is named once, the oldest record first', () => {
    const asNine = { gradeKey: 'psa-9', gradeLabel: 'PSA 9' };
    const sales = [
      sold('2026-09-01', 'ebay', { card: BLASTOISE }),
      sold('2026-07-01', 'goldin', { card: BLASTOISE, ...asNine }),
      sold('2026-05-01', 'ebay', asNine),
    ];
    expect(
      contradictionsOf(sales, RECORD).map(({ kind, atMs }) => [kind, new Date(atMs).toISOString().slice(0, 10)]),
    ).toEqual([
      ['two_grades', '2026-05-01'],
      ['two_cards', '2026-07-01'],
    ]);
  });
});

test('what contradicts does not depend on the order of the sales, and no word of a fake is said', () => {
  const sale = fc
    .record({ hour: fc.integer({ min: 0, max: 24 * 40 }), source: fc.constantFrom('ebay', 'goldin', 'chain', 'lists') })
    .map(({ hour, source }) =>
      sold(new Date(Date.UTC(2026, 4, 1) + hour * 3_600_000).toISOString().slice(0, 19), source),
    );
  const distinct = fc.uniqueArray(sale, { maxLength: 8, selector: ({ soldAtMs }) => soldAtMs });
  fc.assert(
    fc.property(distinct, (sales) => {
      const found = contradictionsOf(sales, RECORD);
      expect(contradictionsOf(sales.toReversed(), RECORD)).toEqual(found);
      for (const { text } of found)
        expect(text).toMatch(/^These records contradict each other: (?!.*(fake|counterfeit))/);
    }),
  );
});
