import { describe, expect, test } from 'vitest';
import { labelBook } from '../../../src/graded/slab/label-book.ts';
import { labelledItems } from '../../../src/graded/slab/label-catalog.ts';
import type { MatchItem } from '../../../src/sales/match/match-index.ts';

type Card = Partial<MatchItem> & Pick<MatchItem, 'setName' | 'setCode' | 'number' | 'name'>;

function card(id: string, details: Card): MatchItem {
  return { id, game: 'pokemon', language: 'English', variation: null, rarity: null, year: null, ...details };
}

const base = { setName: 'Base Set', setCode: 'base1', year: 1999 };
const promos = { setName: 'Scarlet & Violet Black Star Promos', setCode: 'svp', rarity: 'Promo', year: 2023 };
const swsh = { setName: 'SWSH Black Star Promos', setCode: 'swshp', rarity: 'Promo', year: 2019 };
const classic = { setName: 'Celebrations Classic Collection', setCode: 'cel25cc', year: 2021 };
const english151 = { setName: '151', setCode: 'sv03.5', year: 2023 };
const basic = { setName: '拡張パック', setCode: 'PMCG1', language: 'Japanese', year: 1996 } as const;
const japanese151 = { setName: 'ポケモンカード151', setCode: 'SV2a', language: 'Japanese', year: 2023 } as const;
const svp = {
  setName: 'スカーレット&バイオレット プロモカード',
  setCode: 'SV-P',
  language: 'Japanese',
  rarity: 'Promo',
  year: 2022,
} as const;

const book = labelBook(
  [
    card('charizard', { ...base, number: '4', name: 'Charizard' }),
    card('charizard-1st', { ...base, number: '4', name: 'Charizard', variation: '1st Edition' }),
    card('charizard-shadowless', { ...base, number: '4', name: 'Charizard', variation: 'Shadowless' }),
    card('charizard-copyright', { ...base, number: '4', name: 'Charizard', variation: '1999-2000 Copyright' }),
    card('dark-charizard', {
      setName: 'Team Rocket',
      setCode: 'base5',
      number: '4',
      name: 'Dark Charizard',
      year: 2000,
    }),
    card('hat', { ...promos, number: '85', name: 'Pikachu with Grey Felt Hat' }),
    card('mimikyu', { ...promos, number: '75', name: 'Mimikyu' }),
    card('vstar', { ...swsh, number: 'SWSH262', name: 'Charizard VSTAR' }),
    card('classic', { ...classic, number: 'CC002', name: 'Charizard' }),
    card('gold-star', { ...classic, number: 'CC015', name: 'Umbreon ☆' }),
    card('squirtle', { ...english151, number: '007', name: 'Squirtle' }),
    card('squirtle-stamp', { ...english151, number: '007', name: 'Squirtle', variation: 'Pokémon Center Stamp' }),
    card('dragonair', { ...english151, number: '181', name: 'Dragonair' }),
    card('lizardon', { ...basic, number: '021', name: 'リザードン', characters: ['Charizard'] }),
    card('lizardon-bare', {
      ...basic,
      number: '021',
      name: 'リザードン',
      characters: ['Charizard'],
      variation: 'No Rarity Symbol',
    }),
    card('zenigame', { ...japanese151, number: '170', name: 'ゼニガメ', characters: ['Squirtle'] }),
    card('foodin', { ...japanese151, number: '203', name: 'フーディンex', characters: ['Alakazam'] }),
    card('upah', { ...svp, number: '193', name: 'パルデア ウパー', characters: ['Wooper'] }),
    card('pikachu-242', { ...svp, number: '242', name: 'ピカチュウ', characters: ['Pikachu'] }),
  ].flatMap(labelledItems),
);

describe('the words of a label identify', () => {
  test.each([
    ['1999 #4 Charizard-Holo PSA 9 Game Pokemon', 'charizard'],
    ['1999 POKEMON GAME CHARIZARD-HOLO #4', 'charizard'],
    ['1999 POKEMON GAME CHARIZARD-HOLO 1ST EDITION #4', 'charizard-1st'],
    ['1999 #4 base set shadowless holo charizard pokemon', 'charizard-shadowless'],
    ['1999 #4 CHARIZARD-HOLO POKEMON GAME | BASE SET 1999-2000', 'charizard-copyright'],
    ['2000 #4 Dark Charizard-Holo BGS 9 Rocket Pokemon', 'dark-charizard'],
    ['2000 POKEMON ROCKET #4 DARK CHARIZARD-HOLO', 'dark-charizard'],
    ['2023 POKEMON SVP EN-SV BLACK STAR PROMO #085 PIKACHU WITH GREY FELT HAT', 'hat'],
    ['2025 #075 Mimikyu PSA 10 Svp EN-SV Black Star Promo Pokemon', 'mimikyu'],
    ['2022 #262 Full Art/Charizard Vstar PSA 9 Swsh Black Star Promo Pokemon', 'vstar'],
    ['2022 #SWSH262 Charizard Vstar Swsh Black Star Promo Pokemon', 'vstar'],
    ['2021 #4 Charizard-Holo CGC 10 Celebrations Classic Collection Pokemon', 'classic'],
    ['2021 #17 Umbreon-Gold Star PSA 9 Celebrations Classic Collection Pokemon', 'gold-star'],
    ['2023 #181 DRAGONAIR PSA 10 MEW EN-151 POKEMON', 'dragonair'],
    ['2023 #007 SQUIRTLE PSA 9 POKEMON MEW EN-151', 'squirtle'],
    ['2023 #007 SQUIRTLE PSA 9 POKEMON MEW EN-151 | POKEMON CENTER 151 PRE-ORDER PROMO', 'squirtle-stamp'],
    ['1996 #6 Charizard-Holo PSA 8 Japanese Basic Pokemon', 'lizardon'],
    ['1996 #6 Charizard-Holo No Rarity Symbol Japanese Basic Pokemon', 'lizardon-bare'],
    ['2023 #170 Squirtle PSA 10 Japanese Sv2a- 151 Pokemon', 'zenigame'],
    ['2023 #203 ALAKAZAM EX PSA 10 POKEMON JAPANESE SV2a-POKEMON 151 | SPECIAL ART RARE', 'foodin'],
    ['2024 #193 Paldean Wooper BGS 10 Japanese SV-P Promo Pokemon', 'upah'],
    ['2025 #242 Pikachu PSA 10 Japanese SV-P Promo Pokemon', 'pikachu-242'],
  ])('%s: %s', (label, itemId) => {
    expect(book.match(label)).toEqual({ itemId, reason: null });
  });
});

describe('no card is identified', () => {
  test.each([
    ['of the next set', '2000 #4 Charizard-Holo CGC 3.5 Game Base II Pokemon'],
    ['of the Japanese set of that name', '1996 #4 Charizard-Holo Japanese Base Set Pokemon'],
    ['where the catalog lacks the edition', '2000 #4 Dark Charizard-Holo 1st Edition Rocket Pokemon'],
    ['by the number of the catalog, where the set has none', '1996 #021 Charizard-Holo Japanese Basic Pokemon'],
    ['of a form that is not the printed one', '2024 #193 Wooper Japanese SV-P Promo Pokemon'],
    ['of the promo whose stamp the catalog lacks', '2024 #75 SV BLACK STAR PROMO PALDEAN FATES CENTER ETB MIMIKYU'],
    ['in Chinese', '2023 #170 Squirtle Simplified Chinese 151 Pokemon'],
    ['of the English promos with the Japanese number', '2025 #242 Pikachu Svp EN-SV Black Star Promo Pokemon'],
    ['without a set', '1999 #4 Charizard-Holo Pokemon'],
    ['by nothing', 'INVALID'],
    ['by nothing at all', ''],
  ])('%s: %s', (_why, label) => {
    expect(book.match(label).itemId).toBeNull();
  });
});
