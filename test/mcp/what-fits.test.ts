import { expect, test } from 'vitest';
import { type ComparableCard, whatFits } from '../../src/mcp/what-fits.ts';

const PLAIN: ComparableCard = {
  game: 'pokemon',
  name: 'Charizard',
  setName: 'Base Set',
  setCode: 'base1',
  cardNumber: '4',
  printedNumber: '4',
  variation: null,
  language: 'English',
  rarity: 'Rare Holo',
  year: 1999,
};
const SHADOWLESS = { ...PLAIN, variation: 'Shadowless' };
const FRENCH = { ...PLAIN, language: 'French' };
const FRENCH_FIRST = { ...FRENCH, variation: '1st Edition' };
const LUFFY = { ...PLAIN, game: 'one-piece', name: 'Monkey.D.Luffy', setName: 'New Era', setCode: 'OP05' };
const NUMBERED = { ...LUFFY, cardNumber: '119', printedNumber: 'OP05-119', rarity: 'Secret Rare', year: 2023 };
const ALPHA = { ...PLAIN, game: 'mtg', name: 'Black Lotus', setName: 'Limited Edition Alpha', rarity: 'Rare' };
const UNLIMITED = { ...ALPHA, setName: 'Unlimited Edition' };
const CARDS = [PLAIN, SHADOWLESS, FRENCH, FRENCH_FIRST, NUMBERED, ALPHA, UNLIMITED];

test.each<[string, string, ComparableCard[]]>([
  ['what is left unsaid fits every printing', 'charizard 4/102 base set', [PLAIN, SHADOWLESS, FRENCH, FRENCH_FIRST]],
  ['an edition is one of its words', 'Charizard Shadowless', [SHADOWLESS]],
  ['a language is one of its words', 'Charizard first edition French', [FRENCH_FIRST]],
  ['unlimited is the printing without a variation', 'Charizard unlimited', [PLAIN, FRENCH]],
  ['where a set is called so, it is that set', 'Black Lotus unlimited', [UNLIMITED]],
  ['a number is read as it is printed', 'luffy op05-119', [NUMBERED]],
  ['zeros before a number do not count', 'charizard 004 english unlimited', [PLAIN]],
  ['another number does not fit', 'charizard 5', []],
  ['another game does not fit', 'charizard one piece', []],
  ['a word that no card has does not fit', 'charizard illustrator', []],
  ['a grade is not compared', 'Charizard Shadowless PSA 10', [SHADOWLESS]],
  ['a small word that distinguishes cards counts', 'black lotus alpha', [ALPHA]],
])('%s', (_, words, fits) => expect(whatFits(words, CARDS)).toEqual(fits));

test('a word for a set that was not found does not mean the plain printing of another', () => {
  expect(whatFits('Black Lotus Unlimited Edition', [ALPHA])).toEqual([]);
  expect(whatFits('Charizard unlimited', [PLAIN])).toEqual([]);
});

test('words that are too many to be read fit nothing', () => {
  const words = 'a b c d e f g h i j k l m n o p Charizard Shadowless';
  expect(whatFits(words, [SHADOWLESS])).toEqual([]);
});
