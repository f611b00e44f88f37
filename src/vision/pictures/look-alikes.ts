import type { Sql } from '../../db/client.ts';
import type { CatalogCard } from '../recognise/catalog.ts';

/** Words of a variation that say the picture itself is another one; of others (finish, edition, stamp) a photo shows little. */
const OTHER_ART =
  '\\m(alt|alternate|alternative|art|borderless|enchanted|epic|extended|illustration|manga|relic|secret|showcase|signature|sketch|sp|special|textless|variation)\\M';

/**
 * Facts of items and of all items that a photo may not distinguish from them: those with the same number in the same set
 * (without numbers: the same name), whose variation names no art of its own, and those that have the same picture.
 */
export async function lookAlikes(sql: Sql, itemIds: readonly string[]): Promise<CatalogCard[]> {
  return sql.prepared<CatalogCard>(
    'look_alikes',
    `with given as (
       select i.id, i.set_id, i.number, i.stem, p.hash from items i left join item_images p on p.item_id = i.id
       where i.id = any($1::uuid[])
     ), alike as (
       select i.id from (select distinct set_id, number, stem from given) a
         join items i on i.set_id = a.set_id and i.number is not distinct from a.number
           and (a.number is not null or i.stem = a.stem)
       union
       select p.item_id from given a join item_images p on p.hash = a.hash
     )
     select i.id as "itemId", p.hash as picture, i.number,
       concat_ws(' ', i.set_id, coalesce(i.number, i.stem), case when i.variation ~* $2 then i.variation end) as card
     from alike join items i using (id) left join item_images p on p.item_id = i.id where i.removed_at is null`,
    [itemIds, OTHER_ART],
  );
}
