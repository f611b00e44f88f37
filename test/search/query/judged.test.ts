import { describe, expect, test } from 'vitest';
import { CATEGORIES, HALVES, halfOf, isAnswer, type JudgedItem, readJudged } from '../../support/judged/judged-set.ts';

describe('the judged queries', () => {
  const queries = readJudged();

  test('are those that were hashed before tuning, every line well-formed', () => {
    expect(queries.length).toBeGreaterThanOrEqual(300);
  });

  test('occur once each', () => {
    expect(new Set(queries.map(({ q }) => q.toLowerCase())).size).toBe(queries.length);
  });

  test.each(CATEGORIES)('are at least 25 in the category %s, at least 12 of them in each half', (category) => {
    const ofCategory = queries.filter((query) => query.category === category);
    expect(ofCategory.length).toBeGreaterThanOrEqual(25);
    for (const half of HALVES) {
      expect(ofCategory.filter(({ q }) => halfOf(q) === half).length).toBeGreaterThanOrEqual(12);
    }
  });
});

describe('a right answer', () => {
  const item: JudgedItem = {
    game: 'pokemon',
    set: 'neo-genesis-neo1',
    number: '9',
    name: 'Lugia',
    printed_name: null,
    variation: '1st Edition',
    language: 'English',
  };

  test('has every field that is given', () => {
    expect(isAnswer(item, { game: 'pokemon', set: 'neo-genesis-neo1', number: '9', language: 'English' })).toBe(true);
    expect(isAnswer(item, { number: '9', language: 'German' })).toBe(false);
  });

  test('has the name as words of its own, not within a longer word', () => {
    const mewtwo = { ...item, name: 'Mewtwo' };
    expect(isAnswer({ ...item, name: 'Mew ex' }, { name: 'mew' })).toBe(true);
    expect(isAnswer(mewtwo, { name: 'Mew' })).toBe(false);
    expect(isAnswer(mewtwo, { prefix: 'mew' })).toBe(true);
  });

  test('has a name in another script exactly, as it is printed', () => {
    expect(isAnswer({ ...item, name: 'リザードンex' }, { name: 'リザードンex' })).toBe(true);
    expect(isAnswer({ ...item, name: 'ミュウex' }, { name: 'リザードンex' })).toBe(false);
    expect(isAnswer({ ...item, printed_name: '青眼の白龍' }, { name: '青眼の白龍' })).toBe(true);
  });

  test('is the plain printing where the variation is null, and has the words of `has`', () => {
    expect(isAnswer(item, { variation: null })).toBe(false);
    expect(isAnswer(item, { variation: '1st Edition' })).toBe(true);
    expect(isAnswer({ ...item, variation: 'Parallel 2' }, { variation: { has: 'parallel' } })).toBe(true);
    expect(isAnswer({ ...item, variation: null }, { variation: { has: 'parallel' } })).toBe(false);
  });
});
