import { describe, expect, test } from 'vitest';
import { buildMatchIndex, type MatchItem } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { pokemon, sports } from './match-cards.ts';

/** The card of a few that a title means, or why none. */
function meant(title: string, ...cards: MatchItem[]): string {
  const answer = matchTitle(readTitle(title), buildMatchIndex(cards));
  return answer.matched ? answer.itemId : answer.reason;
}

describe('the name', () => {
  test('must be there with its rarest word', () => {
    const cards = [pokemon('surfing', 'Jungle', '28', 'Surfing Pikachu'), pokemon('plain', 'Jungle', '60', 'Pikachu')];
    expect(meant('Jungle Surfing Pikachu 28/64', ...cards)).toBe('surfing');
    expect(meant('Jungle Pikachu 28/64', ...cards)).toBe('card_unknown');
  });

  test('may go without half of its words, and a card that has them all is meant before', () => {
    const cards = ['Zedd', 'Zedd Yak', 'Yak Foo'].map((name) => pokemon(name, 'Jungle', '4', name));
    expect(meant('Jungle Zedd 4/64', cards[1]!, cards[2]!)).toBe('Zedd Yak');
    expect(meant('Jungle Zedd 4/64', ...cards)).toBe('Zedd');
  });

  test('may go without "and"', () => {
    const cards = [pokemon('both', 'Jungle', '5', 'Latias and Latios'), pokemon('one', 'Jungle', '6', 'Latias')];
    expect(meant('Jungle Latios 5/64', ...cards)).toBe('both');
  });

  test('must be there with the word that makes it another card', () => {
    const cards = ['Charizard', 'Blastoise', 'Venusaur'].map((name, at) =>
      pokemon(name, 'Jungle', String(at + 4), `Dark ${name}`),
    );
    expect(meant('Jungle Dark Charizard 4/64', ...cards)).toBe('Charizard');
    expect(meant('Jungle Charizard 4/64', ...cards)).toBe('card_unknown');
  });

  test('may be as printed in another script', () => {
    const card = pokemon('ja', 'Jungle', '4', 'Charizard', { language: 'Japanese', printedName: 'リザードン' });
    expect(meant('Jungle リザードン 4/64 Japanese', card)).toBe('ja');
    expect(meant('Jungle フシギバナ 4/64 Japanese', card)).toBe('card_unknown');
    expect(meant('Jungle 4/64 Japanese', card)).toBe('card_unknown');
  });
});

describe('the set', () => {
  const coded = (setCode: string) => pokemon('card', 'Hidden Flame', '4', 'Charizard', { setCode });

  test('is named by its code, of two characters at least and with a letter', () => {
    expect(meant('Charizard sv2a 4/64', coded('SV2a'))).toBe('card');
    expect(meant('Charizard sv3b 4/64', coded('SV2a'))).toBe('set_unknown');
    expect(meant('Charizard 4/64', coded('SV2a'))).toBe('set_unknown');
    expect(meant('Charizard N 4/64', coded('N'))).toBe('set_unknown');
    expect(meant('Charizard 777 4/64', coded('777'))).toBe('set_unknown');
  });

  test('is not named by words that the card needs for its name', () => {
    const card = pokemon('card', 'Team Rocket', '20', "Team Rocket's Mewtwo");
    expect(meant("Team Rocket's Mewtwo 20/82", card)).toBe('set_unknown');
    expect(meant("Team Rocket Team Rocket's Mewtwo 20/82", card)).toBe('card');
  });

  test('may be named by half of a long name next to a number with letters', () => {
    const card = (setName: string, number: string) => pokemon('card', setName, number, 'Charizard');
    const vault = 'Hidden Fates Shiny Vault';
    expect(meant('Hidden Fates Charizard SV41', card(vault, 'SV41'))).toBe('card');
    expect(meant('Hidden Charizard SV41', card(vault, 'SV41'))).toBe('set_unknown');
    expect(meant('Hidden Fates Charizard 41/94', card(vault, '41'))).toBe('set_unknown');
    expect(meant('Hidden Charizard SV41', card('Hidden Fates', 'SV41'))).toBe('set_unknown');
    expect(meant('Hidden Fates Charizard SV41', card('Hidden Fates', 'SV41'))).toBe('card');
  });

  test('is named by any of its names', () => {
    const card = pokemon('card', 'Hidden Flame', '4', 'Charizard', { setAliases: ['Zed'], language: 'Japanese' });
    for (const name of ['Hidden Flame', 'Zed']) expect(meant(`${name} Charizard 4/64`, card), name).toBe('card');
  });

  test('is named by the code of the number, if that is the code of the set or a word of its name', () => {
    const luffy = (number: string, more: Partial<MatchItem>) => pokemon('card', 'Awakening', number, 'Luffy', more);
    expect(meant('Luffy OP05-119', luffy('OP05-119', { setCode: 'OP05' }))).toBe('card');
    expect(meant('Luffy SWSH066', luffy('SWSH066', { setName: 'SWSH Zed' }))).toBe('card');
    expect(meant('Luffy OP05-119', luffy('OP05-119', { setCode: 'OP06' }))).toBe('set_unknown');
    expect(meant('Luffy P-061', luffy('P-061', { setName: 'P Zed' }))).toBe('set_unknown');
  });

  test('must be named whole next to a number of letters alone', () => {
    const unown = pokemon('card', 'Hidden Fates Shiny Vault', 'A', 'Unown');
    expect(meant('Hidden Fates Shiny Vault Unown #A', unown)).toBe('card');
    expect(meant('Hidden Fates Unown #A', unown)).toBe('set_unknown');
  });

  test('may be of the year before or after, in sports of that year alone', () => {
    const card = pokemon('card', 'Jungle', '4', 'Charizard', { year: 1999 });
    for (const year of [1998, 1999, 2000]) expect(meant(`${year} Jungle Charizard 4/64`, card), `${year}`).toBe('card');
    expect(meant('1999 Jungle Charizard 4/64 bought 2016', card)).toBe('card');
    for (const year of [1997, 2001]) expect(meant(`${year} Jungle Charizard 4/64`, card)).toBe('year_differs');
    const rookie = { ...sports('rookie', 'Topps Chrome', '42', 'Elly De La Cruz', null), year: 2024 };
    expect(meant('2024 Topps Chrome Elly De La Cruz #42', rookie)).toBe('rookie');
    expect(meant('2023 Topps Chrome Elly De La Cruz #42', rookie)).toBe('year_differs');
    expect(meant('Topps Chrome Elly De La Cruz #42', rookie)).toBe('year_differs');
    expect(meant('2024 Topps Chrome Elly De La Cruz #42', { ...rookie, year: null })).toBe('year_differs');
  });
});

describe('the language', () => {
  const inLanguage = (language: MatchItem['language'], more: Partial<MatchItem> = {}) =>
    pokemon(language, 'Hidden Flame', '4', 'Charizard', { language, ...more });

  test('is Chinese of the only script that the set has, where the title does not say which', () => {
    const [simplified, traditional] = [inLanguage('Chinese Simplified'), inLanguage('Chinese Traditional')];
    const title = 'Hidden Flame Charizard 4/64 Chinese';
    expect(meant(title, simplified)).toBe('Chinese Simplified');
    expect(meant(title, inLanguage('English'), traditional)).toBe('Chinese Traditional');
    expect(meant(title, simplified, traditional)).toBe('language_differs');
    expect(meant(title, inLanguage('English'))).toBe('language_differs');
    expect(meant('Hidden Flame Charizard 4/64 Korean', simplified)).toBe('language_differs');
    expect(meant('Hidden Flame Charizard 4/64 Traditional Chinese', simplified, traditional)).toBe(
      'Chinese Traditional',
    );
  });

  test('is Japanese unsaid only in a set without English cards that is named by its code or by two words', () => {
    const short = { setName: 'Jungle' };
    expect(meant('Hidden Flame Charizard 4/64', inLanguage('Japanese'))).toBe('Japanese');
    expect(meant('Hidden Flame Charizard 4/64', inLanguage('Korean'))).toBe('language_differs');
    expect(meant('Jungle Charizard 4/64', inLanguage('Japanese', short))).toBe('language_differs');
    expect(meant('Jungle sv2a Charizard 4/64', inLanguage('Japanese', { ...short, setCode: 'SV2a' }))).toBe('Japanese');
    const english = { ...inLanguage('English'), number: '5', name: 'Blastoise' };
    expect(meant('Hidden Flame Charizard 4/64', english, inLanguage('Japanese'))).toBe('language_differs');
    expect(meant('Hidden Flame Charizard 4/64', inLanguage('Japanese'), english)).toBe('language_differs');
  });
});

describe('the variation', () => {
  const varied = (variation: string, more: Partial<MatchItem> = {}) =>
    pokemon('card', 'Jungle', '4', 'Clefable', { variation, ...more });

  test.each(['Edition', 'Stamp', 'Symbol', 'Parallel', 'Unlimited', 'The', 'Of', 'And'])(
    'may go without the word %s',
    (word) => {
      expect(meant('Jungle Clefable Zed 4/64', varied(`Zed ${word}`))).toBe('card');
    },
  );

  test('may not go without any other word', () => {
    expect(meant('Jungle Clefable Zed 4/64', varied('Zed Gold'))).toBe('variation_unknown');
    expect(meant('Jungle Clefable 4/64', varied('Zed'))).toBe('variation_unknown');
    expect(meant('Jungle Clefable Zed 4/64', varied('Zed 0'))).toBe('variation_unknown');
    expect(meant('Jungle Clefable 4/64', varied('Holo Gold', { rarity: 'Rare Holo' }))).toBe('variation_unknown');
    expect(meant('Jungle Clefable SWSH066', varied('Zed', { number: 'SWSH066' }))).toBe('variation_unknown');
  });

  test('may go without "holo" where the rarity says it', () => {
    expect(meant('Jungle Clefable 4/64', varied('Holo', { rarity: 'Rare Holo' }))).toBe('card');
    expect(meant('Jungle Clefable 4/64', varied('Holo', { rarity: 'Rare' }))).toBe('variation_unknown');
    expect(meant('Jungle Clefable 4/64', varied('Holo'))).toBe('variation_unknown');
  });

  test('may go without a print run of a hundred or more, and is not of another one', () => {
    const card = sports('card', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', 'Refractor /499');
    const title = '2024 Bowman Chrome Elly De La Cruz Refractor #42';
    expect(meant(title, card)).toBe('card');
    expect(meant(`${title} 12/499`, card)).toBe('card');
    expect(meant(`${title} 12/250`, card)).toBe('variation_unknown');
    const gold = sports('gold', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', 'Gold Refractor /499');
    expect(meant(title, gold)).toBe('variation_unknown');
    const plain = sports('plain', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', 'Refractor');
    expect(meant(`${title} 12/250`, plain)).toBe('variation_unknown');
  });

  test('has a print run in sports only', () => {
    expect(meant('Jungle Clefable Zed 4/64 /500', varied('Zed'))).toBe('card');
  });

  test('of Yu-Gi-Oh! is not said by words of the set, unless they are said twice', () => {
    const card = {
      ...pokemon('card', 'Quarter Century Art Collection', 'RA01-EN001', 'Lava Golem', {
        variation: 'Quarter Century Secret Rare',
      }),
      game: 'yugioh' as const,
    };
    const set = 'Yu-Gi-Oh Quarter Century Art Collection RA01-EN001 Lava Golem';
    expect(meant(`${set} Secret Rare`, card)).toBe('variation_unknown');
    expect(meant(`${set} Quarter Century Secret Rare`, card)).toBe('card');
  });
});
