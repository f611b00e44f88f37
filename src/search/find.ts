import type { Game } from '../catalog/games.ts';
import { WINDOW } from './cursor.ts';
import type { SearchIndex } from './index/search-index.ts';
import { type RankedItem, rankedText, rankText } from './query/rank-text.ts';
import { characterCalled, itemsOfGame, itemsPassing } from './tagged.ts';

/** A text shorter than this is not searched for alone. */
export const MIN_Q_CHARS = 2;

/** What is searched for. `tags` (`kind:slug`) is null where the search is not one of tags. */
export type SearchFilter = {
  words: string;
  tags: readonly string[] | null;
  /** A character's slug or name, or ''. */
  character: string;
  game: Game | null;
  /** The game narrows words alone too; otherwise tags and characters only. */
  gameNarrowsWords: boolean;
  /** Misspelled words are not corrected. */
  isExact: boolean;
};

/** An item that was found: its catalog id, and its relevance in half points. */
export type FindResult = { id: string; band: number };

/** The best `atMost` of the items that pass, best first; never more than 300. */
export function find(index: SearchIndex, filter: SearchFilter, atMost = WINDOW): FindResult[] {
  return ranked(index, filter)
    .slice(0, atMost)
    .map(({ item, band }) => ({ id: index.idOf(item), band }));
}

/**
 * An unknown character is dropped; where there are no words it is the words. Text too short to be searched for alone only
 * brings forward what it fits: the others that pass follow.
 */
function ranked(index: SearchIndex, filter: SearchFilter): RankedItem[] {
  const { words, tags, character, game, isExact } = filter;
  const places = character === '' ? null : characterCalled(index, character);
  const text = words === '' && places === null ? character : words;
  if ((tags === null || tags.length === 0) && places === null) {
    const narrowed = tags === null && filter.gameNarrowsWords && game !== null;
    return rankedText(index, text, narrowed ? itemsOfGame(index, game) : null, { isExact });
  }
  const conditions = { tags: tags ?? [], character: places, game };
  const unranked = (items: Iterable<number>) => [...items].map((item) => ({ item, band: 0 }));
  if (text === '') return unranked(itemsPassing(index, conditions, WINDOW));
  const passing = itemsPassing(index, conditions);
  const fitting = rankedText(index, text, passing, { isExact });
  if ([...text].length >= MIN_Q_CHARS) return fitting;
  const known = new Set(fitting.map(({ item }) => item));
  const others = passing.subarray(0, WINDOW).filter((item) => !known.has(item));
  return [...fitting, ...unranked(others)].slice(0, WINDOW);
}

/** The ids of up to `limit` cards that a text being typed may mean, each once however many printings it has. */
export function suggested(index: SearchIndex, q: string, limit: number): string[] {
  const best = new Map<number, string>();
  for (const item of rankText(index, q)) {
    const card = index.cardOf[item]!;
    if (!best.has(card)) best.set(card, index.idOf(item));
    if (best.size === limit) break;
  }
  return [...best.values()];
}
