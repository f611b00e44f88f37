import { describe, expect, test } from 'vitest';
import { queryText, readQuery } from '../../../src/search/query/read-query.ts';
import { requestedGradeOf, withoutRawLetter } from '../../../src/search/query/requested-grade.ts';

const labelOf = (q: string) => requestedGradeOf(queryText(q))?.label ?? null;
const wordsOf = (q: string) =>
  readQuery(q)
    .tokens.filter(({ isOptional }) => !isOptional)
    .map(({ text }) => text);

describe('the grade in a query', () => {
  test.each([
    ['charizard psa 10', 'PSA 10'],
    ['PSA10 charizard', 'PSA 10'],
    ['psa 8.5 mew', 'PSA 8.5'],
    ['psa gem mint charizard', 'PSA 10'],
    ['charizard bgs 9.5', 'BGS 9.5'],
    ['beckett 9 lugia', 'BGS 9'],
    ['charizard raw', 'Raw A'],
    ['ungraded lp charizard', 'Raw B'],
    ['charizard RAW C', 'Raw C'],
    ['cgc 9.5 lugia', 'CGC 9.5'],
  ])('%s is %s', (q, label) => {
    expect(labelOf(q)).toBe(label);
  });

  test.each([
    ['charizard cgc 10', 'CGC 10'],
    ['cgc 10 gem mint mew', 'CGC 10'],
    ['cgc pristine 10 mew', 'CGC 10 Pristine'],
    ['mew cgc 10 perfect', 'CGC 10 Perfect'],
    ['bgs 10 lugia', 'BGS 10 Pristine'],
    ['bgs 10 black label lugia', 'BGS 10 Black Label'],
  ])('%s, a ten that titles leave open, is %s as it is called', (q, label) => {
    expect(labelOf(q)).toBe(label);
  });

  test.each([
    'charizard',
    'charizard 10',
    'charizard nm',
    'gem mint 10 charizard',
    'psa charizard',
    'psa 11 charizard',
    'psa 10 or psa 9',
    'cgc 10 cgc 9',
    'bgs 10 psa 10',
    'sgc 10 charizard',
    'tag team 10',
    'psa 10?',
    'draw 10 cards',
  ])('%s names none', (q) => {
    expect(labelOf(q)).toBeNull();
  });

  test('is not searched for as a word, nor is the letter of a condition', () => {
    expect(wordsOf('charizard raw b base')).toEqual(['charizard', 'base']);
    expect(wordsOf('charizard cgc 10 perfect')).toEqual(['charizard']);
    expect(withoutRawLetter('raw d.ace')).toBe('raw d.ace');
    expect(withoutRawLetter('drawn d')).toBe('drawn d');
  });
});
