import type { Game } from '../catalog/games.ts';
import { rosterKey } from './build.ts';
import { listAt, listSize, placeIn } from './lists.ts';
import type { SearchIndex } from './search-index.ts';

/** What narrows a search. */
export type Filter = {
  /** `kind:slug`, of which an item must have every one. */
  tags: readonly string[];
  /** Places of a character of the roster, of which an item must have one. */
  character: readonly number[] | null;
  game: Game | null;
};

/** The items that pass a filter, best first. Items without an image pass no tag. */
export function itemsPassing(index: SearchIndex, { tags, character, game }: Filter): Int32Array {
  const { places, items } = index.tags;
  const conditions = tags.map((tag) => places.get(tag) ?? []);
  if (character !== null) conditions.push([...character]);
  const sizeOf = (condition: readonly number[]) => condition.reduce((sum, place) => sum + listSize(items, place), 0);
  conditions.sort((a, b) => sizeOf(a) - sizeOf(b));
  const [first = [], ...others] = conditions;
  return unionOf(index, first).filter(
    (item) =>
      (game === null || index.gameOfSet[index.sets.of[item]!] === game) &&
      (tags.length === 0 || index.isImaged[item] === 1) &&
      others.every((condition) => condition.some((place) => has(listAt(items, place), item))),
  );
}

function has(list: Int32Array, item: number): boolean {
  return list[placeIn(list, item)] === item;
}

/** The items of several tags, each once, rising. */
function unionOf({ tags }: SearchIndex, places: readonly number[]): Int32Array {
  if (places.length === 1) return listAt(tags.items, places[0]!);
  const all = new Set(places.flatMap((place) => [...listAt(tags.items, place)]));
  return Int32Array.from(all).sort();
}

/** The places of a character by its slug, its name or another name of it; null when the roster has none so called. */
export function characterCalled(index: SearchIndex, name: string): readonly number[] | null {
  return index.tags.roster.get(rosterKey(name)) ?? null;
}
