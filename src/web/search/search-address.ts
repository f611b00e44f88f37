import type { Game } from '../../catalog/games.ts';

/** A search as its address states it: words, tags as `kind:slug`, a game, the cursor of a further page. */
export type SearchAddress = { q: string; tags: readonly string[]; game: Game | null; after: string | null };

/** Address of a search with something changed; a changed search begins at its first page. */
export function searchHref(wanted: SearchAddress, change: Partial<SearchAddress>): string {
  const { q, tags, game, after } = { ...wanted, after: null, ...change };
  const query = new URLSearchParams();
  if (q !== '') query.set('q', q);
  for (const tag of tags) query.append('tag', tag);
  if (game !== null) query.set('game', game);
  if (after !== null) query.set('after', after);
  return query.size === 0 ? '/search' : `/search?${query}`;
}
