import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { PublicTag } from './tag.ts';

/**
 * The active tags of items, by item id, sorted by kind, then slug; an item without tags is absent. A global tag and one
 * of the item's game with the same kind and slug are one, under the global name. One round trip.
 */
export async function tagsOfItems(db: Sql, itemIds: readonly string[]): Promise<Map<string, PublicTag[]>> {
  const rows = await db.prepared<PublicTag & { item_id: string }>(
    'tags_of_items',
    `select distinct on (l.item_id, t.kind collate "C", t.slug collate "C") l.item_id, t.kind, t.slug, t.name
     from item_tags l join tags t on t.id = l.tag_id where l.item_id = any($1::uuid[]) and t.active
     order by l.item_id, t.kind collate "C", t.slug collate "C", t.game nulls first`,
    [itemIds],
  );
  const tagOf = ({ kind, slug, name }: PublicTag): PublicTag => ({ kind, slug, name });
  return new Map([...groupBy(rows, (row) => row.item_id)].map(([itemId, tags]) => [itemId, tags.map(tagOf)]));
}
