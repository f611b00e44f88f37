import { type Static, Type } from 'typebox';
import type { GradeRow } from '../catalog/grades.ts';
import { itemsByIds } from '../items/item-row.ts';
import { cardSummary } from '../items/shapes.ts';
import { representativeSummaryOf, summaryOf } from '../items/summary.ts';
import { quotesOf } from '../pricing/read/quotes.ts';
import { trackedAt } from '../pricing/store/tracked.ts';
import type { SearchContext } from './context.ts';
import type { SearchIndex } from './index/search-index.ts';
import type { RankedItem } from './query/rank-text.ts';
import { trackedFirst } from './query/tracked-first.ts';
import { tagsOf } from './tagged.ts';

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
type SearchHit = Static<typeof searchHit>;

type WantedHits = {
  index: SearchIndex;
  /** Best first. */
  found: readonly RankedItem[];
  /** The grade that the query names. */
  grade: GradeRow | null;
  /** The places of the page among what was found. */
  window: { from: number; to: number };
};

/**
 * The cards of a page: at the requested grade where they are tracked at it, those first; else at their representative
 * grade. The index knows which items never sold: prices are read of the others only.
 */
export async function hitsOf(
  context: SearchContext,
  { index, found, grade, window }: WantedHits,
): Promise<SearchHit[]> {
  const { db } = context;
  const idOf = new Map(found.map(({ item }) => [item, index.idOf(item)]));
  const tracked = grade === null ? new Set<string>() : await trackedAt(db, [...idOf.values()], grade.key);
  const isTracked = (item: number) => tracked.has(idOf.get(item)!);
  const ordered = grade === null ? found : trackedFirst(found, isTracked);
  const soldSince = context.liveIndex.soldSince();
  const places = new Map(ordered.slice(window.from, window.to).map(({ item }) => [idOf.get(item)!, item]));
  const ids = [...places.keys()];
  const priced = ids.filter((id) => places.get(id)! < index.soldCount || soldSince.has(id) || tracked.has(id));
  const [items, quotes] = await Promise.all([itemsByIds(db, ids), quotesOf(db, priced)]);
  return items.map((item) => {
    const ofItem = quotes.get(item.id) ?? [];
    const tags = tagsOf(index, places.get(item.id)!);
    if (grade === null) return representativeSummaryOf(item, ofItem, tags);
    const quote = ofItem.find(({ gradeKey }) => gradeKey === grade.key);
    if (quote === undefined) return { ...representativeSummaryOf(item, ofItem, tags), requestedGrade: false };
    return { ...summaryOf(item, grade.key, quote, tags), requestedGrade: true };
  });
}
