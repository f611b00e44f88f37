import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aSearchSet, type SmallItem, smallIndex } from './small-index.ts';

/** Words that share nothing, so that a name, a set and a number each say one thing. */
const NAMES = ['Charizard', 'Blastoise', 'Luffy', 'Dark Magician', 'Black Lotus', 'Umbreon'];
const SETS = ['Jungle', 'Fossil', 'Evolving Skies', 'Alpha'].map((name, at) =>
  aSearchSet({ id: at + 1, name, code: null, year: null }),
);
const NUMBERS = ['4', '17', '215', 'OP05-119', 'LOB-EN001', 'SWSH066', 'TG12'];

const item = fc.record({
  name: fc.constantFrom(...NAMES),
  set: fc.constantFrom(...SETS),
  number: fc.constantFrom(...NUMBERS),
  variation: fc.constantFrom(null, '1st Edition', 'Reverse Holo', 'Alternate Art Parallel Foil'),
  language: fc.constantFrom('English', 'Japanese', 'German'),
  rarity: fc.constantFrom(null, 'Common', 'Secret Rare'),
}) satisfies fc.Arbitrary<SmallItem>;
const items = fc.array(item, { minLength: 1, maxLength: 60 });
const order = fc.boolean();

/** Printed with the query, so that a counterexample can be read. */
function best(all: readonly SmallItem[], q: string): SmallItem | undefined {
  return all[smallIndex(all).find(q)[0] ?? -1];
}

function inOrder(isTurned: boolean, ...words: readonly string[]): string {
  return (isTurned ? words.toReversed() : words).join(' ');
}

test('4/102 prefers the 4 of a set that has a 102, whatever the demand', () => {
  const [base, celebrations] = [102, 25].map((size, at) => ({
    size,
    set: aSearchSet({ id: at + 1, name: `Set ${at}`, code: null, year: null }),
  }));
  const cards = [celebrations!, base!].map(({ set }) => ({ name: 'Charizard', number: '4', set }));
  const last = { name: 'Pikachu', number: String(base!.size), set: base!.set };
  const { find } = smallIndex([...cards, last]);
  expect(find('charizard 4')).toEqual([0, 1]);
  expect(find('charizard 4/102')).toEqual([1, 0]);
  expect(find('charizard 4/25')).toEqual([0, 1]);
});

describe('whatever else the catalog has', () => {
  test('an exact number with a name comes first', () => {
    fc.assert(
      fc.property(items, fc.nat(), order, (all, at, isTurned) => {
        const { name, number } = all[at % all.length]!;
        expect(best(all, inOrder(isTurned, name, number))).toMatchObject({ name, number });
      }),
      { numRuns: 300 },
    );
  });

  test('an exact number with a set comes first', () => {
    fc.assert(
      fc.property(items, fc.nat(), order, (all, at, isTurned) => {
        const { set, number } = all[at % all.length]!;
        expect(best(all, inOrder(isTurned, set.name, number))).toMatchObject({ set, number });
      }),
      { numRuns: 300 },
    );
  });

  test('name, set and number find the card, its variation and language the printing', () => {
    fc.assert(
      fc.property(items, fc.nat(), order, (all, at, isTurned) => {
        const one = all[at % all.length]!;
        const { name, set, number, variation, language } = one;
        expect(best(all, inOrder(isTurned, name, set.name, number))).toMatchObject({ name, set, number });
        const whole = inOrder(isTurned, name, set.name, number, variation ?? '', language);
        expect(best(all, whole)).toMatchObject({ name, set, number, variation, language });
      }),
      { numRuns: 300 },
    );
  });

  test('a number never beats a name that has it in no set', () => {
    fc.assert(
      fc.property(
        items,
        fc.constantFrom(...NAMES),
        fc.constantFrom(...NUMBERS),
        order,
        (all, name, number, isTurned) => {
          const named = all.filter((one) => one.name === name);
          fc.pre(named.length > 0 && named.every((one) => one.number !== number));
          expect(best(all, inOrder(isTurned, name, number))).toMatchObject({ name });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('of the printings of a card the plain English one comes first, where there is one', () => {
    fc.assert(
      fc.property(items, fc.nat(), (all, at) => {
        const { name, set, number } = all[at % all.length]!;
        const plain = { name, set, number, variation: null, language: 'English' as const };
        fc.pre(
          all.some(
            (one) =>
              one.variation === null &&
              one.language === 'English' &&
              one.name === name &&
              one.set === set &&
              one.number === number,
          ),
        );
        expect(best(all, `${name} ${set.name} ${number}`)).toMatchObject(plain);
      }),
      { numRuns: 300 },
    );
  });

  test('a slip in a long word of the name does no harm', () => {
    const slip = fc.record({
      at: fc.nat(),
      how: fc.constantFrom('drop', 'double', 'swap', 'other'),
      letter: fc.constantFrom(...'qxzj'),
    });
    fc.assert(
      fc.property(items, fc.nat(), slip, (all, at, { at: place, how, letter }) => {
        const { name, set, number } = all[at % all.length]!;
        const long = name.split(' ').toSorted((a, b) => b.length - a.length)[0]!;
        const i = place % (long.length - 1);
        const slipped = {
          drop: long.slice(0, i) + long.slice(i + 1),
          double: long.slice(0, i) + long[i] + long.slice(i),
          swap: long.slice(0, i) + long[i + 1] + long[i] + long.slice(i + 2),
          other: long.slice(0, i) + letter + long.slice(i + 1),
        }[how];
        expect(best(all, name.replace(long, slipped))).toMatchObject({ name });
        expect(best(all, `${name.replace(long, slipped)} ${set.name} ${number}`)).toMatchObject({ name, set, number });
      }),
      { numRuns: 300 },
    );
  });
});
