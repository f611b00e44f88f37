import type { Sql } from '../db/client.ts';
import { ITEM_COLUMNS, type ItemRow } from './item-row.ts';

const MAX_SIBLINGS = 60;

/** Other printings with the number of this one in its set: other variations, and other languages. */
export async function siblingsOf(db: Sql, item: ItemRow): Promise<ItemRow[]> {
  // Cards without a number (T206) are distinguished by name alone.
  return db.prepared<ItemRow>(
    'item_siblings',
    `select ${ITEM_COLUMNS} from items i join sets s on s.id = i.set_id
     where i.set_id = $1 and i.number is not distinct from $2 and ($2::text is not null or i.stem = $3)
       and i.id <> $4 and i.removed_at is null
     order by i.language, i.variation nulls first, i.id limit ${MAX_SIBLINGS}`,
    [item.set_id, item.number, item.stem, item.id],
  );
}
