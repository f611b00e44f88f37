import { Type } from 'typebox';
import { type PricedDb, seriesPricesOf } from '../pricing/read/quotes.ts';
import { ITEM_COLUMNS, type ItemRow } from './item-row.ts';
import { cardSummary } from './shapes.ts';
import { readTags, representative, summaryAt } from './summary.ts';
import { itemView } from './view.ts';

/** Of an answer, and read in each direction. */
const SIMILAR_COUNT = 12;

export const similar = itemView({
  id: 'similar',
  summary: 'More cards from the same set',
  response: Type.Object({ similar: Type.Array(cardSummary) }),
  async view({ db }, located) {
    return { body: { similar: await similarCards(db, located.item, { count: SIMILAR_COUNT, withTags: true }) } };
  },
});

/**
 * The nearest cards of an item's set in the order of print, in its language: those that have sold before others, shown with
 * the highest price first. At most `count`, of which 12 is the most.
 */
export async function similarCards(
  db: PricedDb,
  item: ItemRow,
  { count, withTags }: { count: number; withTags: boolean },
) {
  // The neighbors in print, each in its plainest printing: a card of sixty parallels is one neighbor.
  const nearest = await db.prepared<ItemRow>(
    'items_similar',
    `select ${ITEM_COLUMNS}
     from (
       select near.id, exists (select from card_states c where c.item_id = near.id) as has_sold
       from (
         select up.*, row_number() over (order by stem) as distance from (
           select distinct on (stem) id, stem from items
           where set_id = $1 and stem > $2 and language = $3 and removed_at is null
           order by stem, variation nulls first, id limit ${SIMILAR_COUNT}) up
         union all
         select down.*, row_number() over (order by stem desc) from (
           select distinct on (stem) id, stem from items
           where set_id = $1 and stem < $2 and language = $3 and removed_at is null
           order by stem desc, variation nulls first, id limit ${SIMILAR_COUNT}) down
       ) near
       order by has_sold desc, distance, stem limit $4
     ) nearest join items i on i.id = nearest.id join sets s on s.id = $1 order by i.stem`,
    [item.set_id, item.stem, item.language, count],
  );
  const ids = nearest.map(({ id }) => id);
  const [prices, tagsOf] = await Promise.all([seriesPricesOf(db, ids), withTags ? readTags(db, ids) : () => undefined]);
  const priced = nearest.map((row) => ({ row, shown: representative(prices.get(row.id) ?? []) }));
  // What a collector of this card opens next.
  priced.sort((a, b) => (b.shown?.priceUsdCents ?? 0) - (a.shown?.priceUsdCents ?? 0));
  return priced.map(({ row, shown }) => summaryAt(row, shown, tagsOf(row)));
}
