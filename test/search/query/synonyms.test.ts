import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GAMES } from '../../../src/catalog/games.ts';
import { mergeSynonyms, parseSynonyms } from '../../../src/search/query/synonyms.ts';

/** The messages by line, for comparing. */
function mistakesOf(text: string): Record<number, string> {
  return Object.fromEntries(parseSynonyms(text).mistakes.map(({ line, message }) => [line, message]));
}

describe('a synonyms file', () => {
  test('a rule names a game, a phrase and what it is also read as', () => {
    expect(parseSynonyms('pokemon: EVS = Evolving Skies')).toEqual({
      rules: [{ game: 'pokemon', phrase: 'EVS', words: ['evs'], expansions: ['Evolving Skies'] }],
      mistakes: [],
    });
  });

  test('comments, empty lines, line ends of any system and a byte order mark are not rules', () => {
    const { rules, mistakes } = parseSynonyms(
      '\uFEFF# hobby words\r\n\r\n  *:  jp  =  japanese  # language\rsports: mj = michael jordan\n',
    );
    expect(mistakes).toEqual([]);
    expect(rules.map(({ game, words, expansions }) => [game, words, expansions])).toEqual([
      [null, ['jp'], ['japanese']],
      ['sports', ['mj'], ['michael jordan']],
    ]);
  });

  test('a phrase with two readings keeps both in their order', () => {
    expect(parseSynonyms('yugioh: dm = dark magician | duelist machine').rules[0]!.expansions).toEqual([
      'dark magician',
      'duelist machine',
    ]);
  });

  test('a phrase is folded; one of a script that does not fold is its NFKC text', () => {
    const { rules } = parseSynonyms(
      'pokemon: Flabébé ♀ = x\npokemon: ﾘｻﾞｰﾄﾞﾝ = charizard\npokemon: 리자몽 = charizard\npokemon: リザードンＶＭＡＸ = charizard vmax',
    );
    expect(rules.map(({ words }) => words)).toEqual([
      ['flabebe', 'female'],
      ['リザードン'],
      ['리자몽'],
      ['リザードンvmax'],
    ]);
  });

  test('a line that is not a rule is left out and reported with its number', () => {
    const text = [
      'pokemon evs = evolving skies',
      'chess: evs = evolving skies',
      'pokemon: = evolving skies',
      'pokemon: ... = evolving skies',
      'pokemon: evs =',
      'pokemon: evs = evolving skies |',
      'pokemon: evs = evolving = skies',
      'pokemon: evs = EVS',
      'pokemon: evs = evolving skies | Evolving Skies',
      'pokemon: brs = brilliant stars',
      'pokemon: BRS = brilliant stars again',
      '*: brs = brilliant stars',
      `pokemon: a = ${'b'.repeat(400)}`,
    ].join('\n');
    expect(mistakesOf(text)).toEqual({
      1: 'A rule is written "game: phrase = expansion".',
      2: '"chess" is not a game; * stands for all games.',
      3: 'The phrase has no words.',
      4: 'The phrase has no words.',
      5: 'An expansion has no words.',
      6: 'An expansion has no words.',
      7: 'A rule is written "game: phrase = expansion".',
      8: '"EVS" is the phrase itself or occurs twice.',
      9: '"Evolving Skies" is the phrase itself or occurs twice.',
      11: '"BRS" has a rule of this game on line 10.',
      13: 'The line is longer than 400 characters.',
    });
    expect(parseSynonyms(text).rules.map(({ game, phrase }) => [game, phrase])).toEqual([
      ['pokemon', 'brs'],
      [null, 'brs'],
    ]);
  });

  test('phrases have at most 8 words and expansions at most 12', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
    expect(mistakesOf(`*: ${words(8)} = ${words(12)}\n*: ${words(9)} = x\n*: x = ${words(13)}`)).toEqual({
      2: 'The phrase has more than 8 words.',
      3: `"${words(13)}" has more than 12 words.`,
    });
  });

  test('a file has at most 10,000 rules', () => {
    const text = Array.from({ length: 10_002 }, (_, at) => `*: p${at} = x${at}`).join('\n');
    expect(parseSynonyms(text).rules).toHaveLength(10_000);
    expect(parseSynonyms(text).mistakes).toEqual([
      { line: 10_001, message: 'A file has at most 10000 rules: this line and those after it are not read.' },
    ]);
  });

  test('a later rule of the same game and phrase replaces the earlier one', () => {
    const bundled = parseSynonyms('pokemon: evs = evolving skies\n*: evs = every set').rules;
    const own = parseSynonyms('pokemon: EvS = eevee set\npokemon: zard = charizard').rules;
    expect(mergeSynonyms(bundled, own).map(({ game, expansions }) => [game, expansions[0]])).toEqual([
      ['pokemon', 'eevee set'],
      [null, 'every set'],
      ['pokemon', 'charizard'],
    ]);
  });

  test('no text makes the parser throw, and what it keeps is within the bounds', () => {
    const piece = fc.oneof(
      fc.constantFrom('*', ...GAMES, ':', '=', '|', '#', '\n', '\r', 'リ', ' ', 'a b'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const { rules, mistakes } = parseSynonyms(text);
        const lineCount = text.split(/\r\n|\n|\r/).length;
        expect(rules.length + mistakes.length).toBeLessThanOrEqual(lineCount);
        for (const { line } of mistakes) expect(line >= 1 && line <= lineCount).toBe(true);
        for (const { words, expansions } of rules) {
          expect(words.length >= 1 && words.length <= 8).toBe(true);
          expect(expansions.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('the bundled file has no mistakes', () => {
  const { rules, mistakes } = parseSynonyms(readFileSync('src/search/query/synonyms.txt', 'utf8'));
  expect(mistakes).toEqual([]);
  for (const game of GAMES) expect(rules.some((rule) => rule.game === game)).toBe(true);
});
