import type { Game } from '../games.ts';
import type { Language } from '../languages.ts';
import type { CardFacts } from '../record.ts';
import { foldWords } from '../words/fold.ts';

/** A word that items can be found by. */
export type Tag = {
  kind: string;
  slug: string;
  /** English. */
  name: string;
  /** Null: the same in every game. */
  game: Game | null;
  /** Other languages and spellings, for search only. */
  aliases: readonly string[];
};

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

/** A tag as facts state it: other names are found over all items of its game. */
export type DerivedTag = Omit<Tag, 'aliases'>;

/** What is published of a tag. */
export type PublicTag = Pick<Tag, 'kind' | 'slug' | 'name'>;

export const MAX_TAG_CHARS = 120;
export const TAG_KIND = /^[a-z][a-z0-9-]{0,31}$/;
export const TAG_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Kinds that exist on every installation, tagged or not; an import may add others. */
export const FACETS = [
  'character',
  'type',
  'color-identity',
  'rarity',
  'team',
  'artist',
  'year',
  'treatment',
  'color',
  'mood',
] as const;

/** The slug of a name: its words in lower-case ASCII, joined by `-`; empty when nothing is left. */
export function tagSlug(name: string): string {
  return foldWords(name).join('-');
}

/** One text for what makes a tag itself. */
export function tagKey({ kind, slug, game }: Pick<Tag, 'kind' | 'slug' | 'game'>): string {
  return `${kind}:${slug}:${game ?? ''}`;
}
