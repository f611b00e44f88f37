import type { Game } from '../catalog/games.ts';
import { rosterKey } from './build.ts';
import { listAt } from './lists.ts';
import type { SearchIndex } from './search-index.ts';

/** What narrows a search. */
export type Filter = {
  /** `kind:slug`, of which an item must have every one. */
  tags: readonly string[];
  /** Places of a character of the roster, of which an item must have one. */
  character: readonly number[] | null;
  game: Game | null;
};

/** 1 for the items that pass a filter. Items without an image pass no tag. */
export function itemsPassing(index: SearchIndex, { tags, character, game }: Filter): Uint8Array {
  const { places, items } = index.tags;
  const conditions = tags.map((tag) => places.get(tag) ?? []);
  if (character !== null) conditions.push(character);
  // How many of the conditions so far an item meets; one that missed an earlier condition stays behind.
  const met = new Uint8Array(index.size);
  conditions.forEach((condition, i) => {
    for (const place of condition) {
      for (const item of listAt(items, place)) if (met[item] === i) met[item] = i + 1;
    }
  });
  for (let item = 0; item < index.size; item++) {
    const isIn = game === null || index.gameOfSet[index.sets.of[item]!] === game;
    const isShown = tags.length === 0 || index.isImaged[item] === 1;
    met[item] = met[item] === conditions.length && isIn && isShown ? 1 : 0;
  }
  return met;
}

/** The first `count` of the items that pass, those asked for most. */
export function browse(allowed: Uint8Array, count: number): number[] {
  const items: number[] = [];
  for (let item = 0; item < allowed.length && items.length < count; item++) if (allowed[item] === 1) items.push(item);
  return items;
}

/** The places of a character by its slug, its name or another name of it; null when the roster has none so called. */
export function characterCalled(index: SearchIndex, name: string): readonly number[] | null {
  return index.tags.roster.get(rosterKey(name)) ?? null;
}
