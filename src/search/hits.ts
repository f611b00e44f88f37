import { type Static, Type } from 'typebox';
import type { GradeRow } from '../catalog/grades.ts';
import type { PublicTag } from '../catalog/tags/tag.ts';
import { type ItemRow, itemsByIds } from '../items/item-row.ts';
import { cardSummary } from '../items/shapes.ts';
import { readTags, representativeSummaryOf, summaryOf } from '../items/summary.ts';
import { quotesOf, type SeriesQuote } from '../pricing/read/quotes.ts';
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
  const [items, quotes, tagsOf] = await Promise.all([itemsByIds(db, ids), quotesOf(db, ids), readTags(db, ids)]);
  return items.map((item) => hitOf(item, quotes.get(item.id) ?? [], tagsOf(item), grade));
}

/** A card at the grade of the query if it is tracked at it. */
export function hitOf(
  item: ItemRow,
  quotes: readonly SeriesQuote[],
  tags: PublicTag[] | undefined,
  grade: GradeRow | null,
): SearchHit {
  if (grade === null) return representativeSummaryOf(item, quotes, tags);
  const quote = quotes.find(({ gradeKey }) => gradeKey === grade.key);
  if (quote === undefined) return { ...representativeSummaryOf(item, quotes, tags), requestedGrade: false };
  return { ...summaryOf(item, grade.key, quote, tags), requestedGrade: true };
}
