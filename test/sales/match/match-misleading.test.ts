import { describe, expect, test } from 'vitest';
import { buildMatchIndex, type MatchItem } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';

/** Titles that have all words of a card and a grade, and sell something else. */

function item(id: string, details: Partial<MatchItem>): MatchItem {
  return {
    id,
    game: 'pokemon',
    setName: 'Base Set',
    setCode: null,
    number: '4',
    name: 'Charizard',
    language: 'English',
    variation: null,
    year: 1999,
    ...details,
  };
}

const CARDS: MatchItem[] = [
  item('base', { rarity: 'Rare Holo' }),
  item('base-1st', { variation: '1st Edition', rarity: 'Rare Holo' }),
  item('base-shadowless', { variation: 'Shadowless', rarity: 'Rare Holo' }),
  item('snorlax', { setName: 'Jungle', number: '27', name: 'Snorlax', rarity: 'Rare' }),
  item('evolutions', { setName: 'Evolutions', number: '11', year: 2016, rarity: 'Rare Holo' }),
  item('evolutions-reverse', {
    setName: 'Evolutions',
    number: '11',
    year: 2016,
    variation: 'Reverse Holo',
    rarity: 'Rare Holo',
  }),
  item('base-ja', { setName: 'Expedition Base', number: '6', language: 'Japanese', year: 2001 }),
  item('base-en', { setName: 'Expedition Base', number: '6', year: 2002 }),
  item('bare', {
    setName: 'Expansion Pack',
    number: '9',
    language: 'Japanese',
    year: 1996,
    variation: 'No Rarity Symbol',
  }),
  item('ragavan', {
    game: 'mtg',
    setName: 'Modern Horizons 2',
    setCode: 'MH2',
    number: '138',
    name: 'Ragavan, Nimble Pilferer',
    year: 2021,
    rarity: 'Mythic Rare',
  }),
  item('ragavan-foil', {
    game: 'mtg',
    setName: 'Modern Horizons 2',
    setCode: 'MH2',
    number: '138',
    name: 'Ragavan, Nimble Pilferer',
    year: 2021,
    variation: 'Foil',
  }),
  item('fleer', {
    game: 'sports',
    setName: '1986-87 Fleer Basketball',
    number: '8',
    name: 'Michael Jordan',
    year: 1986,
    variation: 'Stickers',
  }),
  item('chance', { game: 'yugioh', setName: 'Legendary Duels', number: 'LD10', name: 'Chance Magnet', year: 2020 }),
];

function match(title: string): string {
  const answer = matchTitle(readTitle(title), buildMatchIndex(CARDS));
  return answer.matched ? `${answer.itemId} ${answer.company} ${answer.grade?.key}` : answer.reason;
}

describe('a grade that a seller hopes for is not a grade', () => {
  test.each([
    'would grade PSA 10! NM raw',
    'should grade PSA 10 ungraded',
    'ready for PSA 10 grading',
    'send to PSA gem mint 10',
    'easy PSA 10',
    'Beckett 9.5 RCR raw card review',
    'could be a PSA 10',
    'might get PSA 9 or better',
    'may come back PSA 10',
    'looks like PSA 10',
    'looks PSA 9',
    'aiming for PSA 10',
    'PSA 10 hopeful',
    'PSA 10 bound',
    'PSA 10 shot',
    'good chance of PSA 10',
    'pack fresh PSA 10 material',
    'submit to BGS 9.5 gem mint',
    'CGC 9.5 worthy',
    'potential BGS 9.5 gem mint',
    'perfect for grading PSA 10',
    'I think PSA 10',
    'sure PSA 10 raw',
    'raw, PSA 10',
    'ungraded PSA 9',
    'not graded PSA 9',
    'nongraded PSA 9',
    'un-graded PSA 9',
    'definite PSA 10',
    'guaranteed PSA 10 if graded',
    'Beckett raw card review 8.5',
    'BGS 9 RCR',
    'hoping for CGC 9',
    'grade it PSA 10',
    'grade ready PSA 10',
    'not PSA 10',
    "isn't a PSA 9",
    'cracked from PSA 8',
    'crack out of BGS 8.5 slab',
    'gradable PSA 9',
    'PSA 9 gradeable',
    'comparable to PSA 9',
    'PSA 10??',
    'will be PSA 9',
    'PSA 9 pre-grade',
  ])('Base Set Charizard 4/102 %s', (words) => {
    expect(match(`Base Set Charizard 4/102 ${words}`)).toBe('grade_ambiguous');
    expect(match(`${words} Base Set Charizard 4/102`)).toBe('grade_ambiguous');
  });

  test.each([
    ['PSA 9 looks like a 10', 'PSA psa-9'],
    ['PSA 10 ready to ship', 'PSA psa-10'],
    ['PSA 10 Ready For Display', 'PSA psa-10'],
    ['ready to ship PSA 10', 'PSA psa-10'],
    ['PSA 9 should be higher', 'PSA psa-9'],
    ['PSA 10 easy holiday gift', 'PSA psa-10'],
    ['PSA 9 not raw', 'PSA psa-9'],
    ['PSA 9, not BGS', 'PSA psa-9'],
    ['send offers PSA 9', 'PSA psa-9'],
    ['professionally graded PSA 9', 'PSA psa-9'],
    ['strong PSA 9', 'PSA psa-9'],
    ['raw, strong centering', 'RAW raw-A'],
    ['BGS 9.5 gem mint', 'BGS bgs-9-5'],
    ['raw NM', 'RAW raw-A'],
    ['ungraded LP', 'RAW raw-B'],
    ['not graded, lightly played', 'RAW raw-B'],
    ['raw, not graded, near mint', 'RAW raw-A'],
    ['no grade, near mint', 'RAW raw-A'],
  ])('Base Set Charizard 4/102 %s is %s', (words, grade) => {
    expect(match(`Base Set Charizard 4/102 ${words}`)).toBe(`base ${grade}`);
  });

  test.each(['not mint', 'not quite near mint', 'not NM', "isn't mint"])('%s states no condition', (words) => {
    expect(match(`Base Set Charizard 4/102 ${words}`)).toBe('grade_ambiguous');
  });
});

describe('an accessory of cards is not a card', () => {
  test.each([
    'PSA 10 sticker',
    'PSA 10 acrylic display case',
    'mystery pack chance',
    'PSA 10 mystery box',
    'mystery slab chance at PSA 10',
    'PSA 10 chase repack',
    'grab bag PSA 9',
    'PSA 9 magnet',
    'slab stand for PSA 9',
    'PSA 9 slab protector',
    'playmat',
    'vinyl decal',
    'keychain',
    'PSA 10 label only',
    'PSA 9 empty slab',
    'display stand',
    'extended art case',
    'case for PSA 10',
    'acrylic frame',
    'poster',
    'T-shirt',
    'phone case',
    'random pack win PSA 9',
    'raffle ticket',
    'PSA 9 break spot',
  ])('Base Set Charizard 4/102 %s', (words) => {
    expect(match(`Base Set Charizard 4/102 ${words}`)).toBe('not_card');
    expect(match(`${words} Base Set Charizard 4/102`)).toBe('not_card');
  });

  test.each([
    ['1986 Fleer Basketball Michael Jordan #8 PSA 9 sticker', 'not_card', 'a sticker of the grade'],
    ['1986 Fleer Basketball Michael Jordan #8 Stickers PSA 9', 'fleer PSA psa-9', 'a sticker of the catalog'],
    ['Yu-Gi-Oh Legendary Duels Chance Magnet LD10 PSA 9', 'chance PSA psa-9', "words of the card's name"],
    ['Base Set Charizard 4/102 PSA 9 case fresh', 'base PSA psa-9', 'another meaning'],
    ['Base Set Charizard 4/102 NM in toploader', 'base RAW raw-A', 'what protects a card that is sold'],
    ['Base Set Charizard 4/102 Playmat Set PSA 9', 'base PSA psa-9', 'the product it came in'],
    ['Base Set Charizard 4/102 PSA 9 with display case', 'base PSA psa-9', 'a gift with the card'],
    ['Base Set Charizard 4/102 PSA 9 last chance', 'base PSA psa-9', 'a phrase of sellers'],
  ])('%s is %s: %s', (title, expected) => {
    expect(match(title)).toBe(expected);
  });
});

describe('a printing that the title denies', () => {
  test.each([
    ['Base Set Charizard 4/102 NOT 1st Edition PSA 9', 'base'],
    ['Base Set Charizard 4/102 non shadowless PSA 9', 'base'],
    ['Base Set Charizard 4/102 not a 1st ed PSA 9', 'base'],
    ['Base Set Charizard 4/102 non-1st edition PSA 9', 'base'],
    ["Base Set Charizard 4/102 isn't first edition PSA 9", 'base'],
    ['Base Set Charizard 4/102 no 1st edition stamp PSA 9', 'base'],
    ['Base Set Charizard 4/102 (not shadowless) PSA 9', 'base'],
    ['Base Set Charizard 4/102 without 1st edition stamp PSA 9', 'base'],
    ['Base Set Charizard 4/102 Unlimited, not 1st Edition or Shadowless PSA 9', 'base'],
    ['Base Set Charizard 4/102 shadowless not 1st edition PSA 9', 'base-shadowless'],
    ['Base Set Charizard 4/102 non 1st edition shadowless PSA 9', 'base-shadowless'],
    ['Evolutions Charizard 11/108 not reverse holo PSA 9', 'evolutions'],
    ['Evolutions Charizard 11/108 non reverse PSA 9', 'evolutions'],
    ['Evolutions Charizard 11/108 holo not reverse PSA 9', 'evolutions'],
    ['Expedition Base Charizard #6 not Japanese PSA 9', 'base-en'],
    ['Expedition Base Charizard #6 non-Japanese PSA 9', 'base-en'],
    ['Expedition Base Charizard #6 Japanese not English PSA 9', 'base-ja'],
    ['Jungle Snorlax 27/64 non holo PSA 9', 'snorlax'],
    ['Jungle Snorlax 27/64 no holo PSA 9', 'snorlax'],
    ['Modern Horizons 2 Ragavan Nimble Pilferer #138 non-foil PSA 9', 'ragavan'],
    ['Modern Horizons 2 Ragavan Nimble Pilferer #138 not foil PSA 9', 'ragavan'],
    ['Japanese Expansion Pack Charizard #9 No Rarity Symbol PSA 9', 'bare'],
  ])('%s: %s', (title, id) => {
    expect(match(title)).toBe(`${id} PSA psa-9`);
  });

  test.each([
    ['Base Set Charizard 4/102 no holo PSA 9', 'variation_unknown', 'every one is holo'],
    ['Base Set Charizard 4/102 non-holo PSA 9', 'variation_unknown', 'every one is holo'],
    ['Expedition Base Charizard #6 not English PSA 9', 'language_differs', 'no other language is stated'],
    [
      'Modern Horizons 2 Ragavan Nimble Pilferer 138 Foil Retro Frame PSA 9',
      'variation_unknown',
      'no printing is both',
    ],
    [
      'Modern Horizons 2 Ragavan Nimble Pilferer 138 Retro Frame PSA 9',
      'variation_unknown',
      'no printing has the frame',
    ],
    [
      'Modern Horizons 2 Ragavan Nimble Pilferer 138 old border foil PSA 9',
      'variation_unknown',
      'no printing has the frame',
    ],
  ])('%s is %s: %s', (title, reason) => {
    expect(match(title)).toBe(reason);
  });
});
