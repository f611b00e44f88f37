import { describe, expect, test } from 'vitest';
import { buildMatchIndex } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { CATALOG, pokemon } from './match-cards.ts';

/** Built in each test: a fault of the index is one of the test. */
function index() {
  return buildMatchIndex(CATALOG);
}

function match(title: string): string {
  const answer = matchTitle(readTitle(title), index());
  return answer.matched ? answer.itemId : answer.reason;
}

describe('the item a title means', () => {
  test.each([
    ['1999 Pokemon Base Set Charizard 4/102 Holo PSA 9', 'base', 'the plain printing goes unsaid'],
    ['1999 Pokemon Base Set Unlimited Charizard 4/102 PSA 9', 'base', 'Unlimited is the plain one'],
    ['1999 Pokemon Base Set 1st Edition Charizard #4 PSA 9', 'base-1st', 'an edition is stated'],
    ['Pokemon Charizard First Edition Base Set Shadowless 4/102 PSA 9', 'base-1st', 'a 1st Edition is shadowless'],
    ['Charizard Base Set Shadowless 4/102 PSA 9', 'base-shadowless', 'the print run is stated'],
    ['French Pokemon Base Set Dracaufeu Charizard 4/102 PSA 9', 'base-fr', 'a language is stated'],
    [
      '2016 Pokemon XY Evolutions Charizard 11 108 Reverse Foil PSA 10',
      'evolutions-reverse',
      'lost marks, other words',
    ],
    ['2016 Pokemon XY Evolutions Charizard 11/108 Reverse PSA 10', 'evolutions-reverse', 'there is no other reverse'],
    ['Charizard SWSH066 Vivid Voltage Prerelease Promo PSA 10', 'swsh66', 'a promo named with its product'],
    ['2023 Pokemon Japanese SV2a 151 Charizard ex #201 SAR PSA 10', '151-ja', 'an English title of a Japanese name'],
    ['リザードンex 201/165 SV2a PSA 10', '151-ja', 'a Japanese title'],
    [
      "Team Rocket's Mewtwo ex 130/098 Glory of Team Rocket PSA 10",
      'glory-ja',
      'Japanese goes unsaid in a Japanese set',
    ],
    ["Rocket's Mewtwo ex 130/098 Glory of Team Rocket Korean PSA 10", 'glory-ko', 'part of the name'],
    ['2024 Panini Donruss Optic Drake Maye Rookie Kings #3 Patriots PSA 10', 'maye', 'an insert'],
    ['2024 Donruss Optic Drake Maye Rookie Kings #3 Black Pandora 13/25', 'maye-pandora', 'a numbered copy'],
    ['Elly De La Cruz 2024 Bowman Chrome #42 Refractor Reds PSA 10', 'delacruz-refractor', 'a team is not a colour'],
    ['2024 Bowman Chrome Elly De La Cruz Blue Refractor #42', 'delacruz-blue', 'a run of a hundred goes unsaid'],
    ['2024 Bowman Chrome Elly De La Cruz Aqua Refractor #42 12/99', 'delacruz-aqua', 'the title states a shorter run'],
    ['Hidden Legends Keeper Zacharias Map 9/101', 'keeper', 'more than half of the name'],
    ['2025 Bowman Chrome Elian Pena 1st Auto #CPA-EP Mets', 'pena', "the number has its section's code"],
    ['Digimon Digital Hazard EX2-044 Beelzemon PSA 10', 'hazard', "a rejected word that is the set's own"],
    ['Yu-Gi-Oh Rarity Collection RA01-EN001 Lava Golem Secret Rare PSA 10', 'golem-secret', 'a rarity is stated'],
    ['Yu-Gi-Oh Rarity Collection RA01-EN001 Lava Golem Super Rare PSA 10', 'golem-super', 'so is the plain one'],
  ])('%j is %s: %s', (title, item) => {
    expect(match(title)).toBe(item);
  });

  test.each([
    ['Pokemon Base Set Charizard Holo PSA 9', 'number_missing', 'no number'],
    ['2000 Pokemon Base Set 2 Charizard 4/130 PSA 9', 'set_unknown', 'the next set'],
    ['Pokemon Charizard 4/102 PSA 9', 'set_unknown', 'no set'],
    ['2023 Pokemon Base Set Charizard 4/102 PSA 9', 'year_differs', 'another year'],
    ['Pokemon Base Set German Charizard 4/102 PSA 9', 'language_differs', 'a language that no item has'],
    ['Pokemon Base Set Charizard 4/102 Staff Stamp PSA 9', 'variation_unknown', 'a stamp that no item has'],
    ['Pokemon Evolutions Charizard EX 11/108 PSA 9', 'card_unknown', 'another card than the number says'],
    ['Pokemon Evolutions Dark Charizard 11/108 PSA 9', 'card_unknown', 'a word that makes it another card'],
    ['Pokemon Evolutions Charizard & Pikachu 11/108 PSA 9', 'card_unknown', 'a second card'],
    ['Mew ex 151 UPC Promo 053 PSA 10', 'card_unknown', "the set's name is not a number"],
    ["Team Rocket's Mewtwo ex 231 PSA 10 English", 'card_unknown', 'a number that no item has'],
    ['2024 Donruss Optic Drake Maye Rookie Kings Gold #3 /10', 'variation_unknown', 'a parallel that no item has'],
    ['2023 Donruss Optic Drake Maye Rookie Kings #3', 'year_differs', 'another release'],
    ['2024 Bowman Chrome Elly De La Cruz Red Refractor #42', 'variation_unknown', 'a short run goes unsaid'],
    ['2024 Bowman Chrome Elly De La Cruz Aqua Refractor #42', 'variation_unknown', 'a run of 99 goes unsaid'],
    ['Hidden Legends Zacharias 9/101', 'card_unknown', 'one word of a name of five'],
    ['Yu-Gi-Oh Rarity Collection RA01-EN001 Lava Golem PSA 10', 'ambiguous', 'only rarities distinguish the printings'],
    [
      'Yu-Gi-Oh Rarity Collection RA01-EN001 Lava Golem Ultra Rare PSA 10',
      'variation_unknown',
      'a rarity that no item has',
    ],
    ['Base Set Charizard 4/102 CGC 10', 'grade_ambiguous', 'the grade is not sure'],
    ['Lot Base Set Charizard 4/102 PSA 9', 'lot', 'several cards'],
    ['Evolutions Charizard 11/108 and 12/108 PSA 9', 'lot', 'two numbers of one set'],
    ['Proxy Base Set Charizard 4/102', 'not_card', 'no real card'],
    ['Base Set Charizard 4/102 digital code', 'not_card', 'no real card'],
    ['', 'number_missing', 'nothing'],
  ])('%j is not matched, %s: %s', (title, reason) => {
    expect(match(title)).toBe(reason);
  });

  test('a match has the grade, and what was assumed or is without a price', () => {
    expect(matchTitle(readTitle('Base Set Charizard 4/102'), index())).toMatchObject({
      itemId: 'base',
      company: 'RAW',
      grade: { key: 'raw-A' },
      conditionAssumed: true,
    });
    expect(matchTitle(readTitle('Base Set Charizard 4/102 SGC 10'), index())).toMatchObject({
      company: 'SGC',
      grade: null,
      problem: 'company_unsupported',
    });
    expect(matchTitle(readTitle('Base Set Charizard 4/102 PSA Authentic'), index())).toMatchObject({
      company: 'PSA',
      grade: null,
      problem: 'outside_scale',
    });
  });

  test('of a set in English and one of its name in Japanese alone, a title that says no language means the English', () => {
    const cards = [
      pokemon('ja', 'Ocean Shine', '9', 'Onix', { language: 'Japanese', setCode: 'OS1' }),
      pokemon('en', 'Ocean Shine', '9', 'Onix'),
    ];
    const meant = (title: string) => matchTitle(readTitle(title), buildMatchIndex(cards));
    expect(meant('Ocean Shine Onix 9/64 PSA 9')).toMatchObject({ itemId: 'en' });
    expect(meant('Ocean Shine Onix 9/64 Japanese PSA 9')).toMatchObject({ itemId: 'ja' });
  });

  test('equal items are ambiguous and at most five are named', () => {
    const twins = [...Array(9).keys()].map((at) => pokemon(`twin-${at}`, 'Base Set', '4', 'Charizard'));
    const answer = matchTitle(readTitle('Base Set Charizard 4/102 PSA 9'), buildMatchIndex(twins));
    expect(answer).toMatchObject({ matched: false, reason: 'ambiguous' });
    expect(answer.matched ? [] : answer.candidates).toHaveLength(5);
  });

  test('items of one number that the title names in another order are named in that of the catalog', () => {
    const cards = [
      pokemon('angel', 'Portal Deluxe', '4', 'Angel', { game: 'mtg' }),
      pokemon('other', 'Portal Deluxe', '5', 'Serra', { game: 'mtg' }),
      pokemon('serra', 'Portal Deluxe', '4', 'Serra', { game: 'mtg' }),
    ];
    expect(matchTitle(readTitle('MTG Portal Deluxe Serra Angel #4'), buildMatchIndex(cards))).toEqual({
      matched: false,
      reason: 'ambiguous',
      candidates: ['angel', 'serra'],
    });
  });

  test("the set's code explains itself alone, not the other words of a title", () => {
    const card = pokemon('coded', 'Scarlet & Violet', '4', 'Charmander', { setCode: 'SV01' });
    const meant = (title: string) => matchTitle(readTitle(title), buildMatchIndex([card]));
    expect(meant('Charmander sv01 #4')).toMatchObject({ itemId: 'coded' });
    expect(meant('Charmander sv01 Shadowless #4')).toMatchObject({ reason: 'variation_unknown' });
  });
});
