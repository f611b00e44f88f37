import { type Static, Type } from 'typebox';
import type { GradeRow } from '../catalog/grades.ts';
import type { PublicTag } from '../catalog/tags/tag.ts';
import { type ItemRow, itemsByIds } from '../items/item-row.ts';
import { cardSummary } from '../items/shapes.ts';
import { readTags, representative, summaryAt } from '../items/summary.ts';
import { type PricedSeries, seriesPricesOf } from '../pricing/read/quotes.ts';
import { trackedAt } from '../pricing/store/tracked.ts';
import type { SearchContext } from './context.ts';
import type { FindResult } from './find.ts';
import { trackedFirst } from './query/tracked-first.ts';

export const searchHit = Type.Object(
  {
    ...cardSummary.properties,
    requestedGrade: Type.Optional(
      Type.Boolean({
        description:
          'Where the query names a grade: whether the card is tracked at it and shown at it. false: it is shown at its representative grade.',
      }),
    ),
  },
  { $id: 'SearchHit', title: 'SearchHit' },
);
export type SearchHit = Static<typeof searchHit>;

type WantedHits = {
  /** Best first. */
  found: readonly FindResult[];
  /** The grade that the query names. */
  grade: GradeRow | null;
  /** The places of the page among what was found. */
  window: { from: number; to: number };
};

/**
 * The cards of a page: at the grade of the query where they are tracked at it, those first; else at their representative
 * grade.
 */
export async function hitsOf({ db }: SearchContext, { found, grade, window }: WantedHits): Promise<SearchHit[]> {
  const everyId = found.map(({ id }) => id);
  const tracked = grade === null ? new Set<string>() : await trackedAt(db, everyId, grade.key);
  const page = (grade === null ? found : trackedFirst(found, tracked)).slice(window.from, window.to);
  const ids = page.map(({ id }) => id);
  const [items, prices, tagsOf] = await Promise.all([itemsByIds(db, ids), seriesPricesOf(db, ids), readTags(db, ids)]);
  return items.map((item) => hitOf(item, prices.get(item.id) ?? [], tagsOf(item), grade));
}

/** A card at the grade of the query if it is tracked at it. */
export function hitOf(
  item: ItemRow,
  prices: readonly PricedSeries[],
  tags: PublicTag[] | undefined,
  grade: GradeRow | null,
): SearchHit {
  if (grade === null) return summaryAt(item, representative(prices), tags);
  const requested = prices.find(({ gradeKey }) => gradeKey === grade.key);
  return { ...summaryAt(item, requested ?? representative(prices), tags), requestedGrade: requested !== undefined };
}
