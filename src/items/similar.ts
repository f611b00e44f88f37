import { Type } from 'typebox';
import { ITEM_COLUMNS, type ItemRow } from './item-row.ts';
import { cardSummary } from './shapes.ts';
import { newestOf, summariesOf } from './summary.ts';
import { itemView } from './view.ts';

const SIMILAR_COUNT = 12;

export const similar = itemView({
  id: 'similar',
  summary: 'More cards from the same set',
  response: Type.Object({ similar: Type.Array(cardSummary) }),
  async view({ db }, { item }) {
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
    const summaries = await summariesOf(db, rows);
    // Priced ones first, dearest first: what a collector of this card looks at next.
    summaries.sort((a, b) => (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0));
    return { body: { similar: summaries.slice(0, SIMILAR_COUNT) }, lastModifiedMs: newestOf(rows, summaries) };
  },
});
