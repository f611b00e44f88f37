import type { Game } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { invalidParameter } from '../../http/problem.ts';
import { itemsByIds } from '../../items/item-row.ts';
import { withLastSales } from '../../items/last-sales.ts';
import { readTags, representative } from '../../items/summary.ts';
import { type PricedSeries, type SeriesPrice, seriesPricesOf } from '../../pricing/read/quotes.ts';
import { moveOver } from '../../pricing/read/series-quote.ts';
import type { FindResult } from '../../search/find.ts';
import { hitOf } from '../../search/hits.ts';
import { callIndex } from '../../search/index/live.ts';
import { queryText } from '../../search/query/read-query.ts';
import { requestedGradeOf } from '../../search/query/requested-grade.ts';
import { trackedFirst } from '../../search/query/tracked-first.ts';
import { MAX_Q_CHARS } from '../../search/search.ts';
import { tagsRequested } from '../../search/tag-parameter.ts';
import type { WebContext } from '../context.ts';
import type { SearchAddress, SearchSort } from './search-address.ts';

const RESULTS_A_PAGE = 30;

export type SearchResults = Awaited<ReturnType<typeof searchResults>>;

/** A page of what a search finds, in the chosen order. Throws `invalid_parameter` and `unavailable`. */
export async function searchResults(context: WebContext, wanted: SearchAddress) {
  const { q, game, isExact } = wanted;
  if ([...q].length > MAX_Q_CHARS)
    throw invalidParameter('q', `q must have at most ${MAX_Q_CHARS} characters; got ${[...q].length}.`);
  const tags = wanted.tags.length === 0 ? null : tagsRequested(wanted.tags);
  const filter = { words: q, tags, character: '', game, gameNarrowsWords: true, isExact };
  const [found, corrected] = await Promise.all([
    callIndex(context, 'find', filter),
    q === '' || isExact ? null : callIndex(context, 'corrected', q),
  ]);
  const { db } = context;
  const ids = found.map(({ id }) => id);
  const [prices, games] = await Promise.all([seriesPricesOf(db, ids), game === null ? gameCounts(db, ids) : null]);
  const grade = requestedGradeOf(queryText(q));
  const atGrade = (id: string) => prices.get(id)?.find(({ gradeKey }) => gradeKey === grade?.key);
  const shown = (id: string) => atGrade(id) ?? representative(prices.get(id) ?? []);
  const best = grade === null ? found : trackedFirst(found, new Set(ids.filter((id) => atGrade(id) !== undefined)));
  const all = inOrder(best, wanted.sort, shown, grade === null);
  const listed = wanted.isPriced ? all.filter(({ id }) => isPriced(shown(id))) : all;
  const from = (wanted.page - 1) * RESULTS_A_PAGE;
  const page = listed.slice(from, from + RESULTS_A_PAGE).map(({ id }) => id);
  const [items, tagsOf] = await Promise.all([itemsByIds(db, page), readTags(db, page)]);
  const hits = items.map((item) => hitOf(item, prices.get(item.id) ?? [], tagsOf(item), grade));
  return {
    cards: await withLastSales(db, hits),
    total: listed.length,
    priced: all.filter(({ id }) => isPriced(shown(id))).length,
    hasMore: listed.length > from + RESULTS_A_PAGE,
    grade,
    games,
    corrected: found.length === 0 ? null : corrected,
  };
}

function isPriced(price: SeriesPrice | undefined): boolean {
  return price?.priceUsdCents != null;
}

type PriceOf = (id: string) => PricedSeries | undefined;

/** Of matches as good as each other the priced ones come first, unless a grade has put them in order. */
function inOrder(best: readonly FindResult[], sort: SearchSort, shown: PriceOf, byPrice: boolean): FindResult[] {
  const weightOf = ({ id }: FindResult): number => {
    const price = shown(id);
    if (price === undefined) return -1;
    if (sort === 'price') return price.priceUsdCents ?? -1;
    if (sort === 'newest') return price.lastSaleAtMs ?? -1;
    const move = moveOver(price.series, 7);
    return move === null ? -1 : Math.abs(move);
  };
  if (sort !== 'best') {
    const weights = new Map(best.map((one) => [one, weightOf(one)]));
    return best.toSorted((a, b) => weights.get(b)! - weights.get(a)!);
  }
  if (!byPrice) return [...best];
  return best.toSorted((a, b) => b.band - a.band || Number(isPriced(shown(b.id))) - Number(isPriced(shown(a.id))));
}

async function gameCounts(sql: Sql, ids: readonly string[]): Promise<Map<Game, number>> {
  const rows = await sql.prepared<{ game: Game; cards: number }>(
    'web.search-games',
    'select game, count(*)::int as cards from items where id = any($1::uuid[]) group by game',
    [ids],
  );
  return new Map(rows.map(({ game, cards }) => [game, cards]));
}
