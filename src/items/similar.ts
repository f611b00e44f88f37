import { Type } from 'typebox';
import type { PricedDb } from '../pricing/read/quotes.ts';
import { ITEM_COLUMNS, type ItemRow } from './item-row.ts';
import { cardSummary } from './shapes.ts';
import { summariesOf } from './summary.ts';
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
     ) i join sets s on s.id = i.set_id order by i.stem`,
    [item.set_id, item.stem, item.language],
  );
  const summaries = await summariesOf(db, rows, { withTags });
  // Priced ones first, highest price first: what a collector of this card opens next.
  summaries.sort((a, b) => (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0));
  return summaries.slice(0, SIMILAR_COUNT);
}
