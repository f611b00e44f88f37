import type { Game } from '../catalog/games.ts';
import { rosterKey } from './index/build.ts';
import { listAt, placeIn } from './index/lists.ts';
import type { SearchIndex } from './index/search-index.ts';

/** What narrows a search. */
type Filter = {
  /** `kind:slug`, of which an item must have every one. */
  tags: readonly string[];
  /** Places of a character of the roster, of which an item must have one. */
  character: readonly number[] | null;
  game: Game | null;
};

/** The items that pass a filter, best first, `atMost` of them. Items without an image pass no tag. */
export function itemsPassing(
  index: SearchIndex,
  { tags, character, game }: Filter,
  atMost = Number.POSITIVE_INFINITY,
): Int32Array {
  const { places, items } = index.tags;
  const conditions = tags.map((tag) => places.get(tag) ?? []);
  if (character !== null) conditions.push(character);
  const lists = conditions.map((condition) => condition.map((place) => listAt(items, place)));
  const sizeOf = (condition: readonly Int32Array[]) => condition.reduce((sum, { length }) => sum + length, 0);
  lists.sort((a, b) => sizeOf(a) - sizeOf(b));
  const [shortest = [], ...others] = lists;
  const passing: number[] = [];
  const next = shortest.map(() => 0);
  while (passing.length < atMost) {
    const item = nextOf(shortest, next);
    if (item === null) break;
    const passes =
      (game === null || index.gameOfSet[index.sets.of[item]!] === game) &&
      (tags.length === 0 || index.isImaged[item] === 1) &&
      others.every((condition) => condition.some((list) => list[placeIn(list, item)] === item));
    if (passes) passing.push(item);
  }
  return Int32Array.from(passing);
}

/** Every item of a game, best first. */
export function itemsOfGame({ size, gameOfSet, sets }: SearchIndex, game: Game): Int32Array {
  const items: number[] = [];
  for (let item = 0; item < size; item++) if (gameOfSet[sets.of[item]!] === game) items.push(item);
  return Int32Array.from(items);
}

/** The smallest item that rising lists have from the places `next` on, which move behind it; null at their end. */
function nextOf(lists: readonly Int32Array[], next: number[]): number | null {
  let least: number | null = null;
  for (let i = 0; i < lists.length; i++) {
    const item = lists[i]![next[i]!];
    if (item !== undefined && (least === null || item < least)) least = item;
  }
  for (let i = 0; i < lists.length; i++) if (lists[i]![next[i]!] === least) next[i]!++;
  return least;
}

/** The places of a character by its slug, its name or another name of it; null when the roster has none so called. */
export function characterCalled(index: SearchIndex, name: string): readonly number[] | null {
  return index.tags.roster.get(rosterKey(name)) ?? null;
}
