import { describe, expect, test } from 'vitest';
import { buildMatchIndex, type MatchItem } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { pokemon } from './match-cards.ts';

function meant(title: string, cards: readonly MatchItem[]): string {
  const answer = matchTitle(readTitle(title), buildMatchIndex(cards));
  return answer.matched ? answer.itemId : answer.reason;
}

const of151 = [
  pokemon('charizard', '151', '199', 'Charizard ex', { setCode: 'MEW', year: 2023 }),
  pokemon('mew', '151', '205', 'Mew ex', { setCode: 'MEW', year: 2023 }),
  pokemon('sole', 'Fates', '8', 'Mew', { setCode: 'FAT', year: 2005 }),
  pokemon('raichu', 'Fates', '9', 'Raichu', { setCode: 'FAT', year: 2005 }),
];

describe('a word that is the name of another card', () => {
  test.each([
    ['2023 Pokemon 151 Charizard ex 199/165 PSA 10', 'charizard'],
    ['2023 Pokemon Mew EN-151 Charizard ex #199 PSA 10', 'charizard'],
    ['2023 Pokemon 151 Mew Charizard ex 199/165 PSA 10', 'charizard'],
    ['Pokemon Fates Mew 8/90 Mew PSA 10', 'sole'],
    ['Pokemon Fates Mew Raichu 8/90 PSA 10', 'card_unknown'],
    ['Pokemon Fates Mew Raichu EN-Fates 8/90 PSA 10', 'sole'],
  ])('%j: %s', (title, expected) => {
    expect(meant(title, of151)).toBe(expected);
  });

  test.each([
    ['pokemon', 'card_unknown'],
    ['digimon', 'card_unknown'],
    ['mtg', 'bear'],
    ['lorcana', 'bear'],
  ] as const)('of %s: %s, since in the other games such names are everyday words', (game, expected) => {
    const cards = [
      pokemon('bear', 'Alpha', '7', 'Grizzly Bears', { game }),
      pokemon('other', 'Alpha', '9', 'Opt', { game }),
    ];
    expect(meant('Alpha Grizzly Bears 7/90 Opt', cards)).toBe(expected);
  });
});

describe('a word that is of another set', () => {
  const cards = [
    pokemon('clefable', 'Jungle', '4', 'Clefable'),
    pokemon('onix', 'Zed9 Flame', '5', 'Onix'),
    pokemon('abra', '9zed Storm', '6', 'Abra'),
    pokemon('mew', '151', '7', 'Mew'),
  ];
  test.each([
    ['Jungle Clefable 4/64 Flame', 'set_unknown'],
    ['Jungle Clefable 4/64 Zed9', 'set_unknown'],
    ['Jungle Clefable 4/64 9zed', 'set_unknown'],
    ['Jungle Clefable 4/64 151', 'clefable'],
    ['Jungle Clefable 4/64 wow', 'clefable'],
  ])('%j: %s, and a number may be anything', (title, expected) => {
    expect(meant(title, cards)).toBe(expected);
  });

  test('may be next to a number that has the code of the set', () => {
    const luffy = pokemon('luffy', 'Awakening', 'OP05-119', 'Luffy', { setCode: 'OP05' });
    expect(meant('Luffy OP05-119 Flame', [luffy, ...cards])).toBe('luffy');
    expect(meant('Luffy OP05-119 Flame', [{ ...luffy, setCode: null }, ...cards])).toBe('set_unknown');
  });

  test('is not looked for where no set and no card has a word that says anything', () => {
    const card = pokemon('card', 'Base Set', '4', 'Blaine Charizard');
    expect(meant('Base Set Blaine Charizard 4/102 wow', [card])).toBe('card');
  });
});

test('a card without number is not meant by a title that has another name', () => {
  const cards = ['Clefable', 'Onix'].map((name) => ({ ...pokemon(name, 'Jungle', '', name), number: null }));
  expect(meant('Jungle Clefable', cards)).toBe('Clefable');
  expect(meant('Jungle Clefable Dark', cards)).toBe('card_unknown');
  expect(meant('Jungle Clefable Onix', cards)).toBe('card_unknown');
});

describe('a word that makes the name another one', () => {
  const pikachu = [
    pokemon('pikachu', 'Holon Phantoms', '78', 'Pikachu', { setAliases: ['Delta Species'] }),
    pokemon('promo', 'Promos', '79', 'Raichu', { variation: 'Promo' }),
    pokemon('era', 'Dark Era', '80', 'Eevee'),
  ];
  test.each([
    ['2006 Pokemon EX Holon Phantoms Pikachu 78/110', 'pikachu', 'opens the name of the set'],
    ['2006 Pokemon EX Delta Species Pikachu 78/110', 'pikachu', 'opens another name of the set'],
    ['2006 Pokemon Holon Phantoms Pikachu EX 78/110', 'card_unknown', 'is next to the name'],
    ['2006 Pokemon Holon EX Phantoms Pikachu 78/110', 'card_unknown', 'is within the name of the set'],
    ['Pokemon Promos Raichu Promo 79/110 Dark Era', 'promo', 'names the set a promo came with'],
    ['Pokemon Promos Raichu Promo 79/110 Light', 'card_unknown', 'is not a word of a set'],
    ['Pokemon Holon Phantoms Pikachu 78/110 Dark', 'card_unknown', 'of another set, with a card that is not a promo'],
  ])('%j: %s, as it %s', (title, expected) => {
    expect(meant(title, pikachu)).toBe(expected);
  });
});

describe('behind the name of the set', () => {
  const base = [pokemon('base', 'Base Set', '4', 'Charizard'), pokemon('ii', 'Neo II', '5', 'Mewtwo')];
  test.each([
    ['Base Set Charizard 4/102', 'base', 'nothing'],
    ['Base Set II Charizard 4/102', 'set_unknown', 'a roman number'],
    ['Base Set III Charizard 4/102', 'set_unknown', 'a roman number'],
    ['Base Set 2 Charizard 4/102', 'set_unknown', 'a number'],
    ['Base Set 4 Charizard 4/102', 'set_unknown', 'a number that the card has too'],
    ['Base Set 4 Charizard', 'base', 'the number of the card'],
    ['Base Set 2 Charizard 4', 'set_unknown', 'another number than that of the card'],
    ['Base Set 25 Charizard 4/102', 'base', 'a number of two digits'],
    ['Neo II Mewtwo 5/90', 'ii', 'what is of the name'],
  ])('%j: %s (%s)', (title, expected) => {
    expect(meant(title, base)).toBe(expected);
  });
});
