import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_TOKENS } from '../../../src/search/query/read-query.ts';
import { waysToRead } from '../../../src/search/query/readings.ts';
import { aSearchSet, aSearchTag, smallIndex } from './small-index.ts';

const { index } = smallIndex(
  [
    { name: 'Pikachu' },
    { name: 'Charizard', printedName: 'Glurak', language: 'German' },
    { name: 'Blue-Eyes White Dragon', set: aSearchSet({ id: 2, game: 'yugioh', name: 'Legend', code: 'LOB' }) },
  ],
  {
    synonyms: `pokemon: moonbreon = umbreon vmax 215
pokemon: evs = evolving skies
pokemon: evs promo = evolving promo
yugioh: bewd = blue eyes white dragon
*: two = first | second
*: jp = japanese`,
    tags: [aSearchTag({ kind: 'character', slug: 'charizard', name: 'Charizard', aliases: ['Glurak', 'リザードン'] })],
  },
);

function readingsOf(q: string): string[] {
  return waysToRead(index, q).map(({ reading }) => reading.tokens.map(({ text }) => text).join(' '));
}

describe('a query is read', () => {
  test('as typed first', () => {
    expect(readingsOf('charizard base')).toEqual(['charizard base']);
    expect(waysToRead(index, 'moonbreon')[0]).toMatchObject({ bonus: 0, reading: { game: null } });
  });

  test('with the meaning of a phrase, its other words kept', () => {
    expect(readingsOf('psa 10 moonbreon japanese')).toContain('umbreon vmax 215 japanese');
    expect(readingsOf('holo bewd 1st')).toContain('holo blue eyes white dragon 1st');
  });

  test('with every meaning of a phrase', () => {
    expect(readingsOf('two cats')).toEqual(expect.arrayContaining(['first cats', 'second cats']));
  });

  test('with the longest phrase at a place', () => {
    expect(readingsOf('evs promo')).toEqual(['evs promo', 'evolving promo']);
  });

  test('with all phrases at once, those of one game together', () => {
    expect(readingsOf('moonbreon evs')).toContain('umbreon vmax 215 evolving skies');
    for (const words of readingsOf('moonbreon bewd')) expect(words).not.toMatch(/umbreon.*dragon/);
  });

  test('about the game of the rule, and not against the game that it names', () => {
    expect(waysToRead(index, 'bewd')[1]!.reading.game).toBe('yugioh');
    expect(readingsOf('pokemon bewd')).toEqual(['pokemon bewd']);
  });

  test('with other names of a character, below what is printed so', () => {
    const ways = waysToRead(index, 'glurak');
    expect(ways[1]!.reading.tokens.map(({ text }) => text)).toEqual(['charizard']);
    expect(ways[1]!.bonus).toBeLessThan(0);
    expect(readingsOf('リザードン')).toContain('charizard');
  });

  test('with words joined and parted as the catalog has them', () => {
    expect(readingsOf('pika chu')).toContain('pikachu');
    expect(readingsOf('blueeyes dragon')).toContain('blue eyes dragon');
    expect(readingsOf('pikachu25')).toContain('pikachu 25');
  });

  test('in at most eight ways, whatever it is', () => {
    const piece = fc.constantFrom(
      'two',
      'evs',
      'moonbreon',
      'bewd',
      'jp',
      'pika',
      'chu',
      'glurak',
      'リザードン',
      '4/102',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(' ')),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    fc.assert(
      fc.property(text, (q) => {
        const ways = waysToRead(index, q);
        expect(ways.length >= 1 && ways.length <= 8).toBe(true);
        for (const { reading, bonus } of ways) {
          expect(reading.tokens.length).toBeLessThanOrEqual(MAX_TOKENS);
          expect(Number.isFinite(bonus)).toBe(true);
        }
      }),
    );
  });
});
