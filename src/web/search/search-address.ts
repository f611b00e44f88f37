import type { Game } from '../../catalog/games.ts';

export const SEARCH_SORTS = ['best', 'price', 'newest', 'moved'] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** A search as its address states it: words, tags as `kind:slug`, a game, and how its results are listed. */
export type SearchAddress = {
  q: string;
  tags: readonly string[];
  game: Game | null;
  sort: SearchSort;
  /** Only cards with a price. */
  isPriced: boolean;
  /** Misspelled words are not corrected. */
  isExact: boolean;
  page: number;
};

/** Address of a search with something changed; a changed search begins at its first page. */
export function searchHref(wanted: SearchAddress, change: Partial<SearchAddress>): string {
  const { q, tags, game, sort, isPriced, isExact, page } = { ...wanted, page: 1, ...change };
  const query = new URLSearchParams();
  if (q !== '') query.set('q', q);
  for (const tag of tags) query.append('tag', tag);
  if (game !== null) query.set('game', game);
  if (sort !== 'best') query.set('sort', sort);
  if (isPriced) query.set('priced', '1');
  if (isExact) query.set('exact', '1');
  if (page !== 1) query.set('page', String(page));
  return query.size === 0 ? '/search' : `/search?${query}`;
}
