import type { MatchItem } from '../../../src/sales/match/match-index.ts';

export function pokemon(
  id: string,
  setName: string,
  number: string,
  name: string,
  more: Partial<MatchItem> = {},
): MatchItem {
  return {
    id,
    game: 'pokemon',
    setName,
    setCode: null,
    number,
    name,
    language: 'English',
    variation: null,
    year: null,
    ...more,
  };
}

export function sports(id: string, setName: string, number: string, name: string, variation: string | null): MatchItem {
  return { id, game: 'sports', setName, setCode: null, number, name, language: 'English', variation, year: null };
}

/** A few items that differ in one thing each. */
export const CATALOG: MatchItem[] = [
  pokemon('base', 'Base Set', '4', 'Charizard', { year: 1999, rarity: 'Rare Holo' }),
  pokemon('base-1st', 'Base Set', '4', 'Charizard', { year: 1999, variation: '1st Edition' }),
  pokemon('base-shadowless', 'Base Set', '4', 'Charizard', { year: 1999, variation: 'Shadowless' }),
  pokemon('base-fr', 'Base Set', '4', 'Charizard', { year: 1999, language: 'French', printedName: 'Dracaufeu' }),
  pokemon('evolutions', 'Evolutions', '11', 'Charizard', { year: 2016 }),
  pokemon('evolutions-reverse', 'Evolutions', '11', 'Charizard', { year: 2016, variation: 'Reverse Holo' }),
  pokemon('evolutions-ex', 'Evolutions', '12', 'Charizard EX', { year: 2016 }),
  pokemon('swsh66', 'SWSH Black Star Promos', 'SWSH066', 'Charizard', { year: 2020 }),
  pokemon('151-ja', 'ポケモンカード151', '201', 'リザードンex', {
    language: 'Japanese',
    setCode: 'SV2a',
    year: 2023,
    characters: ['Charizard'],
  }),
  pokemon('151-mew', '151', '151', 'Mew ex', { year: 2023, setCode: 'sv3pt5' }),
  pokemon('glory-ja', 'Glory of Team Rocket', '130', "Team Rocket's Mewtwo ex", {
    language: 'Japanese',
    setCode: 'SV10',
    year: 2025,
  }),
  pokemon('glory-ko', 'Glory of Team Rocket', '130', "Team Rocket's Mewtwo ex", {
    language: 'Korean',
    setCode: 'SV10',
    year: 2025,
  }),
  pokemon('rocket-pikachu', 'Team Rocket', '50', 'Pikachu', { year: 2000 }),
  sports('maye', '2024 Donruss Optic Football', '3', 'Drake Maye', 'Rookie Kings'),
  sports('maye-pandora', '2024 Donruss Optic Football', '3', 'Drake Maye', 'Rookie Kings: Black Pandora /25'),
  sports('delacruz', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', null),
  sports('delacruz-refractor', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', 'Refractor /499'),
  sports('delacruz-red', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', 'Red Refractor /5'),
  sports('delacruz-aqua', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', 'Aqua Refractor /99'),
  sports('delacruz-blue', '2024 Bowman Chrome Baseball', '42', 'Elly De La Cruz', 'Blue Refractor /100'),
  pokemon('keeper', 'Hidden Legends', '9', 'Old Sea Map Keeper Zacharias', { year: 2004 }),
  sports('pena', '2025 Bowman Chrome Baseball', 'CPA-EP', 'Elian Peña', 'Chrome Prospect Autographs'),
  {
    ...pokemon('golem-super', 'Rarity Collection', 'RA01-EN001', 'Lava Golem', { rarity: 'Super Rare' }),
    game: 'yugioh',
  },
  {
    ...pokemon('golem-secret', 'Rarity Collection', 'RA01-EN001', 'Lava Golem', {
      variation: 'Secret Rare',
      rarity: 'Secret Rare',
    }),
    game: 'yugioh',
  },
  { ...pokemon('hazard', 'Digital Hazard', 'EX2-044', 'Beelzemon', { setCode: 'EX2' }), game: 'digimon' },
];
