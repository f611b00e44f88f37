import { describe, expect, test } from 'vitest';
import { buildMatchIndex } from '../../../src/sales/match/match-index.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { candidatesOf } from '../../../src/sales/match/title-candidates.ts';
import { pokemon } from './match-cards.ts';

const index = buildMatchIndex([
  pokemon('charizard', 'Base Set', '4', 'Charizard', { year: 1999 }),
  pokemon('charizard-1st', 'Base Set', '4', 'Charizard', { year: 1999, variation: '1st Edition' }),
  pokemon('energy', 'Base Set', '99', 'Energy', { year: 1999 }),
  pokemon('blastoise', 'Base Set', '2', 'Blastoise', { year: 1999 }),
  pokemon('base-set-2', 'Base Set 2', '4', 'Charizard', { year: 2000 }),
  pokemon('jungle', 'Jungle', '4', 'Jolteon', { year: 1999 }),
  pokemon('jungle-60', 'Jungle', '60', 'Pikachu', { year: 1999 }),
  // Names of which the title of any card of these sets has the rarest word.
  pokemon('junk', 'Base Set', '80', 'Set'),
  pokemon('junk-2', 'Evolutions', '81', 'Base Set'),
]);
const candidates = (title: string) =>
  candidatesOf(readTitle(title), index).map(({ itemId, why }) => `${itemId} ${why}`);

describe('candidates of a title', () => {
  test('with the name in another language: its set and number lead', () => {
    expect(candidates('Glurak Base Set 4/102').slice(0, 2)).toEqual([
      'charizard name_missing',
      'charizard-1st name_missing',
    ]);
    expect(candidates('Pokemon Karte Glurak Base Set 4/102 Energy')[0]).toBe('charizard name_missing');
  });

  test('number and name come before number and set, and these before name and set', () => {
    expect(candidates('Pikachu Jungle 4')[0]).toBe('jungle name_missing');
    expect(candidates('Charizard Jungle #4').slice(0, 2).sort()).toEqual([
      'base-set-2 set_unknown',
      'charizard set_unknown',
    ]);
    expect(candidates('Blastoise Base Set 2/102')[0]).toMatch(/^blastoise /);
  });

  test('without a number or a set that is known: by name alone', () => {
    expect(candidates('Glurak 4/102')).toEqual([]);
    expect(candidates('Glurak Base Set').every((one) => one.startsWith('junk'))).toBe(true);
  });
});
