import type { Game } from '../catalog/games.ts';
import type { SearchTag } from './index/build.ts';
import { listAt } from './index/lists.ts';
import type { SearchIndex, TagIndex } from './index/search-index.ts';

/** A tag with the items that it leads to: live ones with an image. */
export type TagReach = SearchTag & { items: number; itemsByGame: Partial<Record<Game, number>> };

/** What each tag reaches, by kind; the most reaching first. Tags that reach nothing are left out. */
export function reachOfTags(
  tags: readonly SearchTag[],
  index: Pick<SearchIndex, 'isImaged' | 'gameOfSet' | 'sets'> & { tags: Pick<TagIndex, 'items'> },
): Map<string, TagReach[]> {
  const byKind = new Map<string, TagReach[]>();
  for (const [place, tag] of tags.entries()) {
    const itemsByGame: Partial<Record<Game, number>> = {};
    let items = 0;
    for (const item of listAt(index.tags.items, place)) {
      if (index.isImaged[item] === 0) continue;
      const game = index.gameOfSet[index.sets.of[item]!]!;
      itemsByGame[game] = (itemsByGame[game] ?? 0) + 1;
      items++;
    }
    if (items === 0) continue;
    const reach = { ...tag, items, itemsByGame };
    const ofKind = byKind.get(tag.kind);
    if (ofKind === undefined) byKind.set(tag.kind, [reach]);
    else ofKind.push(reach);
  }
  for (const ofKind of byKind.values()) ofKind.sort((a, b) => b.items - a.items || a.id - b.id);
  return byKind;
}

export type ChoicesRequest = { kind: string; prefix: string; game: Game | null; limit: number };

/**
 * The first `limit` tags of a kind whose name or slug begins with `prefix`, whatever its case, each slug once: the
 * global tag wins, else that of most items. The exact slug first, then by how many items have it.
 */
export function choicesOf(byKind: ReadonlyMap<string, readonly TagReach[]>, request: ChoicesRequest): TagReach[] {
  const { kind, game, limit } = request;
  const prefix = request.prefix.toLowerCase();
  const eligible = (byKind.get(kind) ?? []).filter(
    (tag) => game === null || ((tag.game === null || tag.game === game) && tag.itemsByGame[game] !== undefined),
  );
  if (game !== null) eligible.sort((a, b) => b.itemsByGame[game]! - a.itemsByGame[game]! || a.id - b.id);
  const bySlug = new Map<string, TagReach>();
  for (const tag of eligible) {
    const known = bySlug.get(tag.slug);
    if (known === undefined || (tag.game === null && known.game !== null)) {
      // A global tag keeps its own place, not that of the duplicate that it replaces.
      bySlug.delete(tag.slug);
      bySlug.set(tag.slug, tag);
    }
  }
  const exact = bySlug.get(prefix);
  // After the duplicates: a scoped name that fits does not replace a global tag whose name does not.
  const others = [...bySlug.values()].filter(
    (tag) => tag !== exact && [tag.name, tag.slug].some((text) => text.toLowerCase().startsWith(prefix)),
  );
  return [...(exact === undefined ? [] : [exact]), ...others].slice(0, limit);
}
