import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberText } from '../../../src/catalog/words/compare.ts';
import { codeWords, latinWords, numberKeys, pairsOf, scriptRuns } from '../../../src/search/index/index-words.ts';

describe('words of a catalog text', () => {
  test.each([
    ["Rocket's Mewtwo ex", ['rocket', 'mewtwo', 'ex']],
    ['Flabébé ♀', ['flabebe', 'female']],
    ['Monkey.D.Luffy', ['monkey', 'd', 'luffy']],
    ['Reverse Holofoil', ['reverse', 'holo']],
    ['Sword & Shield', ['swsh']],
    ['Mew Mew', ['mew']],
    ['リザードンex', ['ex']],
    ['', []],
  ])('%s', (text, words) => {
    expect(latinWords(text)).toEqual(words);
  });

  test('runs of other scripts are kept as they are, in NFKC and lower case, with hiragana as katakana', () => {
    expect(scriptRuns('リザードンex ﾋﾟｶﾁｭｳ')).toEqual(['リザードン', 'ピカチュウ']);
    expect(scriptRuns('리자몽 VMAX 青眼の白龍')).toEqual(['리자몽', '青眼ノ白龍']);
    expect(scriptRuns('Пикачу')).toEqual(['пикачу']);
    expect(scriptRuns('Pokémon №4 ♀ ½')).toEqual([]);
  });

  test('no text is a fault: words are ASCII, runs have no ASCII, pairs have two signs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of latinWords(text)) expect(word).toMatch(/^[a-z0-9]+$/);
        for (const run of scriptRuns(text)) {
          expect(run).not.toMatch(/[\x20-\x7f]/);
          const pairs = pairsOf(run);
          for (const pair of pairs) expect(run).toContain(pair);
          expect(pairs).toHaveLength(Math.max(1, [...run].length - 1));
        }
      }),
    );
  });
});

test('a set is called by its code with and without its zeros and dashes', () => {
  expect(codeWords('OP-05')).toEqual(['op05', 'op5']);
  expect(codeWords('sv03.5')).toEqual(['sv035', 'sv35']);
  expect(codeWords('base1')).toEqual(['base1']);
  expect(codeWords('-')).toEqual([]);
});

describe('keys of a printed number', () => {
  test.each([
    ['4', { '4': 1 }],
    ['004', { '4': 1 }],
    ['4/102', { '4-102': 1, '4': 0.95 }],
    ['OP05-119', { 'op5-119': 1, op5119: 0.95, '119': 0.6 }],
    ['LOB-EN001', { 'lob-en1': 1, loben1: 0.95, 'lob-1': 0.95, lob1: 0.95, '1': 0.6 }],
    ['LOB-E001', { 'lob-e1': 1, lobe1: 0.95, 'lob-1': 0.95, lob1: 0.95, '1': 0.6 }],
    ['TG12/TG30', { 'tg12-tg30': 1, tg12: 0.95, '12': 0.6 }],
    ['SWSH066', { swsh66: 1, '66': 0.6 }],
    ['25a', { '25a': 1 }],
    ['', {}],
    ['★', { star: 1 }],
  ])('%s', (number, keys) => {
    expect(Object.fromEntries(numberKeys(number))).toEqual(keys);
  });

  test('begin with the whole number, confidence falls, and no number is a fault', () => {
    const number = fc.oneof(fc.stringMatching(/^[A-Z0-9/-]{1,12}$/), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(number, (text) => {
        const keys = numberKeys(text);
        if (keys.length > 0 && numberText(text) !== '') expect(keys[0]).toEqual([numberText(text), 1]);
        expect(new Set(keys.map(([key]) => key)).size).toBe(keys.length);
        for (const [key, confidence] of keys) {
          expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(confidence > 0 && confidence <= 1).toBe(true);
        }
      }),
    );
  });
});
