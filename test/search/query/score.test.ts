import { describe, expect, test } from 'vitest';
import { matchReading } from '../../../src/search/query/match.ts';
import { readQuery } from '../../../src/search/query/read-query.ts';
import { scorer } from '../../../src/search/query/score.ts';
import { aSearchSet, type SmallItem, smallIndex } from './small-index.ts';

const POKEMON_151 = aSearchSet({ id: 2, name: '151', code: null, year: 2023 });
const SUN_151 = aSearchSet({ id: 3, name: 'Sun 151', code: null, year: 2019 });
const LEGEND = aSearchSet({ id: 4, game: 'yugioh', name: 'Legend of Blue Eyes', code: 'LOB', year: 2002 });

const CARDS: Record<string, SmallItem> = {
  plain: { name: 'Charizard', number: '4' },
  first: { name: 'Charizard', number: '4', variation: '1st Edition' },
  long: { name: 'Charizard', number: '4', variation: 'Reverse Holo Cosmos Foil Stamped' },
  japanese: { name: 'Charizard', number: '4', language: 'Japanese', printedName: 'リザードン' },
  dark: { name: 'Dark Charizard', number: '21', rarity: 'Rare Secret' },
  mew: { name: 'Mew', number: '8', extras: ['Ken Sugimori'] },
  pikachu: { name: 'Pikachu', number: '25', set: POKEMON_151 },
  raichu: { name: 'Raichu', number: '26', set: SUN_151 },
  dragon: { name: 'Dragon', number: 'LOB-001', set: LEGEND },
};

/** The score of each card for a query, whose words may be misspelled with `misspellings`; a card without any is left out. */
function scores(q: string, cards = CARDS, misspellings = false) {
  const { index } = smallIndex(Object.values(cards));
  const reading = readQuery(q);
  const efforts = reading.tokens.map(() => ({ prefixes: false, misspellings }));
  const matched = matchReading(index, reading, efforts, new Map());
  const score = scorer(index, reading, matched);
  const found = Object.keys(cards).flatMap((key, item) => {
    const one = score(item);
    return one === null ? [] : [[key, { ...one }] as const];
  });
  return { of: Object.fromEntries(found), weights: matched.tokens.map(({ weight }) => weight) };
}

function relevances(q: string, cards = CARDS, misspellings = false): Record<string, number> {
  const found = Object.entries(scores(q, cards, misspellings).of);
  return Object.fromEntries(found.map(([key, { relevance }]) => [key, Math.round(relevance * 10) / 10]));
}

describe('the relevance of a card', () => {
  test('is 100 for its name and nothing else; less for a variation, a language, a name of more words', () => {
    expect(relevances('charizard')).toEqual({ plain: 100, first: 95, long: 92.5, japanese: 95, dark: 97 });
  });

  test('loses nothing for a requested language, in words or in its script, and much for another', () => {
    expect(relevances('リザードン')).toEqual({ japanese: 94 });
    const { of, weights } = scores('charizard japanese');
    const share = (weights[0]! + 0.9 * weights[1]!) / (weights[0]! + weights[1]!);
    expect(of.japanese!.relevance).toBeCloseTo(100 * share, 6);
    expect(of.plain!.relevance).toBeCloseTo((100 * weights[0]!) / (weights[0]! + weights[1]!) - 30, 6);
  });

  test('loses for a language unless a word is in its script or in the printed name alone', () => {
    const none = scores('charizard blastoise');
    expect(none.of.japanese!.relevance).toBeCloseTo(none.of.plain!.relevance - 5, 6);
    const script = scores('ピカチュウ charizard');
    expect(script.of.japanese!.relevance).toBeCloseTo(script.of.plain!.relevance, 6);
    const german = { name: 'Pikachu', printedName: 'Pikachu', language: 'German' as const };
    expect(relevances('pikachu', { english: { name: 'Pikachu' }, german })).toEqual({ english: 100, german: 95 });
  });

  test('counts a name before a set, a variation, a rarity, a year, an artist and a game', () => {
    const rest = (left: number) => left - 6;
    expect(relevances('legend blue eyes')).toEqual({ dragon: rest(85) });
    expect(relevances('stamped')).toEqual({ long: rest(80) - 7.5 });
    expect(relevances('secret')).toEqual({ dark: rest(75) });
    expect(relevances('sugimori')).toEqual({ mew: rest(60) });
    expect(relevances('2002')).toEqual({ dragon: rest(80) });
    expect(relevances('02')).toEqual({ dragon: rest(80) });
    expect(relevances('yugioh')).toEqual({ dragon: rest(50) });
    expect(relevances('1st edition')).toEqual({ first: rest(80) });
  });

  test('falls with the confidence that a word is meant', () => {
    expect(relevances('charizrd', CARDS, true)).toMatchObject({ plain: 80, first: 75 });
    expect(relevances('stampde', CARDS, true)).toEqual({ long: 0.8 * 80 - 6 - 7.5 });
    expect(relevances('secrte', CARDS, true)).toEqual({ dark: 0.8 * 75 - 6 });
    expect(relevances('sugimroi', CARDS, true)).toEqual({ mew: 0.8 * 60 - 6 });
  });

  test('is 100 for a name as it is printed, whatever the language', () => {
    const cards = {
      french: { name: 'Charizard', printedName: 'Dracaufeu', language: 'French' as const },
      english: { name: 'Charizard', number: '5' },
    };
    expect(relevances('dracaufeu', cards)).toEqual({ french: 100 });
    expect(relevances('charizard', cards)).toEqual({ french: 95, english: 100 });
    expect(relevances('dracaufeu charizard', cards).french).toBe(100);
    expect(relevances('charizard dracaufeu', cards).french).toBe(100);
  });

  test('counts a year in full, or its last two digits, and no other number', () => {
    expect(relevances('2002')).toEqual({ dragon: 74 });
    expect(relevances('1902')).toEqual({});
    const round = { of2000: { name: 'X', number: '9', set: aSearchSet({ year: 2000 }) } };
    for (const q of ['2000', '00']) expect(relevances(q, round)).toEqual({ of2000: 74 });
    expect(relevances('00', { unknown: { name: 'X', number: '9', set: aSearchSet({ year: null }) } })).toEqual({});
    expect(relevances('2', { only: { name: 'X', number: '9', set: LEGEND } })).toEqual({});
  });

  test('counts no word as the year of a set without a year or of the year 2000', () => {
    const sets = { none: aSearchSet({ year: null }), round: aSearchSet({ id: 2, year: 2000 }) };
    for (const set of Object.values(sets)) expect(relevances('blastoise', { only: { name: 'X', set } })).toEqual({});
  });

  test('does not count a word that is not found, though the language fits', () => {
    const { of, weights } = scores('blastoise japanese');
    expect(of.japanese!.isComplete).toBe(false);
    expect(of.japanese!.hit).toBeCloseTo((0.9 * weights[1]!) / (weights[0]! + weights[1]!), 6);
  });

  test('takes a word where it is worth most', () => {
    const cards = {
      both: { name: 'Sun', number: '1', set: SUN_151, rarity: 'Sun', variation: 'Sun', extras: ['Sun'] },
    };
    expect(relevances('sun', cards)).toEqual({ both: 100 });
    const { name: _, ...rest } = cards.both;
    expect(relevances('sun', { set: { ...rest, name: 'X' } })).toEqual({ set: 79 });
    expect(relevances('sun', { variation: { name: 'X', variation: 'Sun', rarity: 'Sun', extras: ['Sun'] } })).toEqual({
      variation: 74,
    });
    expect(relevances('sun', { rarity: { name: 'X', rarity: 'Sun', extras: ['Sun'] } })).toEqual({ rarity: 69 });
  });

  test('takes a year, a language or a game for a name where it is one', () => {
    expect(relevances('2002', { only: { name: '2002', set: LEGEND } })).toEqual({ only: 100 });
    expect(relevances('yugioh', { only: { name: 'Yugioh', set: LEGEND } })).toEqual({ only: 100 });
    const japanese = { name: 'Japanese Exeggutor', language: 'Japanese' as const };
    expect(relevances('japanese', { japanese })).toEqual({ japanese: 97 });
  });

  test('a set whose whole name is a number is meant like an exact number; a number in a longer name is not', () => {
    expect(relevances('151')).toEqual({ pikachu: 154, raichu: 79 });
    expect(relevances('pikachu 151').pikachu).toBe(160);
    expect(relevances('pikachu 151').raichu).toBeLessThan(50);
  });

  test('a set whose name is a word with digits is not meant like a number', () => {
    const cards = {
      ends: { name: 'X', set: aSearchSet({ id: 2, name: 'Base2' }) },
      begins: { name: 'Y', set: aSearchSet({ id: 3, name: '2nd' }) },
    };
    expect(relevances('base2', cards)).toEqual({ ends: 79 });
    expect(relevances('2nd', cards)).toEqual({ begins: 79 });
  });

  test('gains 60 for an exact number with the name, and hardly anything for a number without it', () => {
    expect(relevances('charizard 4')).toMatchObject({ plain: 160, first: 155 });
    expect(relevances('4 charizard')).toMatchObject({ plain: 160, first: 155 });
    const { of, weights } = scores('charizard 8');
    expect(of.mew!.hit).toBeCloseTo((0.15 * 4) / (weights[0]! + 4), 6);
    expect(of.mew!.relevance).toBeCloseTo(100 * of.mew!.hit - 6, 6);
    expect(of.plain!.relevance).toBeCloseTo((100 * weights[0]!) / (weights[0]! + weights[1]!), 6);
    expect(relevances('4')).toMatchObject({ plain: 154, first: 149 });
  });

  test('gains less for an exact number the less of the words is in the name', () => {
    const { of, weights } = scores('charizard blastoise 4');
    const named = weights[0]! / (weights[0]! + weights[1]!);
    const share = (weights[0]! + 4) / (weights[0]! + weights[1]! + 4);
    expect(of.plain!.relevance).toBeCloseTo(100 * share + 60 * named ** 2, 6);
    expect(of.plain!.isComplete).toBe(false);
  });

  test('gains three in a set that has a card of the number behind the slash', () => {
    expect(relevances('charizard 4/21')).toMatchObject({ plain: 163, first: 158 });
    for (const size of ['25', '999'])
      expect(relevances(`charizard 4/${size}`)).toMatchObject({ plain: 160, first: 155 });
  });

  test('is not hurt by small words and words of a game, found or not', () => {
    const { of, weights } = scores('the charizard pokemon');
    expect(weights[0]).toBe(0.15);
    expect(of.plain!.isComplete).toBe(true);
    const total = weights[0]! + weights[1]! + weights[2]!;
    expect(of.plain!.relevance).toBeCloseTo((100 * (weights[1]! + 0.5 * weights[2]!)) / total, 6);
    expect(of.dragon).toBeUndefined();
    const numbered = scores('charizard 4 pokemon');
    const [name, , game] = numbered.weights as [number, number, number];
    const share = (name + 4 + 0.5 * game) / (name + 4 + game);
    expect(numbered.of.plain!.relevance).toBeCloseTo(100 * share + 60, 6);
  });
});

test('a card is complete that has every word, and has a share of the query by the weight of its words', () => {
  const { of, weights } = scores('dark charizard');
  expect(of.dark).toMatchObject({ hit: 1, isComplete: true });
  expect(of.plain!.hit).toBeCloseTo(weights[1]! / (weights[0]! + weights[1]!), 6);
  expect(of.plain!.isComplete).toBe(false);
});

test('a card of another game than the one that is named is not scored', () => {
  expect(Object.keys(scores('yugioh dragon').of)).toEqual(['dragon']);
  expect(scores('mtg dragon').of).toEqual({});
});

test('a number that can be read in two ways counts as the one it fits best', () => {
  const cards = { exact: { name: 'Luffy', number: 'OP05-119' }, near: { name: 'Luffy', number: '119' } };
  const found = relevances('luffy op05-119', cards);
  expect(found.exact).toBe(160);
  expect(found.near ?? 0).toBeLessThan(110);
  expect(relevances('luffy op05 119', cards).exact).toBe(160);
});

test('a part of a number counts as surely as it is the number', () => {
  const cards = { whole: { name: 'Luffy', number: 'OP05-119' }, part: { name: 'Luffy', number: '119' } };
  const { of, weights } = scores('luffy 119', cards);
  expect(of.part!.relevance).toBe(160);
  expect(of.whole!.relevance).toBeCloseTo((100 * (weights[0]! + 4 * 0.6)) / (weights[0]! + 4) + 60 * 0.6, 6);
});
