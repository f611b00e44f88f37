/** The nine games: slug, type of their cards in the API, public market index, name. */

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

/** `ONE_PIECE` for `one-piece`. */
export const CARD_TYPES = Object.fromEntries(
  GAMES.map((game) => [game, game.toUpperCase().replace('-', '_')]),
) as Record<Game, string>;

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
