import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildMatchIndex } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { CATALOG } from './match-cards.ts';

describe('for any title and catalog', () => {
  const index = buildMatchIndex(CATALOG);
  const words = CATALOG.flatMap(({ setName, number, name, variation }) => [setName, number!, name, variation ?? '1st']);
  const title = fc
    .array(fc.constantFrom(...words, 'PSA 10', 'Japanese', '#', '/102', '2024', 'Refractor', 'lot of 2'), {
      maxLength: 10,
    })
    .map((parts) => parts.join(' '));

  test('no title makes the matcher throw, and a match has its number and the rarest word of its name', () => {
    fc.assert(
      fc.property(fc.oneof(title, fc.string({ unit: 'binary' })), (text) => {
        const reading = readTitle(text);
        const answer = matchTitle(reading, index);
        if (!answer.matched) return;
        const { number } = CATALOG.find(({ id }) => id === answer.itemId)!;
        expect(text.toLowerCase()).toContain(number!.toLowerCase());
      }),
      { numRuns: 2000 },
    );
  });

  test('an item more in the catalog never moves a title to a third item', () => {
    fc.assert(
      fc.property(title, fc.nat(CATALOG.length - 1), (text, left) => {
        const without = buildMatchIndex(CATALOG.filter((_, at) => at !== left));
        const before = matchTitle(readTitle(text), without);
        const after = matchTitle(readTitle(text), index);
        if (!before.matched || !after.matched) return;
        expect([before.itemId, CATALOG[left]!.id]).toContain(after.itemId);
      }),
      { numRuns: 1000 },
    );
  });

  test('no title makes the reader throw or dawdle', () => {
    const word = fc.constantFrom(
      'psa',
      '10',
      'cgc',
      '9.',
      '#',
      '/',
      '4/102',
      "'",
      'auto',
      '-',
      'gem mint',
      'Ⅱ',
      '🔥',
      '2020',
      '\u0000',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(word, { maxLength: 200 }).map((it) => it.join(' ')),
        ),
        (title) => {
          expect(readTitle(title).words.length).toBeLessThanOrEqual(64);
        },
      ),
    );
    for (const text of ['psa ', '1/1', '#', '1 2 ', "'", 'gem-mint ', 'x-', '2020-']) {
      const startMs = performance.now();
      readTitle(text.repeat(200_000));
      expect(performance.now() - startMs, text).toBeLessThan(200);
    }
  });
});
