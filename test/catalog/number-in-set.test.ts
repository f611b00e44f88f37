import { describe, expect, test } from 'vitest';
import { numberInSet } from '../../src/catalog/number-in-set.ts';

describe('the number within a set', () => {
  test.each([
    ['One Piece', 'OP05-060', 'OP05', '060'],
    ['One Piece, the code with a dash', 'OP05-060', 'OP-05', '060'],
    ['Digimon', 'BT1-084', 'BT1', '084'],
    ['Digimon promo', 'P-001', 'P', '001'],
    ['Yu-Gi-Oh!', 'RA01-EN001', 'RA01', 'EN001'],
    ['Gundam', 'GD01-118', 'gd01', '118'],
    ['a number with more dashes', 'LOB-EN-001', 'LOB', 'EN-001'],
  ])('leaves out the code of the set: %s', (_, printed, setCode, expected) => {
    expect(numberInSet(printed, setCode)).toBe(expected);
  });

  test.each([
    ['a reprint in another set', 'OP05-060', 'PRB01'],
    ['a code that the number only begins like', 'OP051-060', 'OP05'],
    ['a set without a code', 'OP05-060', null],
    ['digits before a dash', '10-2', '10'],
    ['no dash', '060', 'OP05'],
    ['nothing behind the dash', 'OP05-', 'OP05'],
    ['a number of Pokémon', 'SWSH001', 'SWSH'],
  ])('is the printed one where it has no such code: %s', (_, printed, setCode) => {
    expect(numberInSet(printed, setCode)).toBe(printed);
  });

  test('of a card without a number is null', () => {
    expect(numberInSet(null, 'OP05')).toBeNull();
  });
});
