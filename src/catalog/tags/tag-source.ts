import type { Game } from '../games.ts';
import type { Language } from '../languages.ts';
import type { CardFacts } from '../record.ts';

/** What tags are derived from: an item with its facts. */
export type TagSource = {
  game: Game;
  name: string;
  printed_name: string | null;
  language: Language;
  variation: string | null;
  rarity: string | null;
  year: number | null;
  facts: CardFacts;
};
