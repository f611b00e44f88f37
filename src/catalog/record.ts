import type { ExternalId } from './external-ids.ts';
import type { Game } from './games.ts';
import type { Language } from './languages.ts';

/** A set as one source lists it. */
export type SourceSet = {
  /** The source's own key of the set, unique within (source, game): what equal-sets.json joins by. */
  key: string;
  /** English name where the source has one, else the printed name. */
  name: string;
  /** The code printed or published for the set (`base1`, `OP05`, `LOB`), or null: it goes into the set's slug. */
  code: string | null;
  year: number | null;
};

/**
 * One printing of a card in one language as one source lists it: what a format reader yields and what becomes an item.
 * Text is trimmed, NFC, without control characters.
 */
export type CatalogRecord = {
  game: Game;
  /**
   * Ids of this printing, each `[id space, id]`. The first is the source's own and is unique within the source (finish
   * and language included where the source has one record for several printings). Others are ids that another source
   * uses for exactly this printing, finish included: an item that already has one of them is the same item.
   */
  ids: [space: string, id: string][];
  /**
   * Ids that its source gives, as they are published: one may be of several printings. Never joins sources. Undefined: the
   * source has none but `ids`.
   */
  externalIds?: ExternalId[];
  set: SourceSet;
  /** The printed number as printed (`004`, `OP05-119`, `LOB-EN001`, `4/102` is `4`), or null (T206). */
  number: string | null;
  /** English name where the source has one for this printing, else the printed one. */
  name: string;
  /** The name as printed, when it differs from `name`. */
  printedName: string | null;
  language: Language;
  /**
   * What distinguishes this printing from the others of the same (set, number, name, language): finish, edition, stamp,
   * parallel, rarity, in words a collector uses (`Reverse Holo`, `1st Edition`, `Gold Refractor /50`). Exactly one
   * printing of each card has null: the plain one.
   */
  variation: string | null;
  rarity: string | null;
  year: number | null;
  imageUrl: string | null;
  imageUrlThumb: string | null;
  /** Facts that later become tags; only what the source states. */
  facts: CardFacts;
};

export type CardFacts = {
  artist?: string;
  /** Species, character or player names, in English. */
  characters?: string[];
  types?: string[];
  colors?: string[];
  team?: string;
  cardKind?: string;
};

/** What a format reader yields: a record, or a source record that makes no item, with the reason and the place. */
export type CatalogEntry =
  | { kind: 'record'; record: CatalogRecord }
  /** Left out on purpose; the reason is a short code (`digital`, `back_face`, `no_cards`). */
  | { kind: 'dropped'; reason: string; where: string }
  /** Not understood: reported to the operator with file and position, and skipped. */
  | { kind: 'broken'; message: string; where: string };

export type CatalogFormat = {
  /** The word an operator types: `mintmark import catalog <name> <path…>`. */
  name: string;
  game: Game | 'any';
  /** One line for `--help`: what files it reads. */
  about: string;
  /**
   * Reads files and folders, in a stable order, holding no more than one set (or one file of an index) in memory.
   * Throws only when nothing can be read at all (a path that does not exist, a file of another format).
   */
  read(paths: readonly string[]): AsyncIterable<CatalogEntry>;
};
