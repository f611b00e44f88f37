import type { Game } from '../../catalog/games.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';

/** The queries to the catalog that recognizing a card takes. Answers of one call may be kept for the next ones. */
export type RecognitionCatalog = {
  /** The items whose descriptors (`DESCRIPTOR`) are nearest, the best first, scores are cosines; of one game if given. */
  nearest(vector: Float32Array, k: number, game: Game | null): Promise<readonly { itemId: string; score: number }[]>;
  /**
   * Facts of these items and of all items that a photo cannot reliably distinguish from them: other printings of the same
   * card (finish, edition, stamp, language) and items that were given the same picture. In any order, each once.
   */
  cards(itemIds: readonly string[]): Promise<readonly CatalogCard[]>;
  /** A kept picture (`CatalogCard.picture`) in the smaller size, or null when its file is missing. */
  picture(picture: string): Promise<RgbPixels | null>;
};

export type CatalogCard = {
  itemId: string;
  /** Name of its picture; items of one name have one picture. Null when it has none. */
  picture: string | null;
  /** The same for all printings of a card that differ only in finish, edition, stamp or language. */
  card: string;
  /** As printed, `16` or `ST02-010`; null when the card has none. */
  number: string | null;
};
