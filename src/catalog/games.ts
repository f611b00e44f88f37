/** The nine games: slug, how the wire calls their cards, which have a public market index. */

export const GAMES = [
  'pokemon',
  'one-piece',
  'sports',
  'lorcana',
  'digimon',
  'riftbound',
  'mtg',
  'yugioh',
  'gundam',
] as const;

export type Game = (typeof GAMES)[number];

export const INDEXED_GAMES: readonly Game[] = ['pokemon', 'one-piece', 'sports', 'riftbound'];

export const CARD_TYPES: Record<Game, string> = {
  pokemon: 'POKEMON',
  'one-piece': 'ONE_PIECE',
  sports: 'SPORTS',
  lorcana: 'LORCANA',
  digimon: 'DIGIMON',
  riftbound: 'RIFTBOUND',
  mtg: 'MTG',
  yugioh: 'YUGIOH',
  gundam: 'GUNDAM',
};

export const GAME_LABELS: Record<Game, string> = {
  pokemon: 'Pokémon',
  'one-piece': 'One Piece',
  sports: 'Sports',
  lorcana: 'Lorcana',
  digimon: 'Digimon',
  riftbound: 'Riftbound',
  mtg: 'Magic: The Gathering',
  yugioh: 'Yu-Gi-Oh!',
  gundam: 'Gundam',
};

export function isGame(text: string): text is Game {
  return (GAMES as readonly string[]).includes(text);
}
