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

/** The cards next to an item in its set; a page shows them without their tags. */
export async function similarCards(db: PricedDb, item: ItemRow, withTags: boolean) {
  // The neighbours in print, each in its plainest printing: a card of sixty parallels is one neighbour.
  const rows = await db.prepared<ItemRow>(
    'items_similar',
    `select ${ITEM_COLUMNS} from (
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
  const ids = rows.map(({ id }) => id);
  const [prices, tagsOf] = await Promise.all([seriesPricesOf(db, ids), withTags ? readTags(db, ids) : () => undefined]);
  const priced = rows.map((row) => ({ row, shown: representative(prices.get(row.id) ?? []) }));
  // Priced ones first, highest price first: what a collector of this card opens next.
  priced.sort((a, b) => (b.shown?.priceUsdCents ?? 0) - (a.shown?.priceUsdCents ?? 0));
  return priced.slice(0, SIMILAR_COUNT).map(({ row, shown }) => summaryAt(row, shown, tagsOf(row)));
}
