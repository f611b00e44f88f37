import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_TOKENS, readQuery } from '../../../src/search/query/read-query.ts';

const wordsOf = (q: string) => readQuery(q).tokens.map(({ text }) => text);
const keysOf = (q: string) => readQuery(q).spans.map(({ key }) => key);
const neededIn = (q: string) =>
  readQuery(q)
    .tokens.filter(({ isOptional }) => !isOptional)
    .map(({ text }) => text);

describe('a query', () => {
  test.each([
    ['Charizard Base-Set', ['charizard', 'base', 'set']],
    ['FLABÉBÉ', ['flabebe']],
    ["farfetch'd", ['farfetchd']],
    ['farfetch’d', ['farfetchd']],
    ['リザードンex 201', ['リザードン', 'ex', '201']],
    ['ﾋﾟｶﾁｭｳ', ['ピカチュウ']],
    ['\u0000\u200b ', []],
    ['', []],
  ])('%s is read word by word', (q, words) => {
    expect(wordsOf(q)).toEqual(words);
  });

  test('grades are set aside', () => {
    expect(neededIn('psa 10 moonbreon')).toEqual(['moonbreon']);
    expect(neededIn('charizard bgs 9.5 base set')).toEqual(['charizard', 'base', 'set']);
    expect(neededIn('lugia gem mint 10')).toEqual(['lugia']);
  });

  test('small words cost nothing', () => {
    expect(neededIn('price of a charizard card')).toEqual(['charizard']);
  });

  test.each([
    ['luffy op05-119', 'op5-119'],
    ['luffy op05 119', 'op5-119'],
    ['luffy #119', '119'],
    ['charizard 4/102', '4'],
    ['charizard 004', '4'],
    ['blue eyes LOB-EN001', 'lob-en1'],
    ['gg44/gg70', 'gg44'],
    ['op05‑119', 'op5-119'],
    ['unown h-p', 'h-p'],
  ])('%s has the number %s', (q, key) => {
    expect(keysOf(q)).toContain(key);
  });

  test('the number after the slash is the size of the set', () => {
    expect(readQuery('charizard 4/102').setSizes).toEqual(['102']);
    expect(readQuery('fire/ice').setSizes).toEqual([]);
  });

  test.each([
    ['pokemon charizard', 'pokemon'],
    ['magic the gathering lotus', 'mtg'],
    ['yu-gi-oh dark magician', 'yugioh'],
    ['luffy one piece', 'one-piece'],
    ['POKÉMON', 'pokemon'],
    ['topps chrome', null],
    ['charizard', null],
    ['pokemonster', null],
  ] as const)('%s is about %s', (q, game) => {
    expect(readQuery(q).game).toBe(game);
  });

  test('words of a language name it; Chinese is both scripts by default', () => {
    expect([...readQuery('charizard japanese').languages]).toEqual(['Japanese']);
    expect([...readQuery('charizard jp').languages]).toEqual(['Japanese']);
    expect([...readQuery('pikachu chinese').languages]).toEqual(['Chinese Simplified', 'Chinese Traditional']);
    expect([...readQuery('pikachu simplified chinese').languages]).toEqual(['Chinese Simplified']);
    expect([...readQuery('pikachu').languages]).toEqual([]);
  });

  test('no text is a fault, and whatever it is, it has 14 words at most and numbers among them', () => {
    const piece = fc.constantFrom(
      ...['psa 10', 'op05-119', '4/102', 'one piece', 'ピカ', '龍', '♀', '-', '/', '#', ' ', '10', 'a', 'ﷺ', '\ud800'],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' ')),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (q) => {
        const { tokens, spans, pieces } = readQuery(q);
        expect(tokens.length).toBeLessThanOrEqual(MAX_TOKENS);
        for (const { text, isScript, piece } of tokens) {
          expect(text).not.toBe('');
          if (!isScript) expect(text).toMatch(/^[a-z0-9]+$/);
          expect(pieces[piece]).toBeDefined();
        }
        for (const { from, to, key } of spans) {
          expect(0 <= from && from < to && to <= tokens.length).toBe(true);
          expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
