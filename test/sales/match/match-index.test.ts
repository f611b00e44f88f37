import { describe, expect, test } from 'vitest';
import { buildMatchIndex, type IndexedItem, type MatchItem } from '../../../src/sales/match/match-index.ts';
import { pokemon, sports } from './match-cards.ts';

function only(item: MatchItem) {
  return buildMatchIndex([item]).items[0]!;
}

describe('a set is compared', () => {
  const named = (setName: string, more: Partial<MatchItem> = {}) =>
    only(pokemon('card', setName, '4', 'Charizard', more)).set;

  test.each([
    ['Jungle', [['jungle']]],
    ['Base Set', [['base']]],
    ['Base Set 2', [['base', '2']]],
    ['Base ZX', [['base', 'zx']]],
    ['Legends 20185', [['legend', '20185']]],
    ['Legends 12018', [['legend', '12018']]],
    ['Pokemon Trading Card Game Set', [['pokemon', 'trading', 'card', 'game', 'set']]],
    ['Team Rocket', [['team', 'rocket']]],
    ['XY Base Evolutions', [['evolution']]],
    ['Evolutions 2016', [['evolution']]],
    ['SWSH Black Star Promos', [['swsh', 'black', 'star']]],
    ['SWSH Evolving Skies', [['evolving', 'skie']]],
    ['ポケモン', []],
  ])('%s by the words that sellers say: %j', (setName, names) => {
    expect(named(setName).names).toEqual(names);
  });

  test('by each of its names, without its code and its year', () => {
    const set = named('Fossil FO', { setCode: 'FO', setAliases: ['Stone Age', 'FO'] });
    expect(set.names).toEqual([['fossil'], ['stone', 'age'], ['fo']].slice(0, set.names.length));
    expect([...set.allWords]).toEqual(['fossil', 'fo', 'stone', 'age']);
    expect(set.code).toBe('fo');
    expect(named('Jungle').code).toBeNull();
    expect(named('Jungle', { setCode: '' }).code).toBeNull();
    expect(named('Jungle 1999').year).toBe(1999);
    expect(named('Jungle 2011').year).toBe(2011);
    for (const name of ['Jungle', 'Jungle 1899', 'Jungle 19991', 'Jungle 31999']) expect(named(name).year).toBeNull();
  });

  test('in sports without the years of its season', () => {
    const { set } = only(sports('card', '2018-19 Panini Prizm Basketball', '280', 'Luka Doncic', null));
    expect(set.names).toEqual([['prizm']]);
    expect(set.year).toBe(2018);
    expect(only(sports('card', 'Panini 185 Zed', '280', 'Luka Doncic', null)).set.names).toEqual([['185', 'zed']]);
    expect(named('2018-19 Legends').names).toEqual([['19', 'legend']]);
  });

  test('with the languages and the words of the variations of its cards', () => {
    const { items } = buildMatchIndex([
      pokemon('a', 'Jungle', '4', 'Clefable', { variation: 'Reverse Holo' }),
      pokemon('b', 'Jungle', '5', 'Pikachu', { language: 'Japanese', variation: '1st Edition' }),
      pokemon('c', 'Fossil', '5', 'Pikachu'),
      { ...pokemon('d', 'Jungle', '5', 'Pikachu'), game: 'digimon' },
      pokemon('e', 'Jungle', '5', 'Pikachu', { setCode: 'JU' }),
    ]);
    const [jungle, sameJungle, fossil] = items.map(({ set }) => set);
    expect(new Set(items.map(({ set }) => set)).size).toBe(4);
    expect(sameJungle).toBe(jungle);
    expect([...jungle!.languages]).toEqual(['English', 'Japanese']);
    expect([...jungle!.variationWords]).toEqual(['reverse', 'holo', '1st', 'edition']);
    expect([...fossil!.languages]).toEqual(['English']);
    expect([...fossil!.variationWords]).toEqual([]);
  });
});

describe('a name is compared', () => {
  const named = (name: string, more: Partial<MatchItem> = {}) => only(pokemon('card', 'Jungle', '4', name, more)).name;

  test('by its words; by who is on the card, where it is in another script', () => {
    expect(named("Team Rocket's Mewtwo ex").words).toEqual(['team', 'rocket', 'mewtwo', 'ex']);
    expect(named('Nidoran ♂').words).toEqual(['nidoran', 'male']);
    expect(named('Flabébé').words).toEqual(['flabebe']);
    expect(named('リザードンex').words).toEqual([]);
    expect(named('リザードンex', { characters: ['Charizard'] }).words).toEqual(['charizard', 'ex']);
    expect(named('Charizard', { characters: ['Red'] }).words).toEqual(['charizard']);
  });

  test('by the texts that are printed', () => {
    expect(named('Charizard').texts).toEqual(['Charizard']);
    expect(named('Charizard', { printedName: 'ﾘｻﾞｰﾄﾞﾝ' }).texts).toEqual(['Charizard', 'リザードン']);
  });

  test('by the word that the fewest names have, of equals by the longest', () => {
    const names = ['Dark Charizard', 'Dark Blastoise', 'Dark', 'Mew Pikachu', 'Pikachu Mew Dark Dark'];
    const index = buildMatchIndex(names.map((name, at) => pokemon(name, 'Jungle', String(at), name)));
    expect(index.items.map(({ name }) => name.rarest)).toEqual([
      'charizard',
      'blastoise',
      'dark',
      'pikachu',
      'pikachu',
    ]);
    expect(named('リザードン').rarest).toBe('');
    expect(named('Abra Onyx').rarest).toBe('abra');
    const rare = ['Onyx Pikachu', 'Pikachu'].map((name, at) => pokemon(name, 'Jungle', String(at), name));
    expect(buildMatchIndex(rare).items.map(({ name }) => name.rarest)).toEqual(['onyx', 'pikachu']);
  });
});

test.each([
  ['OP05-119', { key: 'op5119', prefix: 'op5', isParted: true }],
  ['SWSH066', { key: 'swsh66', prefix: 'swsh', isParted: false }],
  ['CPA-EP', { key: 'cpaep', prefix: 'cpa', isParted: true }],
  ['H12', { key: 'h12', prefix: '', isParted: false }],
  ['12a', { key: '12a', prefix: '', isParted: false }],
  ['004', { key: '4', prefix: '', isParted: false }],
  ['1-OP05', { key: '1op5', prefix: '', isParted: false }],
  ['1OP05-119', { key: '1op5119', prefix: '', isParted: false }],
])('the number %s is compared as %j', (number, expected) => {
  expect(only(pokemon('card', 'Jungle', number, 'Charizard')).number).toEqual(expected);
});

test.each([
  ['Rookie Kings: Black Pandora /25', ['rookie', 'king', 'black', 'pandora', '25'], ['rookie', 'king'], 25],
  ['Refractor /499', ['refractor', '499'], ['refractor', '499'], 499],
  ['1st Edition', ['1st', 'edition'], ['1st', 'edition'], 0],
  ['Holo 1/2x', ['holo', '1', '2x'], ['holo', '1', '2x'], 0],
])('the variation %s has words, a section and a print run', (variation, words, section, run) => {
  const compared = only(pokemon('card', 'Jungle', '4', 'Charizard', { variation })).variation;
  expect({ ...compared, section: [...compared.section] }).toEqual({ words, section, run });
});

test('items are listed by number, in order; what repeats is kept once', () => {
  const index = buildMatchIndex([
    pokemon('a', 'Jungle', '4', 'Charizard', { year: 1999, rarity: 'Rare Holo' }),
    pokemon('b', 'Fossil', '004', 'Charizard', { variation: 'Holo', rarity: '' }),
    { ...pokemon('c', 'Jungle', '5', 'Pikachu', { language: 'Japanese' }), number: null },
    pokemon('d', 'Jungle', '4', 'Charizard', { variation: 'Holo', rarity: 'Rare Holo' }),
    pokemon('e', 'Jungle', '4', 'Charizard', { printedName: 'リザードン' }),
    pokemon('f', 'Jungle', '4', 'Charizard', { characters: ['Red'] }),
  ]);
  const lists = [...index.byNumber].map(([key, items]) => [key, items.map(({ id }) => id)]);
  expect(lists).toEqual([
    ['4', ['a', 'b', 'd', 'e', 'f']],
    ['', ['c']],
  ]);
  const places = (pick: (item: IndexedItem) => unknown) => {
    const seen = [...new Set(index.items.map(pick))];
    return index.items.map((item) => seen.indexOf(pick(item)));
  };
  expect(places(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(places(({ set }) => set)).toEqual([0, 1, 0, 0, 0, 0]);
  expect(places(({ name }) => name)).toEqual([0, 0, 1, 0, 2, 3]);
  expect(places(({ variation }) => variation)).toEqual([0, 1, 0, 1, 0, 0]);
  expect(places(({ rarity }) => rarity)).toEqual([0, 1, 1, 0, 1, 1]);
  expect(places(({ number }) => number)).toEqual([0, 1, 2, 0, 0, 0]);
  expect(index.items.map(({ language }) => language)).toEqual([
    'English',
    'English',
    'Japanese',
    'English',
    'English',
    'English',
  ]);
  expect(index.items.map(({ year }) => year)).toEqual([1999, null, null, null, null, null]);
});

test('names and sets whose parts read the same in a row are distinguished', () => {
  const { items } = buildMatchIndex([
    pokemon('a', 'Jungle', '4', 'Mew', { printedName: 'Two' }),
    pokemon('b', 'JungleX', '4', 'MewTwo'),
    pokemon('c', 'Jungle', '4', 'Mew', { characters: ['Two'], setCode: 'X' }),
    pokemon('d', 'Jungle', '4', 'Mew', { setAliases: ['X'] }),
  ]);
  expect(new Set(items.map(({ name }) => name)).size).toBe(4);
  expect(new Set(items.map(({ set }) => set)).size).toBe(4);
});

test('words that are a whole name, and words that name a set, are known by game, but for those that say little', () => {
  const index = buildMatchIndex([
    pokemon('a', 'Jungle', '4', 'Charizard'),
    pokemon('b', 'Team Rocket', '5', 'Dark Raichu'),
    pokemon('c', 'Base Set 2', '6', 'Rookie'),
    pokemon('d', 'Fossil', '7', 'The'),
    pokemon('e', 'Fossil', '7', '5'),
    pokemon('f', 'Fossil', '7', '25'),
    pokemon('h', 'Fossil', '9', 'リザードン'),
    { ...pokemon('g', 'Digital Hazard', '8', 'Agumon'), game: 'digimon' },
  ]);
  const plain = (words: Map<string, Set<string>>) =>
    Object.fromEntries([...words].map(([game, it]) => [game, [...it]]));
  expect(plain(index.soleNames)).toEqual({ pokemon: ['charizard', '25'], digimon: ['agumon'] });
  expect(plain(index.setVocabulary)).toEqual({
    pokemon: ['jungle', 'rocket', 'fossil'],
    digimon: ['digital', 'hazard'],
  });
});
