import type { Sql } from '../db/client.ts';
import { ITEM_COLUMNS, type ItemRow } from './item-row.ts';

const MAX_SIBLINGS = 60;

/** Other printings with the number of this one in its set: other variations, and other languages. */
export async function siblingsOf(db: Sql, item: ItemRow): Promise<ItemRow[]> {
  // Cards without a number (T206) are distinguished by name alone.
  return db.prepared<ItemRow>(
    'item_siblings',
    // By the index of numbers in their order, whose keys may be those of several numbers.
    `select ${ITEM_COLUMNS} from items own join items i on i.set_id = own.set_id and i.number_key = own.number_key
       join sets s on s.id = i.set_id
     where own.id = $1 and i.id <> own.id and i.number is not distinct from own.number
       and (own.number is not null or i.stem = own.stem) and i.removed_at is null
     order by i.language, i.variation nulls first, i.id limit ${MAX_SIBLINGS}`,
    [item.id],
  );
}
