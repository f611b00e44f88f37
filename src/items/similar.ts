import { Type } from 'typebox';
import { type PricedDb, seriesPricesOf } from '../pricing/read/quotes.ts';
import { ITEM_COLUMNS, type ItemRow } from './item-row.ts';
import { cardSummary } from './shapes.ts';
import { readTags, representative, summaryAt } from './summary.ts';
import { itemView } from './view.ts';

const SIMILAR_COUNT = 12;

export const similar = itemView({
  id: 'similar',
  summary: 'More cards from the same set',
  response: Type.Object({ similar: Type.Array(cardSummary) }),
  async view({ db }, located) {
    return { body: { similar: await similarCards(db, located.item, true) } };
  },
});

/** Whether it comes before the card in the order of print, and whether a sale of it was closed. */
type Neighbour = { isBefore: boolean; hasSold: boolean };

/**
 * The nearest cards of an item's set in the order of print, in its language: those that have sold before others, shown with
 * the highest price first. A page shows them without their tags.
 */
export async function similarCards(db: PricedDb, item: ItemRow, withTags: boolean) {
  // The neighbours in print, each in its plainest printing: a card of sixty parallels is one neighbour.
  const rows = await db.prepared<ItemRow & Neighbour>(
    'items_similar',
    `select ${ITEM_COLUMNS}, i.stem < $2 as "isBefore", exists (select from card_states c where c.item_id = i.id) as "hasSold"
     from (
       (select distinct on (stem) * from items
          where set_id = $1 and stem > $2 and language = $3 and removed_at is null
          order by stem, variation nulls first, id limit ${SIMILAR_COUNT})
       union all
       (select distinct on (stem) * from items
          where set_id = $1 and stem < $2 and language = $3 and removed_at is null
          order by stem desc, variation nulls first, id limit ${SIMILAR_COUNT})
     ) i join sets s on s.id = $1 order by i.stem`,
    [item.set_id, item.stem, item.language],
  );
  const nearest = nearestOf(rows);
  const ids = nearest.map(({ id }) => id);
  const [prices, tagsOf] = await Promise.all([seriesPricesOf(db, ids), withTags ? readTags(db, ids) : () => undefined]);
  const priced = nearest.map((row) => ({ row, shown: representative(prices.get(row.id) ?? []) }));
  // What a collector of this card opens next.
  priced.sort((a, b) => (b.shown?.priceUsdCents ?? 0) - (a.shown?.priceUsdCents ?? 0));
  return priced.map(({ row, shown }) => summaryAt(row, shown, tagsOf(row)));
}

/** Those to show of the neighbours, which are in the order of print; in that order. */
function nearestOf<Row extends Neighbour>(neighbours: readonly Row[]): Row[] {
  const before = neighbours.filter(({ isBefore }) => isBefore).length;
  const distance = (at: number) => (at < before ? before - at : at - before + 1);
  return neighbours
    .map((row, at) => ({ row, at }))
    .sort((a, b) => Number(b.row.hasSold) - Number(a.row.hasSold) || distance(a.at) - distance(b.at))
    .slice(0, SIMILAR_COUNT)
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}
