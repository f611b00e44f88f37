import type { Game } from '../games.ts';
import { charactersOf, type Roster } from './derive-characters.ts';
import { capitalized, rarityName, typeName } from './derive-words.ts';
import { type DerivedTag, MAX_TAG_CHARS, type TagSource, tagSlug } from './tag.ts';
import { treatmentsOf } from './treatments.ts';

/**
 * The tags that a catalog's facts give an item, each once. Character, type, color identity, rarity and team belong to
 * the item's game; artist, year and treatment are the same in every game. A name that folds to nothing gives none.
 */
export function tagsOfItem(item: TagSource, roster: Roster): DerivedTag[] {
  const { game, facts } = item;
  const tags = new Map<string, DerivedTag>();
  const add = (kind: string, name: string, scope: Game | null, slug = tagSlug(name)) => {
    if (slug === '' || slug.length > MAX_TAG_CHARS || name.length > MAX_TAG_CHARS) return;
    if (!tags.has(`${kind}:${slug}`)) tags.set(`${kind}:${slug}`, { kind, slug, name, game: scope });
  };
  for (const name of charactersOf(item, roster)) add('character', name, game);
  for (const type of facts.types ?? []) add('type', typeName(game, type), game);
  for (const color of facts.colors ?? []) add('color-identity', capitalized(color), game);
  if (item.rarity !== null) add('rarity', rarityName(game, item.rarity), game);
  if (facts.team !== undefined) add('team', facts.team, game);
  for (const artist of artistsOf(facts.artist)) add('artist', artist, null);
  if (item.year !== null) add('year', String(item.year), null);
  for (const { slug, name } of treatmentsOf(item)) add('treatment', name, null, slug);
  return [...tags.values()];
}

/** Two artists of one picture are written `A / B` or `A & B`; a child's age (`Kira, age 5½`) is not part of the name. */
function artistsOf(artist: string | undefined): string[] {
  if (artist === undefined) return [];
  return artist
    .split(/\s*\/\s*|\s+&\s+/)
    .map((name) => name.replace(/, age .*$/i, '').trim())
    .filter((name) => name !== '');
}
