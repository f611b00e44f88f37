import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { PublicTag } from './tag.ts';

type Row = PublicTag & { item_id: string; global: boolean };

/**
 * The active tags of items, by item id, sorted by kind, then slug; an item without tags is absent. A global tag and one
 * of the item's game with the same kind and slug are one, under the global name. One round trip.
 */
export async function tagsOfItems(db: Sql, itemIds: readonly string[]): Promise<Map<string, PublicTag[]>> {
  const rows = await db.prepared<Row>(
    'tags_of_items',
    `select l.item_id, t.kind, t.slug, t.name, t.game is null as global
     from item_tags l join tags t on t.id = l.tag_id where l.item_id = any($1::uuid[]) and t.active`,
    [itemIds],
  );
  return new Map([...groupBy(rows, (row) => row.item_id)].map(([itemId, all]) => [itemId, oneEach(all)]));
}

function oneEach(rows: Row[]): PublicTag[] {
  rows.sort((a, b) => compare(a.kind, b.kind) || compare(a.slug, b.slug) || Number(b.global) - Number(a.global));
  return rows
    .filter((row, i) => i === 0 || row.kind !== rows[i - 1]!.kind || row.slug !== rows[i - 1]!.slug)
    .map(({ kind, slug, name }) => ({ kind, slug, name }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
